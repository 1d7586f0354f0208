import SquallCore
import Testing
import Trace

@Suite struct TraceCodecTests {
    private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    private func problem(_ lines: [String]) -> TraceCodecError? {
        do {
            _ = try TraceCodec.decode(Array(lines.joined(separator: "\n").utf8))
            return nil
        } catch {
            return error
        }
    }

    private let first = """
        {"squall_trace":1,"language":1,"tool":"t","scenario":"s","profile":"p","seed":7,"clock":"sim","defects":[]}
        """
    private let event = #"{"index":0,"time":5,"name":"a","set":1,"by":"reported"}"#
    private let end = #"{"end":9,"events":1}"#

    @Test("A trace survives writing and reading")
    func roundTrip() throws {
        var recorded = recording(variety)
        recorded.events[2].cause = 1
        recorded.events[3].client = nil
        recorded.events[4].client = ClientID("ben")
        #expect(try TraceCodec.decode(TraceCodec.encode(recorded)) == recorded)
        #expect(try TraceCodec.decode(TraceCodec.encode(recording([]))) == recording([]))
    }

    @Test("A trace header keeps all of its fields when written and read", arguments: TraceHeader.Clock.allCases)
    func header(clock: TraceHeader.Clock) throws {
        var recorded = recording([])
        recorded.header = TraceHeader(
            language: 3,
            tool: "squall 1.2",
            scenario: "A \"quoted\" name",
            variant: "case 2",
            profile: "chat-ux",
            seed: Seed(.max),
            clock: clock,
            defects: ["noBackoff", "noJitter"]
        )
        #expect(try TraceCodec.decode(TraceCodec.encode(recorded)).header == recorded.header)
    }

    @Test(
        "The end of a run survives writing and reading",
        arguments: [
            .finished, .unfinished(at: SourceLocation(file: "restart", line: 3, column: 5)),
            .stuck(
                at: SourceLocation(file: "restart", line: 7, column: 2),
                why: "it \"was\" offline",
                by: .zero + .seconds(2)
            ),
            .anchorMissing(at: SourceLocation(file: "restart", line: 1, column: 1), what: "client.woke"),
        ] as [RunEnding.Script]
    )
    func ending(script: RunEnding.Script) throws {
        var recorded = recording([])
        recorded.ending.script = script
        #expect(try TraceCodec.decode(TraceCodec.encode(recorded)) == recorded)
        recorded.ending.scriptEnd = .zero + .milliseconds(5)
        recorded.ending.abandoned = "a livelock"
        recorded.ending.isInterrupted = true
        #expect(try TraceCodec.decode(TraceCodec.encode(recorded)) == recorded)
    }

    @Test("Arguments of actions keep their types, and a line that is not an action is refused")
    func actions() throws {
        var recorded = recording([variety[0]])
        let values: [(name: String, value: ArgumentValue)] = [
            ("text", .text("5s")), ("count", .integer(5)), ("for", .duration(.seconds(5))), ("on", .flag(true)),
            ("items", .list([.text("a"), .duration(.zero), .list([])])), ("body", .json(["ns": 5])),
            ("null", .json(.null)),
        ]
        recorded.actions = [
            PerformedAction(.network, "heal_all", Arguments(), clients: [], position: 0, time: .zero),
            PerformedAction(
                .server,
                "post",
                Arguments(values, label: "hello"),
                clients: [ClientID("anna")],
                position: 1,
                time: .zero + .seconds(1)
            ),
        ]
        #expect(try TraceCodec.decode(TraceCodec.encode(recorded)) == recorded)
        for action in [#"{"position":2,"time":0,"actor":"user","verb":"x"}"#, #"{"position":0}"#, "5"] {
            let end = #"{"end":9,"events":1,"actions":[\#(action)]}"#
            #expect(problem([first, event, end])?.line == 3, "\(action)")
        }
    }

    @Test("A trace without a script outcome counts as finished, and an unknown outcome is refused")
    func unknownEnding() throws {
        let lines = [first, event, end].joined(separator: "\n")
        #expect(try TraceCodec.decode(Array(lines.utf8)).ending == RunEnding())
        let unknown = #"{"end":9,"events":1,"script":{"outcome":"lost"}}"#
        #expect(problem([first, event, unknown])?.line == 3)
    }

    @Test("The trace format has one line for the header, each event and the end")
    func format() throws {
        var recorded = recording([variety[0], variety[2], variety[4]])
        recorded.events[1].cause = 0
        recorded.events[1].client = nil
        let lines = text(TraceCodec.encode(recorded)).split(separator: "\n").map(String.init)
        #expect(
            lines == [
                #"{"squall_trace":1,"language":1,"tool":"squall 1.0","scenario":"restart","profile":"chat-ux","seed":7,"clock":"sim","defects":[]}"#,
                #"{"index":0,"time":0,"client":"client","name":"connection.state","set":"connected","by":"reported"}"#,
                #"{"index":1,"time":10000000,"name":"server.stored","key":"hello","event":{"conversation":"stukov","sequence":1},"by":"observed","cause":0}"#,
                #"{"index":2,"time":20000000,"client":"client","name":"conversation.messages","key":"stukov","insert":[1,"c"],"by":"reported"}"#,
                #"{"end":30000000,"events":3,"digest":"\#(recorded.digest)","script":{"outcome":"finished"}}"#,
            ]
        )
        #expect(text(TraceCodec.encode(recorded)).hasSuffix("}\n"))
    }

    @Test("A trace written event by event equals a trace written at once")
    func incremental() {
        let recorded = recording(variety)
        var bytes: [UInt8] = []
        TraceCodec.encode(recorded.header, into: &bytes)
        for event in recorded.events { TraceCodec.encode(event, into: &bytes) }
        #expect(text(TraceCodec.encode(recorded)).hasPrefix(text(bytes)))
    }

    @Test("Blank lines, carriage returns and a missing digest are accepted in a trace")
    func lenient() throws {
        let lines = [first + "\r", "", "  ", event + "\r", end, "", ""]
        let recording = try TraceCodec.decode(Array(lines.joined(separator: "\n").utf8))
        #expect(recording.events.count == 1)
        #expect(recording.end.nanoseconds == 9)
    }

    @Test("An error in a trace is reported with its line number")
    func mistakes() {
        func expect(_ lines: [String], _ line: Int, _ text: String) {
            let error = problem(lines)
            #expect(error?.line == line)
            #expect(error?.problem == text)
        }
        expect([""], 1, "no header: this is not a trace")
        expect(["garbage"], 1, "unexpected 'g' at byte 0")
        expect(["[]"], 1, "not a JSON object")
        expect(["{}"], 1, #"no header: a trace begins with {"squall_trace":1"#)
        expect(
            [first.replacing("\"squall_trace\":1", with: "\"squall_trace\":2")],
            1,
            "unsupported format version 2; this version of Squall reads 1"
        )
        expect([first.replacing("\"sim\"", with: "\"sundial\"")], 1, "unknown clock \"sundial\"")
        expect([first.replacing("7", with: "-7")], 1, "\"seed\" is not a whole number from 0 to 18446744073709551615")
        expect([first.replacing("\"t\"", with: "5")], 1, "\"tool\" is not a text")
        expect([first.replacing("[]", with: "[5]")], 1, "\"defects\" is not a list of texts")
        expect([first, event], 2, "the file stops before its end line")
        expect([first, event, end, event], 4, "unexpected line after the end line")
        expect([first, event, event, end], 3, "\"index\" is 0, expected 1")
        expect([first, "", event.replacing("5", with: "\"x\""), end], 3, "\"time\" is not a whole number")
        expect([first, event.replacing("\"time\":5,", with: ""), end], 2, "missing \"time\"")
        expect([first, event.replacing("reported", with: "rumoured"), end], 2, "unknown provenance \"rumoured\"")
        expect([first, event.replacing("\"name\":\"a\",", with: ""), end], 2, "missing \"name\"")
        expect(
            [first, event.replacing("\"set\":1", with: "\"put\":1"), end],
            2,
            "expected exactly one of \"event\", \"set\", \"insert\", \"remove\", \"replace\""
        )
        expect(
            [first, event.replacing("\"set\":1", with: "\"set\":1,\"remove\":1"), end],
            2,
            "expected exactly one of \"event\", \"set\", \"insert\", \"remove\", \"replace\""
        )
        expect([first, event.replacing("\"set\":1", with: "\"event\":1"), end], 2, "\"event\" is not an object")
        expect([first, event.replacing("\"set\":1", with: "\"insert\":1"), end], 2, "\"insert\" is not [index, item]")
        expect(
            [first, event.replacing("\"set\":1", with: "\"replace\":[1]"), end],
            2,
            "\"replace\" is not [index, item]"
        )
        expect(
            [first, event.replacing("\"set\":1", with: "\"remove\":[]"), end],
            2,
            "\"remove\" is not a whole number"
        )
        expect(
            [first, event.replacing("reported\"", with: "reported\",\"cause\":0"), end],
            2,
            "\"cause\" is 0, which is not an earlier event"
        )
        let second = event.replacing("\"index\":0,\"time\":5", with: "\"index\":1,\"time\":4")
        expect([first, event, second, end], 3, "\"time\" is before that of the previous event")
        expect([first, event, end.replacing("9", with: "4")], 3, "the run ends before its last event")
        expect([first, event, end.replacing("1", with: "2")], 3, "\"events\" is 2, but the file has 1")
        #expect(
            problem([first, event, end.replacing("}", with: #","digest":"0"}"#)])?.problem
                .hasPrefix("\"digest\" is 0, expected ") == true
        )
    }

    @Test("A truncated or mutated trace never traps the reader")
    func fuzz() {
        let bytes = TraceCodec.encode(recording(variety))
        // A trace without its final line feed is still valid; any shorter prefix is not.
        for length in 0..<bytes.count - 1 {
            #expect(throws: TraceCodecError.self) { try TraceCodec.decode(Array(bytes[..<length])) }
        }
        var generator = SeededGenerator(state: 1)
        for _ in 0..<2000 {
            var broken = bytes
            broken[Int(generator.below(UInt64(bytes.count)))] = UInt8(truncatingIfNeeded: generator.next())
            _ = try? TraceCodec.decode(broken)
        }
    }
}

extension TraceHeader.Clock {
    fileprivate static let allCases: [TraceHeader.Clock] = [.sim, .leaping, .wall]
}

extension String {
    /// Returns the string with the first occurrence of a substring replaced.
    fileprivate func replacing(_ part: String, with other: String) -> String {
        var rest = Substring(self)
        var before = ""
        while !rest.isEmpty {
            if rest.hasPrefix(part) { return before + other + rest.dropFirst(part.count) }
            before.append(rest.removeFirst())
        }
        return self
    }
}
