import ChatWire
import SquallCore
import WebSocketWire

/// Test cases that check when clients reconnect, and how they handle messages that their users send.
extension ChatCatalogue {
    private static func client(
        _ id: String,
        _ title: String,
        _ allowed: String,
        _ rule: String,
        needs: Set<ChatNeed> = [],
        _ steps: [ChatStep]
    ) -> ChatCase {
        ChatCase(id, title, allowed, rule, testedRole: .client, needs: needs, steps)
    }

    private static let session = ChatValue.exactly("squall-session")

    /// Returns steps that simulate a server restart, after which the client must resume its session. `last` is the
    /// sequence number that the server then reports as the latest.
    private static func resumeAfterRestart(_ target: ChatTarget, through last: Int64 = 0) -> [ChatStep] {
        serverRestart + [.reconnect()] + acceptLogin(target, session: session, through: last)
    }

    /// Returns the Q.6 cases, which test what a client does after its connection ends. They use higher sequence numbers
    /// than any earlier case.
    static func reconnectCases(_ target: ChatTarget) -> [ChatCase] {
        [
            client(
                "Q.6.1",
                "A close with 1012.",
                "The client reconnects and asks to resume its session.",
                "close codes",
                acceptLogin(target) + resumeAfterRestart(target) + serverRestart
            ),
            client(
                "Q.6.2",
                "A message, a close with 1012; on the next connection there is one more message.",
                "The client sends sync with its highest seq and acknowledges the replayed message.",
                "rules 8 and 9",
                acceptLogin(target, through: 10_000) + [message(target, 10_001), acknowledged(10_001)]
                    + resumeAfterRestart(target, through: 10_002)
                    + [.expect(ChatPattern(.sync, [.lastSequenceSeen: .exactly(10_001)]))]
                    + [replay(target, [10_002]), acknowledged(10_002)] + serverRestart
            ),
            client(
                "Q.6.3",
                "draining with retry_after_ms of 200, and a close with 1001.",
                "The client reconnects.",
                "rule 12",
                acceptLogin(target) + [
                    .say(.draining, [.message: .exactly("soon"), .retryAfter: .exactly(200)]), .close(1001),
                    .expectClose(1001), .reconnect(),
                ] + acceptLogin(target, session: session) + serverRestart
            ),
            client(
                "Q.6.4",
                "auth_error and a close with 1008.",
                "The client does not retry the same key for two seconds.",
                "rule 2",
                needs: [.ownClient],
                [
                    greeting(target), .expect(ChatPattern(.connect)), .say(.authError, [.message: .exactly("no")]),
                    .close(1008), .expectClose(1008), .expectNoReconnect(.seconds(2)),
                ]
            ),
            client(
                "Q.6.5",
                "A close with 1000.",
                "The client does not reconnect for two seconds.",
                "close codes",
                needs: [.ownClient],
                acceptLogin(target) + [.close(1000), .expectClose(1000), .expectNoReconnect(.seconds(2))]
            ),
        ]
    }

    /// Returns the Q.7 cases, which test how a client handles messages that its user sends.
    static func userMessages(_ target: ChatTarget) -> [ChatCase] {
        let sendCommand = ChatStep.command(.send(conversation: target.conversation, text: "hello from squall"))
        let sent = ChatStep.expect(
            ChatPattern(
                .send,
                [
                    .clientMessageID: .present, .conversationID: .exactly(.string(target.conversation)),
                    .text: .exactly("hello from squall"),
                ],
                saves: [.clientMessageID: "own"]
            )
        )
        let again = ChatStep.expect(ChatPattern(.send, [.clientMessageID: .saved("own")]))
        let confirmed = ChatStep.say(
            .confirm,
            [
                .clientMessageID: .saved("own"), .messageID: .exactly("squall-m-20001"), .sequence: .exactly(20_001),
                .timestamp: .exactly(moment(target)), .duplicate: .exactly(false),
            ]
        )
        func refused(_ code: ErrorCode, retryAfter: Int64? = nil) -> ChatStep {
            var fields: [WireField: ChatValue] = [
                .code: .exactly(.string(code.word)), .message: .exactly("no"), .clientMessageID: .saved("own"),
            ]
            fields[.retryAfter] = retryAfter.map { .exactly(.integer($0)) }
            return .say(.error, fields)
        }
        func noSend(_ span: TimeSpan) -> ChatStep {
            .silence(span, except: [.ping, .pong, .sync, .messageAck, .readReceipt, .typing, .connect])
        }
        func userMessage(_ id: String, _ title: String, _ allowed: String, _ rule: String, _ steps: [ChatStep])
            -> ChatCase
        {
            client(id, title, allowed, rule, needs: [.ownClient, .command("send")], steps + serverRestart)
        }
        return [
            userMessage(
                "Q.7.1",
                "The user sends a message.",
                "The client sends the message with its own id.",
                "rule 5",
                acceptLogin(target) + [sendCommand, sent, confirmed]
            ),
            userMessage(
                "Q.7.2",
                "The user sends a message before connected.",
                "The client sends the message only after connected.",
                "rule 2",
                [
                    greeting(target), .expect(ChatPattern(.connect)), sendCommand,
                    .silence(.milliseconds(500), except: [.ping]),
                ]
                    + [connected(), sent, confirmed]
            ),
            userMessage(
                "Q.7.3",
                "The user sends a message, which is not confirmed before a close with 1012.",
                "The client sends the message on the next connection with the same id.",
                "rules 5 and 6",
                acceptLogin(target) + [sendCommand, sent] + resumeAfterRestart(target) + [again, confirmed]
            ),
            userMessage(
                "Q.7.4",
                "The user sends a message, which is confirmed; then a close with 1012.",
                "The client does not send it again on the next connection.",
                "rule 6",
                acceptLogin(target) + [sendCommand, sent, confirmed] + resumeAfterRestart(target, through: 20_001) + [
                    noSend(.seconds(1))
                ]
            ),
            userMessage(
                "Q.7.5",
                "The user sends a message, which is permanently rejected; then a close with 1012.",
                "The client does not send it again on the next connection: an error with its id is final.",
                "rule 6",
                acceptLogin(target) + [sendCommand, sent, refused(.notMember)] + resumeAfterRestart(target) + [
                    noSend(.seconds(1))
                ]
            ),
            userMessage(
                "Q.7.6",
                "The user sends a message, which exceeds the rate limit, with retry_after_ms of 500.",
                "The client waits and then sends it with the same id.",
                "error codes",
                // The expected silence is 100 ms shorter than the requested delay, so that a slow machine does not fail
                // the client.
                acceptLogin(target) + [
                    sendCommand, sent, refused(.rateLimited, retryAfter: 500), noSend(.milliseconds(400)),
                ]
                    + [again, confirmed]
            ),
            userMessage(
                "Q.7.7",
                "The user sends a message, which the server also sends as message after confirm.",
                "The client acknowledges it like any other message.",
                "rules 9 and 10",
                acceptLogin(target) + [sendCommand, sent, confirmed] + [own(target)]
                    + [.expect(ChatPattern(.messageAck, [.messageID: .exactly("squall-m-20001")]))]
            ),
        ]
    }

    /// Returns a step that sends the user's message back to the client, as a server does once it has stored the
    /// message.
    private static func own(_ target: ChatTarget) -> ChatStep {
        .say(
            .message,
            [
                .messageID: .exactly("squall-m-20001"), .clientMessageID: .saved("own"),
                .conversationID: .exactly(.string(target.conversation)), .senderID: .exactly("squall"),
                .sequence: .exactly(20_001), .timestamp: .exactly(moment(target)),
                .text: .exactly("hello from squall"),
            ]
        )
    }
}
