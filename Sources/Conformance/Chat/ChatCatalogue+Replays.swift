import ChatWire
import SquallCore

/// What a server brings again, and what not.
extension ChatCatalogue {
    private static func stored(_ id: String, _ sequence: String) -> ChatStep {
        .expect(ChatPattern(.confirm, keeps: [.messageID: id, .sequence: sequence]))
    }

    private static func acknowledge(_ id: String) -> ChatStep { .say(.messageAck, [.messageID: .kept(id)]) }

    /// Shows that the server has read everything before it.
    private static let roundTrip: [ChatStep] = [
        .say(.ping, [.id: .exactly("so far")]), .expect(ChatPattern(.pong, [.id: .exactly("so far")])),
    ]

    /// P.3: replays that are asked for.
    static func replays(_ target: ChatTarget) -> [ChatCase] {
        func replay(
            _ id: String,
            _ title: String,
            _ allowed: String,
            _ rule: String,
            needs: Set<ChatNeed> = [],
            _ steps: [ChatStep]
        ) -> ChatCase {
            let before = login(target, keeps: [.sessionID: "session"])
            return ChatCase(id, title, allowed, rule, needs: needs, before + steps + goesOn)
        }
        func sync(_ from: ChatValue) -> ChatStep { .say(.sync, [.lastSequenceSeen: from]) }
        let all = ChatStep.expectReplay(holding: ["id"], lacking: [], fromStart: true)
        let three = ["a", "b", "c"].flatMap { [send(target, "P.3.5\($0)"), stored($0, "seq \($0)")] }
        return [
            replay(
                "P.3.1",
                "send, then sync from 0.",
                "A replay by ascending seq; where it is complete, it holds the message.",
                "rules 7 and 8",
                [
                    send(target, "P.3.1"), stored("id", "seq"), sync(.exactly(0)), all,
                ]
            ),
            replay(
                "P.3.2",
                "send, then sync from its seq.",
                "A replay without the message.",
                "rule 8",
                [
                    send(target, "P.3.2"), stored("id", "seq"), sync(.kept("seq")),
                    .expectReplay(holding: [], lacking: ["id"]),
                ]
            ),
            replay(
                "P.3.3",
                "message_ack of a message that there never was.",
                "Nothing, or an error; the connection goes on.",
                "rule 4",
                [.say(.messageAck, [.messageID: .exactly("squall never")])]
            ),
            replay(
                "P.3.4",
                "send, message_ack of it, sync from 0.",
                "A replay that holds the message: what sync brings depends on the seq and on nothing else.",
                "rule 8",
                [send(target, "P.3.4"), stored("id", "seq"), acknowledge("id"), sync(.exactly(0)), all]
            ),
            replay(
                "P.3.5",
                "Three sends, then sync from the seq of the first.",
                "A replay with the second and the third, and without the first.",
                "rules 7 and 8",
                three + [sync(.kept("seq a")), .expectReplay(holding: ["b", "c"], lacking: ["a"])]
            ),
            replay(
                "P.3.6",
                "sync twice from the same seq.",
                "The same both times: to ask takes nothing away.",
                "rule 8",
                [send(target, "P.3.6"), stored("id", "seq")]
                    + [sync(.exactly(0)), all]
                    + [sync(.exactly(0)), all]
            ),
            replay(
                "P.3.7",
                "send, the connection is cut; the session is taken up, then sync from 0.",
                "A replay that holds the message.",
                "rule 8",
                [send(target, "P.3.7"), stored("id", "seq")] + resume(target)
                    + [sync(.exactly(0)), all]
            ),
            replay(
                "P.3.8",
                "Another user's message while the connection is cut; the session is taken up, then sync from before it.",
                "A replay that holds the message.",
                "rule 8",
                needs: [.otherUser],
                [send(target, "P.3.8"), stored("own", "seq")] + fromAnother(target, "P.3.8b", as: "id") + resume(target)
                    + (target.replaysUntilAcknowledged ? [.expectReplay(holding: ["id"], lacking: [])] : [])
                    + [sync(.kept("seq")), .expectReplay(holding: ["id"], lacking: ["own"])]
            ),
        ]
    }

    /// The connection is cut, and another user sends a message.
    private static func fromAnother(_ target: ChatTarget, _ name: String, as id: String) -> [ChatStep] {
        [.reconnect(user: 1)] + enter(key: target.otherKey ?? "", ChatPattern(.connected))
            + [send(target, name), stored(id, "seq of \(id)")]
    }

    /// P.9: replays that come by themselves, until each message was acknowledged (rule 9).
    static func unasked(_ target: ChatTarget) -> [ChatCase] {
        func unasked(_ id: String, _ title: String, _ allowed: String, _ steps: [ChatStep]) -> ChatCase {
            let before =
                login(target, keeps: [.sessionID: "session"]) + fromAnother(target, "\(id)a", as: "first")
            let needs: Set<ChatNeed> = [.otherUser, .replayUntilAcknowledged]
            return ChatCase(id, title, allowed, "rule 9", needs: needs, before + steps + goesOn)
        }
        let brought = ChatStep.expectReplay(holding: ["first"], lacking: [])
        let nothing = ChatStep.noReplay(of: "first", .milliseconds(500))
        return [
            unasked(
                "P.9.1",
                "Another user's message while the connection is cut; the session is taken up.",
                "A replay that holds the message, unasked.",
                resume(target) + [brought]
            ),
            unasked(
                "P.9.2",
                "The same, and the session is taken up once more without message_ack.",
                "The replay holds it again.",
                resume(target) + [brought] + resume(target) + [brought]
            ),
            unasked(
                "P.9.3",
                "The same, with message_ack between.",
                "It is not brought again.",
                resume(target) + [brought, acknowledge("first")] + roundTrip + resume(target) + [nothing]
            ),
            unasked(
                "P.9.4",
                "Two messages, of which the first is acknowledged.",
                "The second is brought again, and the first is not.",
                fromAnother(target, "P.9.4b", as: "second") + resume(target)
                    + [.expectReplay(holding: ["first", "second"], lacking: []), acknowledge("first")] + roundTrip
                    + resume(target) + [.expectReplay(holding: ["second"], lacking: ["first"])]
            ),
            unasked(
                "P.9.5",
                "Two messages, of which the second is acknowledged.",
                "The first is brought again: an acknowledgement is for one message, not for all before it.",
                fromAnother(target, "P.9.5b", as: "second") + resume(target)
                    + [.expectReplay(holding: ["first", "second"], lacking: []), acknowledge("second")] + roundTrip
                    + resume(target) + [.expectReplay(holding: ["first"], lacking: ["second"])]
            ),
            unasked(
                "P.9.6",
                "message_ack twice, then the session is taken up.",
                "The second has no effect; the message is not brought again.",
                resume(target) + [brought, acknowledge("first"), acknowledge("first")] + roundTrip + resume(target)
                    + [nothing]
            ),
            unasked(
                "P.9.7",
                "connect without the session.",
                "A new session is brought nothing unasked.",
                [.reconnect()] + enter(key: target.key, ChatPattern(.connected, [.resumed: .exactly(false)]))
                    + [nothing]
            ),
            unasked(
                "P.9.8",
                "The session is taken up, then sync from 0.",
                "The replay that nobody asked for, and behind it the one that was asked for.",
                resume(target) + [brought, .say(.sync, [.lastSequenceSeen: .exactly(0)])]
                    + [.expectReplay(holding: ["first"], lacking: [], fromStart: true)]
            ),
        ]
    }
}
