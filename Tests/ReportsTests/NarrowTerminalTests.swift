import ScenarioModel
import SquallCore
import Testing

@testable import Reports

/// Tests reports in a narrow terminal.
@Suite struct NarrowTerminalTests {
    @Test("A line that fits the terminal is printed unchanged")
    func aLineThatFitsStays() {
        let line: StyledLine = "  \("pass", .green) A message  \("sim 1.0s", .dim)"
        #expect(line.rendered(colour: false, width: nil) == "  pass A message  sim 1.0s")
        #expect(line.rendered(colour: false, width: 26) == "  pass A message  sim 1.0s")
        #expect(
            line.rendered(colour: true, width: 26) == "  \u{1B}[32mpass\u{1B}[0m A message  \u{1B}[2msim 1.0s\u{1B}[0m"
        )
    }

    @Test("A field that does not fit moves to the next line")
    func aFieldThatDoesNotFitHasALineOfItsOwn() {
        let line: StyledLine = "  \("pass", .green) A message  \("sim 1.0s", .dim)"
        #expect(line.rendered(colour: false, width: 25) == "  pass A message\n    sim 1.0s")
        #expect(
            line.rendered(colour: true, width: 25)
                == "  \u{1B}[32mpass\u{1B}[0m A message\n    \u{1B}[2msim\u{1B}[0m \u{1B}[2m1.0s\u{1B}[0m"
        )
    }

    @Test("A field wider than the terminal is wrapped between its words")
    func aFieldThatFitsNoLineIsPartedBetweenItsWords() {
        let line: StyledLine = "  a.yaml:3:5  wait: this was not what was expected within 20s"
        #expect(
            line.rendered(colour: false, width: 28) == """
                  a.yaml:3:5
                    wait: this was not what
                    was expected within 20s
                """
        )
        let path: StyledLine = "    \(String(repeating: "x", count: 50)) and more"
        #expect(path.rendered(colour: false, width: 40) == "    \(String(repeating: "x", count: 50))\n      and more")
    }

    @Test("Wide characters take two columns")
    func wideLettersTakeTwoColumns() {
        let line: StyledLine = "\("漢字漢字", .bold) 漢字漢字"
        #expect(line.rendered(colour: false, width: 17) == "漢字漢字 漢字漢字")
        #expect(line.rendered(colour: false, width: 16) == "漢字漢字\n  漢字漢字")
    }

    @Test("Only replay commands and single long words exceed the width of the terminal", arguments: [40, 60, 80])
    func onlyReplayCommandsAreWider(_ width: Int) {
        let text = TerminalReport(colour: false, width: width).render(Samples.suite)
        let lines = text.split(separator: "\n")
        for line in lines where line.count > width {
            #expect(line.contains("replay: ") || line.split(separator: " ").count == 1, "\(line)")
        }
        #expect(lines.count { $0.contains("replay: squall run ") } == 3)
        // Wrapping must not lose a word.
        func words(_ text: String) -> [Substring] { text.split { $0 == " " || $0 == "\n" } }
        #expect(words(text) == words(TerminalReport(colour: false).render(Samples.suite)))
    }
}
