import ChatWire
import SquallCore

/// Test cases for guarantees that a server makes only with some profiles.
extension ChatCatalogue {
    /// Returns the P.11 cases, which test that a server works on one prompt at a time in each conversation.
    static func locks(_ target: ChatTarget) -> [ChatCase] {
        func lock(_ id: String, _ title: String, _ allowed: String, _ steps: [ChatStep]) -> ChatCase {
            ChatCase(
                id,
                title,
                allowed,
                "error codes",
                needs: [.lockedConversations],
                login(target) + steps + stillOpen
            )
        }
        let refusal = ChatStep.expect(
            ChatPattern(
                .error,
                [
                    .code: .exactly("session_locked"),
                    .clientMessageID: .exactly(.string(messageID(target, "second"))),
                ]
            )
        )
        let place = ChatValue.exactly(.string(target.conversation))
        let stop: [ChatStep] = [.say(.stop, [.id: place]), .expect(ChatPattern(.stopped, [.id: place]))]
        func confirmed(_ name: String) -> [ChatStep] {
            [
                send(target, name),
                .expect(ChatPattern(.confirm, [.clientMessageID: .exactly(.string(messageID(target, name)))])),
            ]
        }
        return [
            lock(
                "P.11.1",
                "Two sends to one conversation at once.",
                "The first is confirmed, the second is answered with the error session_locked and its id.",
                confirmed("P.11.1") + [send(target, "second"), refusal] + stop
            ),
            lock(
                "P.11.2",
                "The rejected send, repeated after a stop of the conversation.",
                "It is confirmed.",
                confirmed("P.11.2") + [send(target, "second"), refusal] + stop + confirmed("second") + stop
            ),
        ]
    }

    /// Returns the P.12 cases, which test that a server rejects replayed login frames.
    static func freshness(_ target: ChatTarget) -> [ChatCase] {
        func fresh(_ id: String, _ title: String, _ allowed: String, _ steps: [ChatStep]) -> ChatCase {
            ChatCase(id, title, allowed, "rule 2", needs: [.freshLogins], steps)
        }
        func login(_ nonce: String, age: TimeSpan = .zero) -> ChatStep {
            .say(
                .connect,
                [
                    .apiKey: .exactly(.string(target.key)),
                    .nonce: .exactly(.string(messageID(target, nonce))),
                    .timestamp: .exactly(timestamp(target, age: age)),
                ]
            )
        }
        let refused: [ChatStep] = [.expect(ChatPattern(.authError)), .expectClose(1008)]
        let connected = ChatStep.expect(ChatPattern(.connected))
        return [
            fresh(
                "P.12.1",
                "connect, and the same connect again over another connection.",
                "The second is rejected like a wrong key.",
                [hello, login("P.12.1"), connected, .reconnect(), hello, login("P.12.1")] + refused
            ),
            fresh(
                "P.12.2",
                "The same, then a connect with another nonce.",
                "The third is answered with connected: the rejection does not lock the user out.",
                [hello, login("P.12.2"), connected, .reconnect(), hello, login("P.12.2")] + refused
                    + [.reconnect(), hello, login("P.12.2b"), connected] + stillOpen
            ),
            fresh(
                "P.12.3",
                "connect with a timestamp of yesterday.",
                "Rejected like a wrong key.",
                [hello, login("P.12.3", age: .seconds(86_400))] + refused
            ),
            fresh(
                "P.12.4",
                "connect, a connect with another nonce, and the first connect again.",
                "The third is rejected: the server remembers more than the last nonce.",
                [hello, login("P.12.4"), connected, .reconnect(), hello, login("P.12.4b"), connected, .reconnect()]
                    + [hello, login("P.12.4")] + refused
            ),
        ]
    }

    /// Returns the timestamp `age` before the server's current time, in the format of the target's wire profile.
    static func timestamp(_ target: ChatTarget, age: TimeSpan = .zero) -> JSON {
        let moment = target.clock - age.nanoseconds / 1_000_000
        return target.wire.timestampForm == .iso8601 ? .string(WireTimestamp.text(moment)) : .integer(moment)
    }
}
