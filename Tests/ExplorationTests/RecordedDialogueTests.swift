import Exploration
import ScenarioModel
import SquallCore
import Testing
import Trace

/// Tests the conversion of recorded messages in an unknown protocol into rules and steps.
@Suite("Recorded messages as rules")
struct RecordedDialogueTests {
    /// A recording that is built message by message.
    private struct Tape {
        var events: [TraceEvent] = []
        var time: Int64 = 0

        mutating func note(_ observation: Observation) {
            let instant = Instant.zero + .milliseconds(time)
            events.append(
                TraceEvent(index: events.count, time: instant, client: .only, observation: observation)
            )
        }

        mutating func open(link: Int64 = 1) {
            note(.happened("server.answered.ws", ["status": 101, "link": .integer(link)], by: .observed))
            note(.set("link.state", to: "open", by: .observed))
        }

        /// Adds a client message, sent `pause` milliseconds after the previous message.
        mutating func client(_ text: String, after pause: Int64 = 1_000) {
            time += pause
            note(.happened("client.sent.text", ["kind": "text"], by: .observed))
            note(.happened("server.received.text", fields(text), by: .observed))
        }

        mutating func server(_ text: String, after pause: Int64 = 5) {
            time += pause
            note(.happened("server.said", fields(text), by: .observed))
            note(.happened("client.received.text", ["kind": "text"], by: .observed))
        }

        private func fields(_ text: String) -> JSON {
            ["kind": "text", "bytes": .integer(Int64(text.utf8.count)), "text": .string(text), "link": 1]
        }

        var dialogue: RecordedDialogue? {
            let header = TraceHeader(
                language: 1,
                tool: "",
                scenario: "",
                variant: nil,
                profile: "default",
                seed: Seed(1),
                clock: .wall,
                defects: []
            )
            return RecordedDialogue(Recording(header: header, events: events, end: .zero + .milliseconds(time)))
        }
    }

    /// Returns the steps of a dialogue, with their arguments as JSON.
    private static func steps(_ tape: Tape) throws -> [String] {
        try #require(tape.dialogue).actions.map { action in
            let values = action.arguments.values.map { name, value -> String in
                switch value {
                case .json(let json): "\(name)=\(String(decoding: json.encode(), as: UTF8.self))"
                case .text(let text): "\(name)=\(text)"
                case .integer(let number): "\(name)=\(number)"
                case .duration, .flag, .list: "\(name)=?"
                }
            }
            let label = action.arguments.label.map { " as \($0)" } ?? ""
            return "\(action.actor.rawValue).\(action.verb) \(values.joined(separator: " "))\(label)"
        }
    }

    @Test("A reply that repeats the request's id becomes a rule, however late; other messages become 'say' steps")
    func rules() throws {
        var tape = Tape()
        tape.open()
        tape.server(#"{"type":"hello"}"#)
        tape.client(#"{"type":"ask","id":11,"text":"tea?"}"#)
        tape.server(#"{"type":"answer","id":11,"text":"yes"}"#, after: 2_000)
        tape.client(#"{"type":"ask","id":12,"text":"milk?"}"#)
        tape.server(#"{"type":"news","text":"rain"}"#, after: 500)
        tape.server(#"{"type":"answer","id":12,"text":"yes"}"#, after: 1_500)
        #expect(
            try Self.steps(tape) == [
                #"server.rule match={"type":"ask","id":"{id}"} "#
                    + #"replies=[{"frame":{"type":"answer","id":"{id}","text":"yes"},"after_ms":2000}] as ask"#,
                #"server.rule on=opening reply={"type":"hello"} as opening"#,
                #"user.say text={"type":"ask","id":11,"text":"tea?"}"#,
                #"user.say text={"type":"ask","id":12,"text":"milk?"}"#,
                #"server.say json={"type":"news","text":"rain"}"#,
            ]
        )
    }

    @Test("A reply that names the id of an earlier request in a member of another name belongs to that request")
    func pipelined() throws {
        var tape = Tape()
        tape.open()
        tape.client(#"{"do":"login","id":40}"#)
        tape.client(#"{"do":"subscribe","id":50}"#, after: 1)
        tape.server(#"{"ok":40,"name":"bob"}"#)
        tape.server(#"{"ok":50,"symbol":"EUR"}"#)
        let steps = try Self.steps(tape)
        #expect(steps.contains { $0.contains("login") && $0.contains("bob") && !$0.contains("EUR") }, "\(steps)")
        #expect(steps.contains { $0.contains("subscribe") && $0.contains("EUR") && !$0.contains("bob") }, "\(steps)")
    }

    @Test("A request value that determines the reply becomes part of the rule; other replies are used in order")
    func differentAnswers() throws {
        var tape = Tape()
        tape.open()
        for (which, name) in [("a", "apple"), ("b", "pear"), ("a", "apple")] {
            tape.client(#"{"cmd":"item","which":"\#(which)"}"#)
            tape.server(#"{"cmd":"item","name":"\#(name)"}"#)
        }
        for number in [3, 4, 4] {
            tape.client("count")
            tape.server("\(number)")
        }
        let rules = try Self.steps(tape).filter { $0.hasPrefix("server.rule") }
        #expect(
            rules == [
                #"server.rule match={"cmd":"item","which":"a"} reply={"cmd":"item","name":"apple"} as item"#,
                #"server.rule match={"cmd":"item","which":"b"} reply={"cmd":"item","name":"pear"} as item-2"#,
                #"server.rule match="count" reply="3" count=1 as count"#,
                #"server.rule match="count" reply="4" as count-2"#,
            ]
        )
    }

    @Test("A message type that the server also sends unsolicited is a reply only if it repeats a request value")
    func spontaneous() throws {
        var tape = Tape()
        tape.open()
        tape.client(#"{"type":"post","text":"hello all"}"#)
        tape.server(#"{"type":"message","text":"hello all"}"#)
        tape.server(#"{"type":"message","text":"from ben"}"#, after: 3_000)
        tape.client(#"{"type":"seen"}"#)
        tape.server(#"{"type":"message","text":"from eve"}"#, after: 100)
        let steps = try Self.steps(tape)
        #expect(
            steps.contains(
                #"server.rule match={"type":"post","text":"{text}"} reply={"type":"message","text":"{text}"} as post"#
            )
        )
        #expect(steps.contains(#"server.rule match={"type":"seen"} as seen"#))
        #expect(steps.filter { $0.hasPrefix("server.say") }.count == 2)
    }

    @Test("Equal secrets become the same placeholder, and messages that cannot be written are counted")
    func leftOut() throws {
        var tape = Tape()
        tape.open()
        tape.client(#"{"type":"login","token":"abcdef123"}"#)
        tape.server(#"{"type":"ready","session":{"refresh_token":"zyx98765"},"echo":"is abcdef123"}"#)
        tape.client("${name}")
        tape.note(.happened("server.said", ["kind": "binary", "bytes": 9, "link": 1], by: .observed))
        tape.note(.happened("server.said", ["kind": "text", "bytes": 99_999, "link": 1], by: .observed))
        let steps = try Self.steps(tape).joined(separator: "\n")
        #expect(!steps.contains("abcdef123") && !steps.contains("zyx98765"), "\(steps)")
        #expect(steps.contains(#""token":"secret:token-1""#) && steps.contains("is secret:token-1"), "\(steps)")
        #expect(
            try #require(tape.dialogue).gaps == [
                "1 binary message", "1 message of more than 16 KiB",
                "1 message with '${', which is reserved for values",
                "2 values that look like secrets: 'secret:…' in their place",
            ]
        )
    }

    @Test(
        "A client of an unknown protocol is connected while its WebSocket is open and ends the session by closing it"
    )
    func connections() throws {
        var tape = Tape()
        tape.open()
        tape.client("hello")
        tape.note(.happened("client.attempt.failed", ["failure": "reset"], by: .observed))
        tape.open(link: 2)
        tape.note(.happened("server.received.close", ["link": 2], by: .observed))
        tape.note(.happened("client.attempt.failed", ["failure": "end_of_stream"], by: .observed))
        let dialogue = try #require(tape.dialogue)
        #expect(dialogue.isUnknown)
        let names = dialogue.recording.events.map(\.name)
        #expect(
            names.filter { $0.hasPrefix("client.") && !$0.contains(".text") } == [
                "client.connected", "client.disconnected", "client.connected", "client.attempt.failed",
            ]
        )
        #expect(dialogue.recording.events.first { $0.name == "server.received.text" }?.key == "hello")
    }

    @Test("A client ends the session also by ending the connection without a close frame")
    func abort() throws {
        var tape = Tape()
        tape.open()
        tape.client("hello")
        tape.note(.happened("client.attempt.failed", ["failure": "end_of_stream"], by: .observed))
        tape.note(.happened("network.closed", ["side": "client", "how": "fin"], by: .observed))
        let names = try #require(tape.dialogue).recording.events.map(\.name)
        #expect(names.contains("client.attempt.failed") && !names.contains("client.disconnected"))
    }
}
