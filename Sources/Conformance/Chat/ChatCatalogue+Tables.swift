import ChatWire
import SquallCore

extension ChatCatalogue {
    /// Returns test cases P.4 to P.8, which vary each client frame and field and are generated from the protocol's
    /// tables.
    static func generated(_ target: ChatTarget) -> [ChatCase] {
        let shapes = FrameShape.all.filter { $0.origin == .client }
        return beforeLogin(shapes, target) + invalidFrames(target) + shapes.flatMap { fields($0, target) }
            + unknownFields(shapes, target)
    }

    /// Returns the P.4 cases, which test that every message except `connect`, `ping` and `pong` is rejected before
    /// `connected`.
    private static func beforeLogin(_ shapes: [FrameShape], _ target: ChatTarget) -> [ChatCase] {
        let frames = shapes.filter { ![.connect, .ping, .pong].contains($0.role) }.map { shape in
            (shape.role.rawValue, ChatStep.say(shape.role, sample(shape, target)))
        }
        let others = [
            ("A frame of an unknown type", ChatStep.sayText(#"{"\#(target.wire[.type])":"squall_unknown"}"#)),
            ("A message that is not JSON", ChatStep.sayText("squall")),
        ]
        return (frames + others).enumerated().map { place, message in
            ChatCase(
                "P.4.\(place + 1)",
                "\(message.0) before connected.",
                "Rejected like a wrong key, with auth_error and a close with 1008.",
                "rule 2",
                [hello, message.1, .expect(ChatPattern(.authError)), .expectClose(1008)]
            )
        }
    }

    /// Returns the P.5 cases (messages that are not valid client frames).
    private static func invalidFrames(_ target: ChatTarget) -> [ChatCase] {
        let type = target.wire[.type]
        func refusal(of unknown: String) -> [ChatStep] {
            let fields: [WireField: ChatValue] = [
                .code: .exactly(.string(ErrorCode.unknownType.word)),
                .message: .exactly(.string("Unknown message type: \(unknown)")),
            ]
            return [.sayText(#"{"\#(type)":"\#(unknown)"}"#), .expect(ChatPattern(.error, fields))]
        }
        let unknown = [
            ("Two frames of different unknown types.", ["squall_unknown", "squall unknown 2"]),
            ("A frame that only a server sends.", [target.wire[type: .hello]]),
        ].enumerated().map { place, row in
            ChatCase(
                "P.5.\(place + 1)",
                row.0,
                "The error unknown_type, whose message names the type, and the connection stays open.",
                "rule 4",
                login(target) + row.1.flatMap(refusal) + stillOpen
            )
        }
        let texts = [
            ("Text that is not JSON.", "squall"), ("An array.", "[]"), ("A number.", "1"),
            ("An object without a type.", "{}"), ("A type that is not a string.", #"{"\#(type)":1}"#),
            ("An empty text.", ""), ("Truncated JSON.", #"{"\#(type)":"ping""#),
        ]
        let malformed = texts.enumerated().map { place, row in
            ChatCase(
                "P.5.\(place + 3)",
                row.0,
                "The error malformed, and the connection stays open.",
                "rule 4",
                login(target) + [.sayText(row.1), refused(.malformed)] + stillOpen
            )
        }
        return unknown + malformed
    }

    /// Returns the P.6 and P.7 cases. In P.6, a required field is missing; in P.7, a field has a value of the wrong
    /// type.
    private static func fields(_ shape: FrameShape, _ target: ChatTarget) -> [ChatCase] {
        guard shape.role != .connect, let place = FrameRole.fromClient.firstIndex(of: shape.role) else { return [] }
        func refusal(_ id: String, _ title: String, _ values: [WireField: ChatValue]) -> ChatCase {
            ChatCase(
                id,
                title,
                "The error malformed, and the connection stays open.",
                "rule 4",
                login(target) + [.sayText(text(shape, values, target.wire, extra: false)), refused(.malformed)]
                    + stillOpen
            )
        }
        let right = sample(shape, target)
        return shape.testedFields.enumerated().flatMap { index, field -> [ChatCase] in
            let name = target.wire[field.field]
            var (without, wrongly) = (right, right)
            without[field.field] = nil
            wrongly[field.field] = .exactly(wrong(field.kind))
            let bad = refusal(
                "P.7.\(place + 1).\(index + 1)",
                "\(shape.role.rawValue) with \(name) of the wrong kind.",
                wrongly
            )
            guard field.required else { return [bad] }
            return [refusal("P.6.\(place + 1).\(index + 1)", "\(shape.role.rawValue) without \(name).", without), bad]
        }
    }

    /// Returns the P.8 cases, which test that an unknown field has no effect.
    private static func unknownFields(_ shapes: [FrameShape], _ target: ChatTarget) -> [ChatCase] {
        shapes.filter { $0.role != .connect }.enumerated().map { place, shape in
            var values = sample(shape, target)
            if shape.role == .send { values[.clientMessageID] = .exactly(.string(messageID(target, "extra"))) }
            let answer: [ChatStep] =
                switch shape.role {
                case .ping: [.expect(ChatPattern(.pong))]
                case .send:
                    [.expect(ChatPattern(.confirm, [.clientMessageID: .exactly(.string(messageID(target, "extra")))]))]
                case .sync: [.expectReplay(including: [], excluding: [])]
                default: []
                }
            return ChatCase(
                "P.8.\(place + 1)",
                "\(shape.role.rawValue) with a field that the protocol does not define.",
                "The field is ignored.",
                "rule 4",
                login(target) + [.sayText(text(shape, values, target.wire, extra: true))] + answer + stillOpen
            )
        }
    }
}
