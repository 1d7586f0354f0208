import ChatWire
import SquallCore
import Testing

/// Checks the decoders against the field tables.
@Suite struct FrameDecodingTests {
    @Test(
        "The decoder of client frames requires and validates fields as the table of fields specifies",
        arguments: Spelling.allCases
    )
    func clientFramesHoldToTheirTables(_ spelling: Spelling) throws {
        let wire = spelling.wire
        let shapes = FrameShape.all.filter { $0.origin == .client }
        try #require(shapes.map(\.role) == FrameRole.fromClient)
        for (shape, frame) in zip(shapes, Samples.clientFrames) {
            try hold(shape.fields, frame.encode(wire), wire, wire[type: shape.role]) {
                ClientFrame.decode($0.encode(), wire)
            }
        }
    }

    @Test(
        "The decoder of server frames requires and validates fields as the table of fields specifies",
        arguments: Spelling.allCases
    )
    func serverFramesHoldToTheirTables(_ spelling: Spelling) throws {
        let wire = spelling.wire
        let shapes = FrameShape.all.filter { $0.origin == .server }
        try #require(shapes.map(\.role) == FrameRole.fromServer)
        for (shape, frame) in zip(shapes, Samples.serverFrames) {
            try hold(shape.fields, frame.encode(wire), wire, wire[type: shape.role]) {
                ServerFrame.decode($0.encode(), wire)
            }
        }
    }

    @Test(
        "The decoders of objects require and validate fields as the table of fields specifies",
        arguments: Spelling.allCases
    )
    func objectsHoldToTheirTables(_ spelling: Spelling) throws {
        let wire = spelling.wire
        func check<Object: WireObject>(_ object: Object) throws {
            try hold(Object.shape.fields, object.encode(wire), wire, nil) { json -> Decoded<Object> in
                do throws(Malformed) {
                    return .frame(try Object.decode(json.encode(), wire))
                } catch {
                    return .malformed(error.reason)
                }
            }
        }
        for object in Samples.objects { try check(object) }
    }

    /// Checks how each field decodes if it is missing, null, of another type or out of range.
    private func hold<Frame>(
        _ fields: [FieldShape],
        _ bytes: [UInt8],
        _ wire: WireProfile,
        _ type: String?,
        _ decode: (JSON) -> Decoded<Frame>
    ) throws {
        let json = try JSON.decode(bytes)
        let prefix = type.map { "\($0): " } ?? ""
        let names = (type == nil ? [] : [wire[.type]]) + fields.map { wire[$0.field] }
        #expect(json.members?.map(\.name) == names)
        let whole = decode(json)
        for field in fields {
            let name = wire[field.field]
            var without = json
            without.remove(name)
            var void = json
            void.set(name, to: .null)
            #expect(decode(void) == decode(without))
            if field.required {
                #expect(decode(without) == .malformed("\(prefix)\(name) is missing"))
            } else {
                #expect(decode(without).isFrame)
                #expect(decode(without) != whole)
            }
            for (kind, value) in unfitValues(for: field.kind, wire.timestampForm) {
                var wrong = json
                wrong.set(name, to: value)
                let decoded = decode(wrong)
                guard !field.isExtra else {
                    #expect(decoded == decode(without), "\(name) as \(kind): \(decoded)")
                    continue
                }
                #expect(decoded.reason?.hasPrefix("\(prefix)\(name)") == true, "\(name) as \(kind): \(decoded)")
            }
        }
        var crowded = json
        crowded.set("extra", to: [1, 2, ["type": "nothing"]])
        #expect(decode(crowded) == whole)
        #expect(decode(.object(json.members?.reversed() ?? [])) == whole)
    }

    /// Returns values that do not fit this kind: values of every other type, and out-of-range values of its own.
    private func unfitValues(for kind: FieldKind, _ form: TimestampForm) -> [(kind: String, value: JSON)] {
        var values: [(kind: String, value: JSON)] = [
            ("flag", true), ("text", "no such word"), ("integer", 1), ("negative", -1), ("fraction", JSON.half),
            ("large", JSON.large), ("list", [1]), ("object", ["a": 1]),
        ]
        let own: [String] =
            switch kind {
            case .text: ["text"]
            case .count, .milliseconds: ["integer"]
            case .flag: ["flag"]
            case .timestamp: form == .iso8601 ? [] : ["integer", "negative"]
            case .word, .object, .list: []
            }
        values.removeAll { own.contains($0.kind) }
        return values
    }

    @Test("A frame of an unknown type is reported with that type") func unknownTypesAreNamed() {
        let wire = WireProfile()
        #expect(ServerFrame.decode(#"{"type":"recipe_started","recipe":1}"#, wire) == .unknownType("recipe_started"))
        #expect(ServerFrame.decode(#"{"type":""}"#, wire) == .unknownType(""))
        #expect(ServerFrame.decode(#"{"type":"Hello","version":"1","auth_version":1}"#, wire) == .unknownType("Hello"))
    }

    @Test("A frame that only the opposite side may send is reported as an unknown type")
    func aFrameOfTheOtherSideIsUnknown() {
        let wire = WireProfile()
        for frame in Samples.serverFrames where !FrameRole.fromClient.contains(frame.role) {
            #expect(ClientFrame.decode(frame.encode(wire), wire) == .unknownType(wire[type: frame.role]))
        }
        for frame in Samples.clientFrames where !FrameRole.fromServer.contains(frame.role) {
            #expect(ServerFrame.decode(frame.encode(wire), wire) == .unknownType(wire[type: frame.role]))
        }
    }

    @Test(
        "A JSON text without a type field is reported as untyped",
        arguments: [
            (#"{"text":"hi"}"#, "type is missing"),
            (#"{"type":null}"#, "type is missing"),
            (#"{"type":7}"#, "type is an integer, not a text"),
            (#"{"type":["send"]}"#, "type is a list, not a text"),
        ]
    )
    func textWithoutAType(_ text: String, _ reason: String) {
        #expect(ClientFrame.decode(text, WireProfile()) == .untyped(reason))
        #expect(ServerFrame.decode(text, WireProfile()) == .untyped(reason))
    }

    @Test(
        "A malformed frame of the client is refused with the reason",
        arguments: [
            (#"[]"#, "the text is a list, not an object"),
            (#""send""#, "the text is a text, not an object"),
            (#"null"#, "the text is null, not an object"),
            (#"{"type":"send","conversation_id":"a","text":"#, "unexpected end of text at byte 44"),
            (#"{"type":"ping"}}"#, "unexpected '}' after the value at byte 15"),
            (#"{"type":"sync","last_seq_seen":9223372036854775808}"#, "sync: last_seq_seen is a number, not a count"),
            (#"{"type":"sync","last_seq_seen":-1}"#, "sync: last_seq_seen is below zero"),
            (#"{"type":"sync","last_seq_seen":1.0}"#, "sync: last_seq_seen is a number, not a count"),
            (#"{"type":"typing","conversation_id":"a","active":"true"}"#, "typing: active is a text, not a flag"),
        ]
    )
    func malformedClientText(_ text: String, _ reason: String) {
        #expect(ClientFrame.decode(text, WireProfile()) == .malformed(reason))
    }

    @Test(
        "A malformed frame of the server is refused with the reason",
        arguments: [
            (
                #"{"type":"presence","user_id":"a","status":"away"}"#,
                "presence: status is an unknown word"
            ),
            (
                #"{"type":"presence","user_id":"a","status":"idle","last_seen":"yesterday"}"#,
                "presence: last_seen is not a moment in ISO-8601 form"
            ),
            (
                #"{"type":"presence","user_id":"a","status":"idle","last_seen":5}"#,
                "presence: last_seen is an integer, not a moment in text"
            ),
            (
                #"{"type":"replay","messages":[7],"complete":true,"last_seq":1}"#,
                "replay: messages[0] is an integer, not an object"
            ),
            (
                #"{"type":"replay","messages":{},"complete":true,"last_seq":1}"#,
                "replay: messages is an object, not a list"
            ),
            (
                #"{"type":"replay","messages":[{"message_id":"m-1","conversation_id":"a","sender_id":"b"}]}"#,
                "replay: messages[0].seq is missing"
            ),
        ]
    )
    func malformedServerText(_ text: String, _ reason: String) {
        #expect(ServerFrame.decode(text, WireProfile()) == .malformed(reason))
    }

    @Test("The reason for a malformed replay names the index of the malformed message")
    func theSecondOfTwoMessagesIsBlamed() {
        let wire = WireProfile()
        let good = String(decoding: Samples.message.encode(wire), as: UTF8.self)
        let text = #"{"type":"replay","messages":[\#(good),{"message_id":1}],"complete":true,"last_seq":1}"#
        #expect(
            ServerFrame.decode(text, wire) == .malformed("replay: messages[1].message_id is an integer, not a text")
        )
        #expect(throws: Malformed("messages[0].message_id is missing")) {
            try MessagePage.decode(Array(#"{"messages":[{}],"has_more":false}"#.utf8), wire)
        }
        #expect(throws: Malformed("last_message.message_id is missing")) {
            let body = #"{"conversation_id":"a","name":"A","unread":0,"last_message":{}}"#
            return try ConversationSummary.decode(Array(body.utf8), wire)
        }
    }

    @Test("A timestamp in milliseconds after the year 9999 is refused") func millisecondsBeyondTheCalendarAreRefused() {
        let wire = Spelling.mobile.wire
        let text = #"{"type":"presence","user_id":"a","status":"idle","last_seen":253402300800000}"#
        #expect(
            ServerFrame.decode(text, wire) == .malformed("presence: last_seen is not a time in the years 0 to 9999")
        )
    }
}

extension Decoded {
    fileprivate var isFrame: Bool {
        if case .frame = self { true } else { false }
    }

    fileprivate var reason: String? {
        if case .malformed(let reason) = self { reason } else { nil }
    }
}

extension JSON {
    fileprivate static let half = JSONNumber("0.5").map(JSON.number) ?? .null
    fileprivate static let large = JSONNumber("9223372036854775808").map(JSON.number) ?? .null
}
