import ChatWire
import SquallCore

extension ChatCatalogue {
    /// P.1 to P.3 and P.9: rules by hand, in the order of the protocol's page; P.4 to P.8: generated from its tables.
    static func servers(_ target: ChatTarget) -> [ChatCase] {
        beginnings(target) + sends(target) + replays(target) + generated(target) + unasked(target)
    }

    private static func beginnings(_ target: ChatTarget) -> [ChatCase] {
        let turnedAway: [ChatStep] = [.expect(ChatPattern(.authError)), .expectClose(1008)]
        return [
            ChatCase(
                "P.1.1",
                "Nothing, once the connection is open.",
                "The server speaks first: hello.",
                "rule 1",
                [hello]
            ),
            ChatCase(
                "P.1.2",
                "connect with a key that is right.",
                "connected, with a session.",
                "rule 2",
                login(target) + goesOn
            ),
            ChatCase(
                "P.1.3",
                "connect with a key that is wrong.",
                "auth_error, and a close with 1008.",
                "rule 2",
                [hello, .say(.connect, [.apiKey: .exactly(.string("squall wrong \(target.key)"))])] + turnedAway
            ),
            ChatCase(
                "P.1.4",
                "ping before connect.",
                "A pong with its id: a ping is allowed at any time.",
                "rule 2",
                [hello, .say(.ping, [.id: .exactly("early")]), .expect(ChatPattern(.pong, [.id: .exactly("early")]))]
            ),
            ChatCase(
                "P.1.5",
                "connect with a session that there never was.",
                "connected, not resumed.",
                "rule 2",
                [
                    hello,
                    .say(.connect, [.apiKey: .exactly(.string(target.key)), .sessionID: .exactly("squall never")]),
                    .expect(ChatPattern(.connected, [.resumed: .exactly(false)])),
                ] + goesOn
            ),
            ChatCase(
                "P.1.6",
                "connect with the session of a connection that was cut.",
                "connected, resumed, the same session.",
                "rule 9",
                login(target, keeps: [.sessionID: "session"]) + resume(target) + goesOn
            ),
            ChatCase(
                "P.1.7",
                "connect twice.",
                "The second is answered with the error malformed, and the connection goes on.",
                "rule 4",
                login(target) + [.say(.connect, [.apiKey: .exactly(.string(target.key))]), refused(.malformed)] + goesOn
            ),
        ]
    }

    static func send(_ target: ChatTarget, _ id: String?, _ text: String = "hello from squall") -> ChatStep {
        var fields: [WireField: ChatValue] = [
            .conversationID: .exactly(.string(target.conversation)), .text: .exactly(.string(text)),
        ]
        if let id { fields[.clientMessageID] = .exactly(.string(messageID(target, id))) }
        return .say(.send, fields)
    }

    static func messageID(_ target: ChatTarget, _ name: String) -> String { "squall-\(target.nonce)-\(name)" }

    private static func first(_ target: ChatTarget, _ name: String) -> ChatStep {
        .expect(
            ChatPattern(
                .confirm,
                [.clientMessageID: .exactly(.string(messageID(target, name))), .duplicate: .exactly(false)],
                keeps: [.messageID: "id", .sequence: "seq", .timestamp: "time"]
            )
        )
    }

    private static func again(_ target: ChatTarget, _ name: String) -> ChatStep {
        .expect(
            ChatPattern(
                .confirm,
                [
                    .clientMessageID: .exactly(.string(messageID(target, name))), .duplicate: .exactly(true),
                    .messageID: .kept("id"), .sequence: .kept("seq"), .timestamp: .kept("time"),
                ]
            )
        )
    }

    private static func sends(_ target: ChatTarget) -> [ChatCase] {
        let huge = String(repeating: "squall ", count: 1_000_000)
        return [
            ChatCase(
                "P.2.1",
                "send.",
                "confirm with its id, not a duplicate.",
                "rule 6",
                login(target) + [send(target, "P.2.1"), first(target, "P.2.1")] + goesOn
            ),
            ChatCase(
                "P.2.2",
                "The same send twice.",
                "Both are confirmed, the second as a duplicate with the first's id, place and time.",
                "rule 5",
                login(target) + [
                    send(target, "P.2.2"), first(target, "P.2.2"), send(target, "P.2.2"), again(target, "P.2.2"),
                ]
                    + goesOn
            ),
            ChatCase(
                "P.2.3",
                "The same send again over another connection of the session.",
                "It is confirmed as a duplicate with the first's id, place and time.",
                "rule 5",
                login(target, keeps: [.sessionID: "session"]) + [send(target, "P.2.3"), first(target, "P.2.3")]
                    + resume(target) + [send(target, "P.2.3"), again(target, "P.2.3")] + goesOn
            ),
            ChatCase(
                "P.2.4",
                "Two sends without an id.",
                "Two messages: each its own id, the second with a higher seq.",
                "rule 5",
                login(target) + [
                    send(target, nil), .expect(ChatPattern(.confirm, keeps: [.messageID: "id", .sequence: "seq"])),
                    send(target, nil),
                    .expect(
                        ChatPattern(
                            .confirm,
                            [.messageID: .other("id"), .sequence: .above("seq"), .duplicate: .exactly(false)]
                        )
                    ),
                ] + goesOn
            ),
            ChatCase(
                "P.2.5",
                "An id of one message with the text of another.",
                "The error malformed, with the id; the first message stays as it was.",
                "rule 5",
                login(target) + [
                    send(target, "P.2.5"), .expect(ChatPattern(.confirm)),
                    send(target, "P.2.5", "something else"),
                    .expect(
                        ChatPattern(
                            .error,
                            [
                                .code: .exactly("malformed"),
                                .clientMessageID: .exactly(.string(messageID(target, "P.2.5"))),
                            ]
                        )
                    ),
                ] + goesOn
            ),
            ChatCase(
                "P.2.6",
                "send to a conversation that there is none of.",
                "The error unknown_conversation or not_member, with the id; a server may also make one.",
                "error codes",
                isInformational: true,
                login(target) + [
                    .say(
                        .send,
                        [
                            .conversationID: .exactly(.string(target.nowhere)), .text: .exactly("anybody?"),
                            .clientMessageID: .exactly(.string(messageID(target, "P.2.6"))),
                        ]
                    ),
                    .expectAny(
                        [
                            ChatPattern(.error, [.clientMessageID: .exactly(.string(messageID(target, "P.2.6")))]),
                            ChatPattern(.confirm),
                        ],
                        orClose: 1008
                    ),
                ]
            ),
            ChatCase(
                "P.2.7",
                "send of seven megabytes.",
                "The error too_large, or a close with 1009; a server without such a limit confirms it.",
                "close codes",
                login(target) + [
                    send(target, "P.2.7", huge),
                    .expectAny(
                        [ChatPattern(.error, [.code: .exactly("too_large")]), ChatPattern(.confirm)],
                        orClose: 1009
                    ),
                ]
            ),
        ]
    }
}
