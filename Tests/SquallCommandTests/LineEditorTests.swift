import ScenarioModel
import SquallCore
import Testing
import Trace

@testable import SquallCommand

/// Tests the line editor of the `squall serve` prompt.
@Suite struct LineEditorTests {
    private static let up = "\u{1B}[A"
    private static let down = "\u{1B}[B"

    @Test(
        "The line editor handles editing keys like a shell",
        arguments: [
            ("drop", "drop", 4), ("dorp\u{2}\u{2}\u{2}", "dorp", 1), ("drxop\u{1B}[D\u{1B}[D\u{7F}", "drop", 2),
            ("drop\u{1}x", "xdrop", 1), ("one two\u{17}", "one ", 4), ("one two\u{15}", "", 0),
            ("one two\u{1B}b\u{B}", "one ", 4), ("äß\u{1B}[D\u{1B}[3~", "ä", 1), ("a\u{1B}[1~b\u{1B}[4~c", "bac", 3),
            ("a\u{1B}[5~b", "ab", 2), ("one two\u{1B}[1;5D", "one two", 4), ("ab\u{1}\u{4}", "b", 0),
            ("\u{7F}\u{1B}[D\u{1B}[C", "", 0),
        ]
    )
    func keys(typed: String, text: String, cursor: Int) {
        var editor = LineEditor()
        #expect(editor.take(typed.utf8) == [])
        #expect(String(editor.text) == text)
        #expect(editor.cursor == cursor)
    }

    @Test("A key whose bytes arrive one by one is handled as one key")
    func keysInPieces() {
        var editor = LineEditor()
        for byte in "a😀\u{1B}[D".utf8 { #expect(editor.take([byte]) == []) }
        #expect(String(editor.text) == "a😀")
        #expect(editor.cursor == 1)
    }

    @Test("Enter submits the line, and the arrow keys recall earlier lines and the current draft")
    func history() {
        var editor = LineEditor()
        #expect(editor.take("one\rtwo\r\r".utf8) == [.line("one"), .line("two"), .line("")])
        _ = editor.take("dra\(Self.up)\(Self.up)\(Self.up)".utf8)
        #expect(String(editor.text) == "one")
        _ = editor.take("\(Self.down)\(Self.down)".utf8)
        #expect(String(editor.text) == "dra")
        #expect(editor.history == ["one", "two"])
        #expect(editor.take("\u{15}\u{4}".utf8) == [.end])
    }

    @Test(
        "Tab completes a step with the names of the registry",
        arguments: [
            ("netw\t", "network: "), ("network: blackh\t", "network: blackhole"), ("stat\t", "status"),
            ("dro\t", "drop"),
            ("{ serv\t", "{ server: "), ("network: { flap: { u\t", "network: { flap: { up: "),
            ("server: { restart: { do\t", "server: { restart: { down: "), ("user: se\t", "user: se"),
            ("device: { network: of\t", "device: { network: off"),
            ("explain connection.sta\t", "explain connection.state"),
            ("server: { presence: { status: on\t", "server: { presence: { status: online"),
        ]
    )
    func completion(typed: String, text: String) {
        var editor = LineEditor { StepCompletion.words(after: $0) }
        #expect(editor.take(typed.utf8) == [])
        #expect(String(editor.text) == text)
    }

    @Test("Tab lists the possible words if there are several")
    func choices() throws {
        var editor = LineEditor { StepCompletion.words(after: $0) }
        guard case .choices(let words)? = editor.take("network: l\t".utf8).first else {
            Issue.record("no choices")
            return
        }
        #expect(words.contains("latency") && words.allSatisfy { $0.hasPrefix("l") })
    }

    @Test("Tab completes the label of an active fault after heal, and offers no parameter twice")
    func labels() {
        let key = StepCompletion.words(after: "network: { hal").words
        #expect(key == ["half_open: "], "an action within braces is a key")
        let heal = StepCompletion.words(after: "network: { heal: tu", faults: ["tunnel-2", "drop"])
        #expect(heal.replaced == 2 && heal.words == ["tunnel-2"])
        let stall = StepCompletion.words(after: "network: { stall: { for: 3s, ").words
        #expect(stall.contains("stream: ") && !stall.contains("for: "))
        let first = StepCompletion.words(after: "").words
        #expect(first.count { $0 == "hold" } == 1)
    }

    @Test("Rows of possible words break between words")
    func rows() {
        #expect(Prompt.rows(of: ["drop", "stall", "heal"], width: 12) == "drop  stall\nheal")
        #expect(Prompt.rows(of: ["blackhole"], width: 4) == "blackhole")
    }

    @Test("Random bytes do not break the line editor")
    func garbage() {
        var random = Seed(1).stream("keys")
        var editor = LineEditor { StepCompletion.words(after: $0) }
        for _ in 0..<20_000 {
            _ = editor.take([UInt8(truncatingIfNeeded: random.next())])
            #expect(0...editor.text.count ~= editor.cursor)
        }
    }

    @Test("The printed line of an event shows durations in units")
    func eventLines() {
        let fields: JSON = ["number": 2, "after": 1_003_197_772]
        let began = TraceEvent(
            index: 0,
            time: .zero + .seconds(2),
            client: .only,
            observation: .happened("client.attempt.began", fields, by: .observed)
        )
        #expect(ServedEvents.line(began) == "2.000  client.attempt.began  number: 2, after: 1.003s")
        #expect(!began.isNotable)
        let dropped = TraceEvent(
            index: 1,
            time: .zero,
            client: nil,
            observation: .happened("fault.began", ["fault": "drop"], by: .injected)
        )
        #expect(dropped.isNotable)
    }
}
