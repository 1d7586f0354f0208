import ChatWire
import SquallCore
import WebSocketWire

extension ChatCatalogue {
    /// Returns test cases Q.1 and following: the requirements for clients, and the server behaviour that clients must
    /// tolerate.
    static func clients(_ target: ChatTarget) -> [ChatCase] {
        let shapes = FrameShape.all.filter { $0.origin == .server }
        return basics(target) + toleratedFrames(shapes, target) + reconnectCases(target) + userMessages(target)
    }

    static func greeting(_ target: ChatTarget, version: Int64? = nil) -> ChatStep {
        .say(
            .hello,
            [
                .version: .exactly(.string(target.wire.version)),
                .authVersion: .exactly(.integer(version ?? target.wire.authVersion)),
            ]
        )
    }

    /// Returns the login steps from `hello` to `connected`.
    ///
    /// `session` is the session that the client must ask to resume; nil to accept any. `last` is the sequence number
    /// that the server reports as the latest.
    static func acceptLogin(_ target: ChatTarget, session: ChatValue? = nil, through last: Int64 = 0) -> [ChatStep] {
        var asked: [WireField: ChatValue] = [:]
        asked[.sessionID] = session
        return [
            greeting(target), .expect(ChatPattern(.connect, asked)), connected(resumed: session != nil, through: last),
        ]
    }

    static func connected(resumed: Bool = false, through last: Int64 = 0) -> ChatStep {
        .say(
            .connected,
            [
                .sessionID: .exactly("squall-session"), .resumed: .exactly(.bool(resumed)),
                .lastSequence: .exactly(.integer(last)),
            ]
        )
    }

    private static func fields(_ target: ChatTarget, _ number: Int64) -> [WireField: JSON] {
        [
            .messageID: .string("squall-m-\(number)"), .conversationID: .string(target.conversation),
            .senderID: .string(target.conversation), .sequence: .integer(number), .timestamp: moment(target),
            .text: .string("message \(number)"),
        ]
    }

    static func moment(_ target: ChatTarget) -> JSON {
        target.wire.timestampForm == .iso8601 ? "2026-03-01T12:30:45.250Z" : 1_772_368_245_250
    }

    static func message(_ target: ChatTarget, _ number: Int64) -> ChatStep {
        .say(.message, fields(target, number).mapValues { .exactly($0) })
    }

    /// Returns a step that sends a replay of the messages with these sequence numbers, which must be in ascending
    /// order.
    static func replay(_ target: ChatTarget, _ numbers: [Int64]) -> ChatStep {
        let messages = numbers.map { number -> JSON in
            let fields = fields(target, number)
            return .object(
                WireField.allCases.compactMap { field in fields[field].map { JSONMember(target.wire[field], $0) } }
            )
        }
        return .say(
            .replay,
            [
                .messages: .exactly(.array(messages)), .complete: .exactly(true),
                .lastSequence: .exactly(.integer(numbers.last ?? 0)),
            ]
        )
    }

    static func acknowledged(_ number: Int64) -> ChatStep {
        .expect(ChatPattern(.messageAck, [.messageID: .exactly(.string("squall-m-\(number)"))]))
    }

    /// The steps that close the connection with code 1012, as a restarting server does, so that the client reconnects.
    static let serverRestart: [ChatStep] = [.close(1012), .expectClose(1012)]

    private static func basics(_ target: ChatTarget) -> [ChatCase] {
        func client(_ id: String, _ title: String, _ allowed: String, _ rule: String, _ steps: [ChatStep]) -> ChatCase {
            ChatCase(id, title, allowed, rule, testedRole: .client, steps + serverRestart)
        }
        return [
            client(
                "Q.1.1",
                "Half a second of silence, then hello.",
                "The client waits, then sends connect with a key.",
                "rule 1",
                [
                    .silence(.milliseconds(500), except: []), greeting(target),
                    .expect(ChatPattern(.connect, saves: [.apiKey: "key"])),
                ]
            ),
            client(
                "Q.1.2",
                "hello, and half a second before connected.",
                "Before connected, the client sends only connect and ping.",
                "rule 2",
                [greeting(target), .expect(ChatPattern(.connect)), .silence(.milliseconds(500), except: [.ping])]
            ),
            client(
                "Q.1.3",
                "hello with a login version that no client knows.",
                "The client warns its user and logs in anyway.",
                "rule 3",
                [greeting(target, version: 1_000_000), .expect(ChatPattern(.connect))]
            ),
            client(
                "Q.2.1",
                "A message.",
                "The client sends message_ack with its id.",
                "rule 9",
                acceptLogin(target) + [message(target, 1), acknowledged(1)]
            ),
            client(
                "Q.2.2",
                "The same message twice.",
                "The client acknowledges each and shows the message once.",
                "rule 10",
                acceptLogin(target) + [message(target, 2), acknowledged(2), message(target, 2), acknowledged(2)]
            ),
            client(
                "Q.2.3",
                "An unsolicited replay of three messages.",
                "The client acknowledges each: a server may replay them until then.",
                "rule 9",
                acceptLogin(target, through: 5) + [replay(target, [3, 4, 5])] + [3, 4, 5].map { acknowledged($0) }
            ),
            client(
                "Q.2.4",
                "A message, and a replay with it and another one.",
                "The client acknowledges the message both times and the other one once.",
                "rules 9 and 10",
                acceptLogin(target) + [message(target, 6), acknowledged(6), replay(target, [6, 7])]
                    + [acknowledged(6), acknowledged(7)]
            ),
            client(
                "Q.2.5",
                "An unsolicited empty replay, then a message.",
                "The client acknowledges the message.",
                "rule 9",
                acceptLogin(target) + [replay(target, []), message(target, 8), acknowledged(8)]
            ),
        ]
    }

    /// Returns test cases Q.3 to Q.5. In each of them, a client must ignore a frame with one of the given shapes, or a
    /// malformed frame, and then acknowledge a message.
    private static func toleratedFrames(_ shapes: [FrameShape], _ target: ChatTarget) -> [ChatCase] {
        let type = target.wire[.type]
        var rows: [(id: String, title: String, text: String)] = [
            ("Q.3.1", "A frame of unknown type.", #"{"\#(type)":"squall_unknown","a":[1]}"#),
            ("Q.3.2", "Text that is not JSON.", "squall"), ("Q.3.3", "An array.", "[]"),
            ("Q.3.4", "An empty text.", ""),
            ("Q.3.5", "An object without a type.", "{}"),
        ]
        // Frames that begin or end a connection are excluded because a client may react to malformed ones, too.
        let plain = shapes.filter { ![.hello, .connected, .authError, .draining, .error, .replay].contains($0.role) }
        for (place, shape) in plain.enumerated() {
            for (index, field) in shape.fields.enumerated() where field.required {
                var values = sample(shape, target)
                values[field.field] = nil
                let title = "\(shape.role.rawValue) without \(target.wire[field.field])."
                rows.append(("Q.4.\(place + 1).\(index + 1)", title, text(shape, values, target.wire, extra: false)))
            }
            let known = text(shape, sample(shape, target), target.wire, extra: true)
            if shape.role != .message {
                rows.append(("Q.5.\(place + 1)", "\(shape.role.rawValue) with an unknown field.", known))
            }
        }
        return rows.enumerated().map { place, row in
            let number = Int64(100 + place)
            return ChatCase(
                row.id,
                "\(row.title.dropLast()), then a message.",
                "The client acknowledges the message: an unknown or incomplete frame is not a reason to fail.",
                "rule 4",
                testedRole: .client,
                acceptLogin(target) + [.sayText(row.text), message(target, number), acknowledged(number)]
                    + serverRestart
            )
        }
    }
}
