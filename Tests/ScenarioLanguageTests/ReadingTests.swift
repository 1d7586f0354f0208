import SquallCore
import TemporalLogic
import Testing

@testable import ScenarioLanguage

/// Tests the parts of the parser: durations, suggestions, diagnostics and repairs.
@Suite struct ReadingTests {
    @Test(
        "A duration is parsed as a number with a unit",
        arguments: [
            ("0s", 0), ("1ns", 1), ("250us", 250_000), ("50ms", 50_000_000), ("1.5s", 1_500_000_000),
            ("10m", 600_000_000_000),
            ("1h", 3_600_000_000_000), ("2d", 172_800_000_000_000), ("0.25us", 250),
            ("106751d", 9_223_286_400_000_000_000),
        ]
    )
    func durations(_ text: String, _ nanoseconds: Int64) {
        #expect(DurationText.parse(text) == TimeSpan(nanoseconds: nanoseconds))
        #expect(DurationText.parseSigned("-\(text)") == TimeSpan(nanoseconds: -nanoseconds))
    }

    @Test(
        "A text without a valid number and unit is not a duration",
        arguments: [
            "", "5", "s", "5 s", "5S", "5sec", "-5s", "+5s", "1.5.5s", ".5s", "5.s", "0.5ns", "1e3s", "106752d",
            "99999999999999999999s", "٥s", "1_000s", "5s ", "1.0000000001s",
        ]
    )
    func noDurations(_ text: String) {
        #expect(DurationText.parse(text) == nil)
    }

    @Test(
        "A misspelt name gets the nearest known name as a suggestion",
        arguments: [
            ("conected", "connected"), ("connectde", "connected"), ("Connected", "connected"), ("stal", "stall"),
            ("client.backof.began", "client.backoff.began"), ("clent.backof.bgan", "client.backoff.began"),
        ]
    )
    func slips(_ word: String, _ meant: String) {
        let known = ["stall", "blackhole", "connected", "client.backoff.began", "client.connected"]
        #expect(Suggestion.nearest(to: word, among: known) == meant)
    }

    @Test(
        "A name that is too different gets no suggestion",
        arguments: ["xyz", "client.x.began", "connected.began", "", "qq"]
    )
    func noSlips(_ word: String) {
        let known = ["stall", "blackhole", "connected", "client.backoff.began", "client.connected"]
        #expect(Suggestion.nearest(to: word, among: known) == nil)
    }

    @Test("If several names are equally close, the first is suggested")
    func ties() {
        #expect(Suggestion.nearest(to: "bat", among: ["cat", "hat"]) == "cat")
        #expect(Suggestion.nearest(to: "hat", among: ["cat", "hat"]) == "hat")
    }

    @Test("A diagnostic shows the source line with carets under the error")
    func carets() {
        let source = SourceText(file: "f.yaml", text: "one\n\tname: wrong\n")
        let mistake = Diagnostic(
            at: SourceLocation(file: "f.yaml", line: 2, column: 8),
            width: 5,
            "'wrong' is wrong",
            help: "write 'right'"
        )
        #expect(
            mistake.rendered(in: source) == """
                f.yaml:2:8: error: 'wrong' is wrong
                 2 | \tname: wrong
                   | \t      ^^^^^
                   = help: write 'right'
                """
        )
        #expect(mistake.rendered(in: nil) == "f.yaml:2:8: error: 'wrong' is wrong\n   = help: write 'right'")
        var beyond = mistake
        beyond.location = SourceLocation(file: "f.yaml", line: 9, column: 1)
        #expect(beyond.rendered(in: source).hasPrefix("f.yaml:9:1: error: 'wrong' is wrong\n   = help"))
        beyond.location = SourceLocation(file: "f.yaml", line: 1, column: 400)
        #expect(beyond.rendered(in: source).contains(" 1 | one\n   |    ^"))
    }

    /// Control characters in a file must not reach the terminal.
    @Test("Diagnostics do not show the control characters of a file")
    func controlCharactersAreNotShown() {
        let source = SourceText(file: "f.yaml", text: "a\u{1B}[31mb\u{9B}c")
        let mistake = Diagnostic(at: SourceLocation(file: "f.yaml", line: 1, column: 1), "wrong")
        #expect(mistake.rendered(in: source).contains(" 1 | a·[31mb·c"))
        let worded = Diagnostic(at: mistake.location, "no '\u{1B}[2J\n::error::x'", help: "not 'a\nb'")
        #expect(worded.rendered(in: nil) == "f.yaml:1:1: error: no '\u{FFFD}[2J ::error::x'\n   = help: not 'a b'")
    }

    @Test("Unquoted text in YAML flow style that needs quotes is detected")
    func missingQuotesAreFound() {
        let text = """
            a: { b[c]: d, "e[f]": [1, 2], 'g[h]': 1 }  # { i[j] }
            k[l]: { m: n[o] + 5s, p: [q[r], s], t: ${u}-${v} }
            w: don't { x[y] }
            """
        let found = BracketQuoting.repaired(text).findings
        #expect(found.map(\.text) == ["b[c]", "n[o] + 5s", "q[r]", "${u}-${v}", "x[y]"])
        #expect(found.map(\.line) == [1, 2, 2, 2, 3])
        #expect(found.map(\.column) == [6, 12, 27, 40, 12])
        #expect(BracketQuoting.repaired(text).text.unicodeScalars.count == text.unicodeScalars.count)
    }
}
