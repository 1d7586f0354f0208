import SquallCore
import Testing

@Suite struct ShownTextTests {
    @Test("Control characters and direction overrides are replaced in shown text")
    func nothingIsMoreThanSeen() {
        #expect("\(SanitizedText("a\u{1B}[2Jb\u{9B}m\u{7F}\u{0}c"))" == "a\u{FFFD}[2Jb\u{FFFD}m\u{FFFD}\u{FFFD}c")
        #expect(
            "\(SanitizedText("up\u{202E}nwod\u{2066}\u{200F}"))" == "up\u{FFFD}nwod\u{FFFD}\u{FFFD}",
            "a line keeps its direction"
        )
        let letters = "é Ж 漢 \u{1F469}\u{200D}\u{1F469} e\u{301}"
        #expect("\(SanitizedText(letters))" == letters)
    }

    @Test("Shown text is put on one line unless several lines are allowed")
    func aLineIsOne() {
        let text = "a\nb\r\nc\rd\u{2028}e\u{85}f\tg"
        #expect("\(SanitizedText(text))" == "a b c d e f g")
        #expect("\(SanitizedText(lines: text))" == "a\nb\nc\nd\ne\nf\tg")
    }

    @Test("Text shown as markup contains only characters that XML allows")
    func markupHoldsWhatXMLCanHold() {
        #expect(
            SanitizedText("<a b=\"&\">\u{1}\u{FFFF}\u{8}").markup
                == "&lt;a b=&quot;&amp;&quot;&gt;\u{FFFD}\u{FFFD}\u{FFFD}"
        )
        #expect(SanitizedText("<\u{338}").markup.unicodeScalars.elementsEqual("&lt;\u{338}".unicodeScalars))
    }

    @Test("Text in a workflow command contains no characters that would end the command")
    func aWorkflowCommandHoldsNothingThatEndsIt() {
        #expect(SanitizedText(lines: "50%\r\n: a, b").workflowMessage == "50%25%0A: a, b")
        let marked = SanitizedText(lines: "%\u{301},\u{301}:\u{301}")
        #expect(marked.workflowProperty.unicodeScalars.elementsEqual("%25\u{301}%2C\u{301}%3A\u{301}".unicodeScalars))
        #expect(SanitizedText("a\n::error::b").workflowMessage == "a ::error::b")
    }

    @Test("Text shown in a log contains no workflow commands")
    func aLogGivesNoCommands() {
        let log = SanitizedText(lines: "  ::error::a\nsee a::b\n:: x\n##[add-mask]y").workflowLog
        #expect(log == "  \u{FFFD}::error::a\nsee a::b\n\u{FFFD}:: x\n## [add-mask]y")
    }
}
