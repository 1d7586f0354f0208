import ChatWire
import SquallCore

extension ChatCatalogue {
    /// Returns test cases P.1 to P.12. P.4 to P.8 are generated from the protocol's tables. The other cases are
    /// hand-written and follow the order of the protocol's documentation page.
    static func servers(_ target: ChatTarget) -> [ChatCase] {
        beginnings(target) + sends(target) + replays(target) + generated(target) + unsolicited(target) + stops(target)
            + locks(target) + freshness(target)
    }

    private static func beginnings(_ target: ChatTarget) -> [ChatCase] {
        let loginRefused: [ChatStep] = [.expect(ChatPattern(.authError)), .expectClose(1008)]
        return [
            ChatCase(
                "P.1.1",
                "Silence after the connection opens.",
                "The server sends the first frame, hello.",
                "rule 1",
                [hello]
            ),
            ChatCase(
                "P.1.2",
                "connect with the correct key.",
                "The server answers connected with a session.",
                "rule 2",
                login(target) + stillOpen
            ),
            ChatCase(
                "P.1.3",
                "connect with a wrong key.",
                "The server sends auth_error and closes with 1008.",
                "rule 2",
                [hello, .say(.connect, [.apiKey: .exactly(.string("squall wrong \(target.key)"))])] + loginRefused
            ),
            ChatCase(
                "P.1.4",
                "Two pings before connect, one of them without an id.",
                "The server answers each within 2 s, with a pong of the same id, and then accepts the key.",
                "rule 2",
                [
                    hello,
                    .say(.ping, [.id: .exactly("early")]),
                    .expect(ChatPattern(.pong, [.id: .exactly("early")], within: .seconds(2))),
                    .say(.ping, [:]), .expect(ChatPattern(.pong, within: .seconds(2))),
                    .say(.connect, [.apiKey: .exactly(.string(target.key))]), .expect(ChatPattern(.connected)),
                ] + stillOpen
            ),
            ChatCase(
                "P.1.5",
                "connect with a session that never existed.",
                "The server answers connected, not resumed.",
                "rule 2",
                [
                    hello,
                    .say(.connect, [.apiKey: .exactly(.string(target.key)), .sessionID: .exactly("squall never")]),
                    .expect(ChatPattern(.connected, [.resumed: .exactly(false)])),
                ] + stillOpen
            ),
            ChatCase(
                "P.1.6",
                "connect with the session of a connection that was reset.",
                "The server answers connected, resumed, with the same session.",
                "rule 9",
                login(target, saves: [.sessionID: "session"]) + resume(target) + stillOpen
            ),
            ChatCase(
                "P.1.7",
                "connect twice.",
                "The second is answered with the error malformed, and the connection stays open.",
                "rule 4",
                login(target) + [.say(.connect, [.apiKey: .exactly(.string(target.key))]), refused(.malformed)]
                    + stillOpen
            ),
            ChatCase(
                "P.1.8",
                "Wrong keys: unknown, empty, too long, too short, with a wrong first or last character.",
                "All are rejected alike: the same auth_error, a close with 1008 and the same reason.",
                "rule 2",
                wrongKeys(target)
            ),
        ]
    }

    /// Returns steps that try several wrong keys. Every attempt must be rejected like the first one.
    private static func wrongKeys(_ target: ChatTarget) -> [ChatStep] {
        let keys = [
            "squall wrong", "", "\(target.key)x", String(target.key.dropLast()),
            other(target.key.first) + target.key.dropFirst(), target.key.dropLast() + other(target.key.last),
        ]
        let attempts = keys.map { key -> [ChatStep] in
            [
                hello, .say(.connect, [.apiKey: .exactly(.string(key))]),
                .expect(ChatPattern(.authError, sameAs: "refusal")), .expectClose(1008, sameReasonAs: "reason"),
            ]
        }
        return Array(attempts.joined(separator: [.reconnect()]))
    }

    /// Returns a character that differs from the given one.
    private static func other(_ character: Character?) -> String { character == "x" ? "y" : "x" }

    /// Returns the P.10 cases (requests to stop work that is not running).
    private static func stops(_ target: ChatTarget) -> [ChatCase] {
        let never = "squall never"
        func stop(_ what: ChatValue) -> [ChatStep] {
            [.say(.stop, [.id: what]), .expect(ChatPattern(.stopped, [.id: what]))]
        }
        func stop(_ what: String) -> [ChatStep] { stop(.exactly(.string(what))) }
        func twice(_ id: String, _ title: String, _ what: String) -> ChatCase {
            ChatCase(
                id,
                title,
                "The server answers stopped with the same id both times: a stop can be repeated.",
                "frame stop",
                login(target) + stop(what) + stop(what) + stillOpen
            )
        }
        return [
            twice("P.10.1", "stop of the conversation, twice.", target.conversation),
            twice("P.10.2", "stop of an id that never existed, twice.", never),
            ChatCase(
                "P.10.3",
                "stop of an id that never existed, twice, while the server works on a message.",
                "The work goes on: a second send is answered with the error session_locked.",
                "frame stop",
                needs: [.lockedConversations],
                login(target) + [send(target, "P.10.3"), confirmed(target, "P.10.3")] + stop(never) + stop(never)
                    + [
                        send(target, "second"),
                        .expect(
                            ChatPattern(
                                .error,
                                [
                                    .code: .exactly(.string(ErrorCode.sessionLocked.word)),
                                    .clientMessageID: .exactly(.string(messageID(target, "second"))),
                                ]
                            )
                        ),
                    ]
                    + stop(target.conversation) + stillOpen
            ),
            ChatCase(
                "P.10.4",
                "send, then stop of an id that never existed, twice.",
                "The stop creates neither a conversation nor a message.",
                "frame stop",
                login(target) + [
                    send(target, "P.10.4"), .expect(ChatPattern(.confirm, saves: [.sequence: "seq"])),
                ]
                    + stop(never) + stop(never) + [
                        .ask(
                            RouteRequest(.conversations),
                            RouteReply(
                                [200],
                                listing: RouteReply.Listing(
                                    .conversations,
                                    excluding: [[.conversationID: .exactly(.string(never))]]
                                )
                            )
                        ),
                        .ask(
                            RouteRequest(
                                .messages,
                                target.conversation,
                                query: [RouteRequest.QueryField(field: .after, value: .saved("seq"))]
                            ),
                            RouteReply([200], listing: RouteReply.Listing(.messages, most: 0))
                        ),
                    ]
            ),
            ChatCase(
                "P.10.5",
                "execute_command, then three stops of its id, the last over another connection.",
                "The server answers stopped with the same id each time: what has ended is stopped like what never ran.",
                "frame stop",
                login(target, saves: [.sessionID: "session"])
                    + [
                        .say(.executeCommand, [.text: .exactly("true")]),
                        .expect(ChatPattern(.commandStarted, saves: [.id: "command"])),
                    ]
                    + stop(.saved("command")) + stop(.saved("command")) + resume(target) + stop(.saved("command"))
                    + stillOpen
            ),
        ]
    }

    private static func confirmed(_ target: ChatTarget, _ id: String) -> ChatStep {
        .expect(ChatPattern(.confirm, [.clientMessageID: .exactly(.string(messageID(target, id)))]))
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
                saves: [.messageID: "id", .sequence: "seq", .timestamp: "time"]
            )
        )
    }

    private static func again(_ target: ChatTarget, _ name: String) -> ChatStep {
        .expect(
            ChatPattern(
                .confirm,
                [
                    .clientMessageID: .exactly(.string(messageID(target, name))), .duplicate: .exactly(true),
                    .messageID: .saved("id"), .sequence: .saved("seq"), .timestamp: .saved("time"),
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
                "The server confirms its id, not as a duplicate.",
                "rule 6",
                login(target) + [send(target, "P.2.1"), first(target, "P.2.1")] + stillOpen
            ),
            ChatCase(
                "P.2.2",
                "The same send twice.",
                "Both are confirmed, the second as a duplicate with the first one's id, seq and timestamp.",
                "rule 5",
                login(target) + [
                    send(target, "P.2.2"), first(target, "P.2.2"), send(target, "P.2.2"), again(target, "P.2.2"),
                ]
                    + stillOpen
            ),
            ChatCase(
                "P.2.3",
                "The same send again over another connection of the session.",
                "It is confirmed as a duplicate with the first one's id, seq and timestamp.",
                "rule 5",
                login(target, saves: [.sessionID: "session"]) + [send(target, "P.2.3"), first(target, "P.2.3")]
                    + resume(target) + [send(target, "P.2.3"), again(target, "P.2.3")] + stillOpen
            ),
            ChatCase(
                "P.2.4",
                "Two sends without an id.",
                "Two messages are stored with different ids, the second with a higher seq.",
                "rule 5",
                login(target) + [
                    send(target, nil), .expect(ChatPattern(.confirm, saves: [.messageID: "id", .sequence: "seq"])),
                    send(target, nil),
                    .expect(
                        ChatPattern(
                            .confirm,
                            [.messageID: .other("id"), .sequence: .above("seq"), .duplicate: .exactly(false)]
                        )
                    ),
                ] + stillOpen
            ),
            ChatCase(
                "P.2.5",
                "Two sends with the same id and different texts.",
                "The second is answered with the error malformed and the id; the first message is unchanged.",
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
                ] + stillOpen
            ),
            ChatCase(
                "P.2.6",
                "send to a conversation that does not exist.",
                "The error unknown_conversation or not_member with the id; a server may also create it.",
                "error codes",
                isInformational: true,
                login(target) + [
                    .say(
                        .send,
                        [
                            .conversationID: .exactly(.string(target.missingConversation)), .text: .exactly("anybody?"),
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
