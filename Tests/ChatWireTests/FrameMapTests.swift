import ChatWire
import SquallCore
import Testing

/// Tests frame templates: overlaps between templates, encoding and decoding, and size limits.
@Suite struct FrameMapTests {
    /// Returns a small protocol. The templates in `client` and `server` override those of individual roles.
    private static func map(
        client: [String: JSON] = [:],
        server: [String: JSON] = [:]
    ) -> Result<FrameMap, TemplateMistakeList> {
        var ours: JSON = [
            "connect": ["frame": ["do": "login", "key": "{api_key}"]],
            "send": ["frame": ["do": "say", "n": "{$ref}", "to": "{conversation_id}", "text": "{text}"]],
        ]
        var theirs: JSON = [
            "connected": ["frame": ["on": "in", "s": "{session_id}", "r": "{resumed}", "l": "{last_seq}"]],
            "confirm": [
                "answers": "send",
                "frame": ["on": "ack", "n": "{$ref}", "id": "{message_id}", "seq": "{seq}", "at": "{timestamp}"],
                "assume": ["duplicate": false],
            ],
            "message": [
                "frame": [
                    "on": "said", "id": "{message_id}", "to": "{conversation_id}", "by": "{sender_id}", "seq": "{seq}",
                    "at": "{timestamp}", "text": "{text}",
                ]
            ],
        ]
        for role in FrameRole.fromClient where ours[role.rawValue] == nil { ours.set(role.rawValue, to: "none") }
        for role in FrameRole.fromServer where theirs[role.rawValue] == nil { theirs.set(role.rawValue, to: "none") }
        for (name, value) in client { ours.set(name, to: value) }
        for (name, value) in server { theirs.set(name, to: value) }
        return FrameMap.read(["client": ours, "server": theirs])
    }

    private static func complaints(client: [String: JSON] = [:], server: [String: JSON] = [:]) -> [String] {
        switch map(client: client, server: server) {
        case .success: []
        case .failure(let list): list.mistakes.map(\.message)
        }
    }

    private static func ambiguous(_ first: String, _ second: String) -> [String] {
        ["'\(first)' and '\(second)' of the server accept the same message"]
    }

    @Test("The sample protocol is valid") func theSmallProtocolIsGood() {
        #expect(Self.complaints() == [])
    }

    /// `overlaps` states whether some message matches both templates.
    @Test(
        "Two templates that accept the same message are an error",
        arguments: [
            // literals
            (#"{"on":"a"}"#, #"{"on":"b"}"#, false),
            (#"{"on":"a"}"#, #"{"on":"a","more":1}"#, true),
            (#"{"on":1}"#, #"{"on":"1"}"#, false),
            (#"{"on":null}"#, #"{"on":"a"}"#, false),
            // lists
            (#"["a"]"#, #"["a",1]"#, false),
            (#"["a",null]"#, #"["a",1]"#, false),
            (#"[["a"]]"#, #"[["b"]]"#, false),
            (#"["a"]"#, #"{"on":"a"}"#, false),
            // placeholders against strings, numbers and null
            (#"{"on":"{id?}"}"#, #"{"on":"a"}"#, true),
            (#"{"on":"{id?}"}"#, #"{"on":1}"#, false),
            (#"{"on":"{id?}"}"#, #"{"on":null}"#, true),
            (#"{"on":"{id? as number}"}"#, #"{"on":1}"#, true),
            // strings with placeholders
            (#"["room:{id}"]"#, #"["room:x"]"#, true),
            (#"["room:{id}"]"#, #"["link"]"#, false),
            (#"["room:{id}"]"#, #"["room"]"#, false),
            (#"["{id}:room"]"#, #"["x:link"]"#, false),
            (#"["a{id}"]"#, #"["{{a"]"#, false),
        ]
    )
    func overlapsAreFound(_ ping: String, _ pong: String, _ overlaps: Bool) throws {
        let told = Self.complaints(server: [
            "ping": ["frame": try JSON.decode(ping)], "pong": ["frame": try JSON.decode(pong)],
        ])
        let others = told.filter { !$0.contains("'ping' and 'pong'") }
        // If one of the two templates contains no literal, it also overlaps with the protocol's other templates.
        #expect(others.allSatisfy { $0.contains("accept the same message") })
        #expect(told.contains { $0.contains("'ping' and 'pong'") } == overlaps, "\(told)")
    }

    @Test(
        "Two text templates that accept the same text are an error",
        arguments: [
            ("2", "3", false), ("2", "2", true), ("42", "4{$number}", true), ("42", "5{$number}", false),
            ("4{$number}", "4{$number}a", false), ("4{$number}", "41{$number}", true),
            ("a{$number}b", "a12b", true), ("a{$number}b", "ab", false),
        ]
    )
    func overlapsOfTextsAreFound(_ ping: String, _ pong: String, _ overlaps: Bool) {
        let told = Self.complaints(server: ["ping": ["text": .string(ping)], "pong": ["text": .string(pong)]])
        #expect(told == (overlaps ? Self.ambiguous("ping", "pong") : []))
    }

    @Test("A template with text alone does not overlap a template with the same text followed by JSON")
    func textsWithAndWithoutJSON() {
        let told = Self.complaints(server: [
            "ping": ["text": "4"], "pong": ["text": "4", "frame": ["x"]],
            "auth_error": ["text": "4", "frame": ["y", "{message}"]],
        ])
        #expect(told == [])
    }

    @Test("Templates that answer different frames overlap only if the reference may be null")
    func answersToDifferentFramesDiffer() {
        let ping: JSON = ["frame": ["do": "beat", "n": "{$ref}"]]
        let pong: JSON = ["answers": "ping", "frame": ["on": "ack", "n": "{$ref}"]]
        #expect(Self.complaints(client: ["ping": ping], server: ["pong": pong]) == [])
        // If the reference may be null, it cannot distinguish the answers to the two requests.
        let vague: JSON = ["answers": "ping", "frame": ["on": "ack", "n": "{$ref?}"]]
        #expect(
            Self.complaints(client: ["ping": ping], server: ["pong": vague]) == Self.ambiguous("pong", "confirm")
        )
    }

    @Test("A template is limited in nesting depth, number of values and text length") func templatesAreBounded() {
        var deep: JSON = "x"
        for _ in 0..<20 { deep = ["a": deep] }
        #expect(
            Self.complaints(server: ["pong": ["frame": deep]]) == [
                "a frame can have at most 256 values, nested at most 12 deep"
            ]
        )
        let wide = JSON.array((0..<300).map { .integer($0) })
        #expect(Self.complaints(server: ["pong": ["frame": wide]]).count == 1)
        let long = String(repeating: "x", count: 300)
        #expect(
            Self.complaints(server: ["pong": ["text": .string(long)]]) == [
                "a text in a template can have at most 256 bytes"
            ]
        )
    }

    @Test(
        "A timestamp in any supported form survives encoding and decoding",
        arguments: [0, 1, 999, 1_000, 1_500, 1_772_368_245_250, 253_402_300_799_999] as [Int64]
    )
    func formsOfTimeLoseNothing(_ moment: Int64) throws {
        for form in ["", " as seconds", " as milliseconds", " as iso8601"] {
            let presence: JSON = [
                "frame": ["on": "p", "u": "{user_id}", "s": "{status}", "at": .string("{last_seen?\(form)}")]
            ]
            var wire = WireProfile()
            wire.frames = try Self.map(server: ["presence": presence]).get()
            var dialogue = WireDialogue()
            let frame = ServerFrame.presence(user: "a", status: .idle, lastSeen: moment)
            let bytes = try #require(frame.encode(wire, in: &dialogue))
            #expect(ServerFrame.decode(String(decoding: bytes, as: UTF8.self), wire, in: &dialogue) == .frame(frame))
        }
    }

    @Test(
        "An ID written as a number survives encoding and decoding",
        arguments: ["", "0", "7", "007", "-1", "99999999999999999999", "m-1", "1e3"]
    )
    func idsAsNumbersLoseNothing(_ id: String) throws {
        let presence: JSON = ["frame": ["on": "p", "u": "{user_id as number}", "s": "{status}"]]
        var wire = WireProfile()
        wire.frames = try Self.map(server: ["presence": presence]).get()
        var dialogue = WireDialogue()
        let frame = ServerFrame.presence(user: id, status: .idle, lastSeen: nil)
        let bytes = try #require(frame.encode(wire, in: &dialogue))
        #expect(ServerFrame.decode(String(decoding: bytes, as: UTF8.self), wire, in: &dialogue) == .frame(frame))
    }

    @Test("An answer repeats the request's reference byte for byte")
    func foreignReferencesAreRepeated() throws {
        let send: JSON = ["frame": ["do": "say", "n": "{$ref as text}", "to": "{conversation_id}", "text": "{text}"]]
        let confirm: JSON = [
            "answers": "send",
            "frame": [
                "on": "ack", "n": "{$ref as text}", "id": "{message_id}", "seq": "{seq}",
                "to": "{conversation_id of send}",
            ],
            "assume": ["duplicate": false, "timestamp": 0],
        ]
        var wire = WireProfile()
        wire.frames = try Self.map(client: ["send": send], server: ["confirm": confirm]).get()
        var server = WireDialogue()
        for reference in ["4f0a-9d43", "17", "017"] {
            let text = #"{"do":"say","n":"\#(reference)","to":"x","text":"","unknown":[]}"#
            guard case .frame(.send(let request)) = ClientFrame.decode(text, wire, in: &server) else {
                Issue.record("\(text) is not read")
                continue
            }
            #expect(request.clientMessageID == nil)
            let confirmation = ServerFrame.Confirmation(
                clientMessageID: "",
                messageID: "m-1",
                sequence: 1,
                timestamp: 0,
                duplicate: false
            )
            let answer = ServerFrame.confirm(confirmation).encode(wire, answering: server.lastReference, in: &server)
            #expect(
                String(decoding: try #require(answer), as: UTF8.self)
                    == #"{"on":"ack","n":"\#(reference)","id":"m-1","seq":1,"to":"x"}"#
            )
        }
        // Without a request, the confirmation has no reference to repeat.
        let unsolicited = ServerFrame.confirm(
            .init(clientMessageID: "", messageID: "m-1", sequence: 1, timestamp: 0, duplicate: false)
        )
        #expect(unsolicited.encode(wire, in: &server) == nil)
    }

    @Test("A profile without templates supports every role and uses the default encoding")
    func aProfileWithoutFramesHasEveryRole() {
        let wire = WireProfile()
        #expect(FrameRole.fromClient.allSatisfy { wire.has($0, by: .client) })
        #expect(FrameRole.fromServer.allSatisfy { wire.has($0, by: .server) })
        var dialogue = WireDialogue()
        for frame in Samples.clientFrames {
            #expect(frame.encode(wire, in: &dialogue) == frame.encode(wire))
        }
        for frame in Samples.serverFrames {
            #expect(frame.encode(wire, in: &dialogue) == frame.encode(wire))
        }
    }
}
