import ChatWire
import SquallCore
import WebSocketWire

/// Clients that come back, or stay away, and what their users want of them.
extension ChatCatalogue {
    private static func client(
        _ id: String,
        _ title: String,
        _ allowed: String,
        _ rule: String,
        needs: Set<ChatNeed> = [],
        _ steps: [ChatStep]
    ) -> ChatCase {
        ChatCase(id, title, allowed, rule, judged: .client, needs: needs, steps)
    }

    private static let session = ChatValue.exactly("squall-session")

    /// The server restarts, and the client takes its session up.
    private static func comesBack(_ target: ChatTarget, through last: Int64 = 0) -> [ChatStep] {
        leave + [.reconnect()] + acceptOutcome(target, session: session, through: last)
    }

    /// Q.6: what a client does once its connection has ended. Sequences lie above those of all cases before.
    static func returns(_ target: ChatTarget) -> [ChatCase] {
        [
            client(
                "Q.6.1",
                "A close with 1012.",
                "The client comes back, and asks for the session that it had.",
                "close codes",
                acceptOutcome(target) + comesBack(target) + leave
            ),
            client(
                "Q.6.2",
                "A message, a close with 1012; on the next connection one more is stored.",
                "The client says sync with the highest seq that it has, and acknowledges what the replay brings.",
                "rules 8 and 9",
                acceptOutcome(target, through: 10_000) + [message(target, 10_001), acknowledged(10_001)]
                    + comesBack(target, through: 10_002)
                    + [.expect(ChatPattern(.sync, [.lastSequenceSeen: .exactly(10_001)]))]
                    + [replay(target, [10_002]), acknowledged(10_002)] + leave
            ),
            client(
                "Q.6.3",
                "draining with retry_after_ms of 200, and a close with 1001.",
                "The client comes back.",
                "rule 12",
                acceptOutcome(target) + [
                    .say(.draining, [.message: .exactly("soon"), .retryAfter: .exactly(200)]), .close(1001),
                    .expectClose(1001), .reconnect(),
                ] + acceptOutcome(target, session: session) + leave
            ),
            client(
                "Q.6.4",
                "auth_error and a close with 1008.",
                "For two seconds the client does not try the same key again.",
                "rule 2",
                needs: [.ownClient],
                [
                    greeting(target), .expect(ChatPattern(.connect)), .say(.authError, [.message: .exactly("no")]),
                    .close(1008), .expectClose(1008), .staysAway(.seconds(2)),
                ]
            ),
            client(
                "Q.6.5",
                "A close with 1000.",
                "For two seconds the client does not come back.",
                "close codes",
                needs: [.ownClient],
                acceptOutcome(target) + [.close(1000), .expectClose(1000), .staysAway(.seconds(2))]
            ),
        ]
    }

    /// Q.7: what becomes of a message that the user has sent.
    static func errands(_ target: ChatTarget) -> [ChatCase] {
        let wish = ChatStep.command(.send(conversation: target.conversation, text: "hello from squall"))
        let sent = ChatStep.expect(
            ChatPattern(
                .send,
                [
                    .clientMessageID: .present, .conversationID: .exactly(.string(target.conversation)),
                    .text: .exactly("hello from squall"),
                ],
                keeps: [.clientMessageID: "own"]
            )
        )
        let again = ChatStep.expect(ChatPattern(.send, [.clientMessageID: .kept("own")]))
        let confirmed = ChatStep.say(
            .confirm,
            [
                .clientMessageID: .kept("own"), .messageID: .exactly("squall-m-20001"), .sequence: .exactly(20_001),
                .timestamp: .exactly(moment(target)), .duplicate: .exactly(false),
            ]
        )
        func refused(_ code: ErrorCode, retryAfter: Int64? = nil) -> ChatStep {
            var fields: [WireField: ChatValue] = [
                .code: .exactly(.string(code.word)), .message: .exactly("no"), .clientMessageID: .kept("own"),
            ]
            fields[.retryAfter] = retryAfter.map { .exactly(.integer($0)) }
            return .say(.error, fields)
        }
        func noSend(_ span: TimeSpan) -> ChatStep {
            .silence(span, except: [.ping, .pong, .sync, .messageAck, .readReceipt, .typing, .connect])
        }
        func errand(_ id: String, _ title: String, _ allowed: String, _ rule: String, _ steps: [ChatStep]) -> ChatCase {
            client(id, title, allowed, rule, needs: [.ownClient, .command("send")], steps + leave)
        }
        return [
            errand(
                "Q.7.1",
                "The user sends a message.",
                "send, with an id of the client's own.",
                "rule 5",
                acceptOutcome(target) + [wish, sent, confirmed]
            ),
            errand(
                "Q.7.2",
                "The user sends a message before connected.",
                "Until connected the client says nothing of it; then it says send.",
                "rule 2",
                [greeting(target), .expect(ChatPattern(.connect)), wish, .silence(.milliseconds(500), except: [.ping])]
                    + [connected(), sent, confirmed]
            ),
            errand(
                "Q.7.3",
                "The user sends a message, which is not confirmed before a close with 1012.",
                "On the next connection the client says send with the same id.",
                "rules 5 and 6",
                acceptOutcome(target) + [wish, sent] + comesBack(target) + [again, confirmed]
            ),
            errand(
                "Q.7.4",
                "The user sends a message, which is confirmed; then a close with 1012.",
                "On the next connection it is not sent again.",
                "rule 6",
                acceptOutcome(target) + [wish, sent, confirmed] + comesBack(target, through: 20_001) + [
                    noSend(.seconds(1))
                ]
            ),
            errand(
                "Q.7.5",
                "The user sends a message, which is refused for good; then a close with 1012.",
                "On the next connection it is not sent again: an error with its id ends the wait.",
                "rule 6",
                acceptOutcome(target) + [wish, sent, refused(.notMember)] + comesBack(target) + [noSend(.seconds(1))]
            ),
            errand(
                "Q.7.6",
                "The user sends a message, which is over the rate limit, with retry_after_ms of 500.",
                "The client waits so long, and says send with the same id.",
                "error codes",
                // A tenth of a second less: the machine may be late, and the client is not to be blamed for it.
                acceptOutcome(target) + [
                    wish, sent, refused(.rateLimited, retryAfter: 500), noSend(.milliseconds(400)),
                ]
                    + [again, confirmed]
            ),
            errand(
                "Q.7.7",
                "The user sends a message, which comes back as message after confirm.",
                "It is acknowledged like any other.",
                "rules 9 and 10",
                acceptOutcome(target) + [wish, sent, confirmed] + [own(target)]
                    + [.expect(ChatPattern(.messageAck, [.messageID: .exactly("squall-m-20001")]))]
            ),
        ]
    }

    /// The user's message as the server keeps it.
    private static func own(_ target: ChatTarget) -> ChatStep {
        .say(
            .message,
            [
                .messageID: .exactly("squall-m-20001"), .clientMessageID: .kept("own"),
                .conversationID: .exactly(.string(target.conversation)), .senderID: .exactly("squall"),
                .sequence: .exactly(20_001), .timestamp: .exactly(moment(target)),
                .text: .exactly("hello from squall"),
            ]
        )
    }
}
