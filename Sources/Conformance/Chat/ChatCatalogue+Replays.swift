import ChatWire
import SquallCore

/// Test cases for the messages that a server replays.
extension ChatCatalogue {
    private static func stored(_ id: String, _ sequence: String) -> ChatStep {
        .expect(ChatPattern(.confirm, saves: [.messageID: id, .sequence: sequence]))
    }

    private static func acknowledge(_ id: String) -> ChatStep { .say(.messageAck, [.messageID: .saved(id)]) }

    /// The steps that send a ping and expect its pong. The pong shows that the server has read everything sent before
    /// the ping.
    private static let roundTrip: [ChatStep] = [
        .say(.ping, [.id: .exactly("so far")]), .expect(ChatPattern(.pong, [.id: .exactly("so far")])),
    ]

    /// Returns the P.3 cases (replays in response to a `sync` frame).
    static func replays(_ target: ChatTarget) -> [ChatCase] {
        func replay(
            _ id: String,
            _ title: String,
            _ allowed: String,
            _ rule: String,
            needs: Set<ChatNeed> = [],
            _ steps: [ChatStep]
        ) -> ChatCase {
            let before = login(target, saves: [.sessionID: "session"])
            return ChatCase(id, title, allowed, rule, needs: needs, before + steps + stillOpen)
        }
        func sync(_ from: ChatValue) -> ChatStep { .say(.sync, [.lastSequenceSeen: from]) }
        let all = ChatStep.expectReplay(including: ["id"], excluding: [], fromStart: true)
        let three = ["a", "b", "c"].flatMap { [send(target, "P.3.5\($0)"), stored($0, "seq \($0)")] }
        return [
            replay(
                "P.3.1",
                "send, then sync from 0.",
                "The replay is in ascending seq and contains the message if it is complete.",
                "rules 7 and 8",
                [
                    send(target, "P.3.1"), stored("id", "seq"), sync(.exactly(0)), all,
                ]
            ),
            replay(
                "P.3.2",
                "send, then sync from its seq.",
                "The replay does not contain the message.",
                "rule 8",
                [
                    send(target, "P.3.2"), stored("id", "seq"), sync(.saved("seq")),
                    .expectReplay(including: [], excluding: ["id"]),
                ]
            ),
            replay(
                "P.3.3",
                "message_ack of a message that never existed.",
                "The server sends nothing or an error, and the connection stays open.",
                "rule 4",
                [.say(.messageAck, [.messageID: .exactly("squall never")])]
            ),
            replay(
                "P.3.4",
                "send, message_ack of it, sync from 0.",
                "The replay contains the message: the answer to sync depends only on the seq.",
                "rule 8",
                [send(target, "P.3.4"), stored("id", "seq"), acknowledge("id"), sync(.exactly(0)), all]
            ),
            replay(
                "P.3.5",
                "Three sends, then sync from the seq of the first.",
                "The replay contains the second and the third and not the first.",
                "rules 7 and 8",
                three + [sync(.saved("seq a")), .expectReplay(including: ["b", "c"], excluding: ["a"])]
            ),
            replay(
                "P.3.6",
                "sync twice from the same seq.",
                "The replay is the same both times: a sync removes nothing.",
                "rule 8",
                [send(target, "P.3.6"), stored("id", "seq")]
                    + [sync(.exactly(0)), all]
                    + [sync(.exactly(0)), all]
            ),
            replay(
                "P.3.7",
                "send and a reset; the session is resumed, then sync from 0.",
                "The replay contains the message.",
                "rule 8",
                [send(target, "P.3.7"), stored("id", "seq")] + resume(target)
                    + [sync(.exactly(0)), all]
            ),
            replay(
                "P.3.8",
                "Another user's message after a reset; the session is resumed, then sync from before the message.",
                "The replay contains the message.",
                "rule 8",
                needs: [.otherUser],
                [send(target, "P.3.8"), stored("own", "seq")] + fromAnother(target, "P.3.8b", as: "id") + resume(target)
                    + (target.replaysUntilAcknowledged ? [.expectReplay(including: ["id"], excluding: [])] : [])
                    + [sync(.saved("seq")), .expectReplay(including: ["id"], excluding: ["own"])]
            ),
        ]
    }

    /// Returns steps that send the message `name` as another user, and save the id of the stored message under the name
    /// `id`. The other user's connection is opened by the step `opening`, which resets the current one by default.
    private static func fromAnother(
        _ target: ChatTarget,
        _ name: String,
        as id: String,
        opening: ChatStep = .reconnect(user: 1)
    ) -> [ChatStep] {
        [opening] + enter(key: target.otherKey ?? "", ChatPattern(.connected))
            + [send(target, name), stored(id, "seq of \(id)")]
    }

    /// Returns the P.9 cases (unsolicited replays, which rule 9 of the protocol requires until every message has been
    /// acknowledged).
    static func unsolicited(_ target: ChatTarget) -> [ChatCase] {
        func unsolicited(_ id: String, _ title: String, _ allowed: String, _ steps: [ChatStep]) -> ChatCase {
            let before =
                login(target, saves: [.sessionID: "session"]) + fromAnother(target, "\(id)a", as: "first")
            let needs: Set<ChatNeed> = [.otherUser, .replayUntilAcknowledged]
            return ChatCase(id, title, allowed, "rule 9", needs: needs, before + steps + stillOpen)
        }
        let brought = ChatStep.expectReplay(including: ["first"], excluding: [])
        let nothing = ChatStep.noReplay(of: "first", .milliseconds(500))
        return [
            unsolicited(
                "P.9.1",
                "Another user's message after a reset; the session is resumed.",
                "An unsolicited replay contains the message.",
                resume(target) + [brought]
            ),
            unsolicited(
                "P.9.2",
                "The same, and the session is resumed once more without message_ack.",
                "The replay contains the message again.",
                resume(target) + [brought] + resume(target) + [brought]
            ),
            unsolicited(
                "P.9.3",
                "The same, with message_ack in between.",
                "The message is not replayed again.",
                resume(target) + [brought, acknowledge("first")] + roundTrip + resume(target) + [nothing]
            ),
            unsolicited(
                "P.9.4",
                "Two messages, the first of which is acknowledged.",
                "The second is replayed again, the first is not.",
                fromAnother(target, "P.9.4b", as: "second") + resume(target)
                    + [.expectReplay(including: ["first", "second"], excluding: []), acknowledge("first")] + roundTrip
                    + resume(target) + [.expectReplay(including: ["second"], excluding: ["first"])]
            ),
            unsolicited(
                "P.9.5",
                "Two messages, the second of which is acknowledged.",
                "The first is replayed again: an acknowledgement covers one message, not those before it.",
                fromAnother(target, "P.9.5b", as: "second") + resume(target)
                    + [.expectReplay(including: ["first", "second"], excluding: []), acknowledge("second")] + roundTrip
                    + resume(target) + [.expectReplay(including: ["first"], excluding: ["second"])]
            ),
            unsolicited(
                "P.9.6",
                "message_ack twice, then the session is resumed.",
                "The second has no effect; the message is not replayed again.",
                resume(target) + [brought, acknowledge("first"), acknowledge("first")] + roundTrip + resume(target)
                    + [nothing]
            ),
            unsolicited(
                "P.9.7",
                "connect without the session.",
                "A new session receives no unsolicited replay.",
                [.reconnect()] + enter(key: target.key, ChatPattern(.connected, [.resumed: .exactly(false)]))
                    + [nothing]
            ),
            unsolicited(
                "P.9.8",
                "The session is resumed, then sync from 0.",
                "The server sends the unsolicited replay, then the requested one.",
                resume(target) + [brought, .say(.sync, [.lastSequenceSeen: .exactly(0)])]
                    + [.expectReplay(including: ["first"], excluding: [], fromStart: true)]
            ),
            ChatCase(
                "P.9.9",
                "A message is sent to a session that is connected; the connection is reset, and the session is resumed.",
                "An unsolicited replay contains the message, because it was not acknowledged.",
                "rule 9",
                needs: [.otherUser, .replayUntilAcknowledged],
                login(target, saves: [.sessionID: "session"])
                    + fromAnother(target, "P.9.9", as: "first", opening: .openAnother(user: 1)) + resume(target)
                    + [brought] + stillOpen
            ),
        ]
    }
}
