import ChatWire
import SquallCore

/// Test cases for deletions. Deletion is optional: a server without the route `delete` does not implement it.
extension ChatCatalogue {
    /// Returns the R.12 cases (the record of a deleted message, and the permission to delete).
    static func deletions(_ target: ChatTarget) -> [ChatCase] {
        func sent(_ id: String, _ name: String) -> ChatStep {
            post(target, "\(id)\(name)", "hello", Self.stored(target, "\(id)\(name)", as: name))
        }
        func delete(_ name: String, _ reply: RouteReply, key: RouteRequest.Key = .right) -> ChatStep {
            .ask(RouteRequest(.delete, segmentOf: name, key: key), reply)
        }
        func page(_ including: [[WireField: ChatValue]]) -> ChatStep {
            let listing = RouteReply.Listing(.messages, including: including)
            return .ask(RouteRequest(.messages, target.conversation), RouteReply([200], listing: listing))
        }
        let done = RouteReply([200], fields: [.isDeleted: .exactly(true)], isOptional: true)
        /// Requests the page that contains the stored message, to learn the user's name on this server.
        let stored = RouteReply.Listing(.messages, including: [[.messageID: .saved("a")]], saves: [.senderID: "me"])
        let sender = ChatStep.ask(RouteRequest(.messages, target.conversation), RouteReply([200], listing: stored))
        func record(_ name: String, by user: ChatValue = .present) -> [WireField: ChatValue] {
            [
                .messageID: .saved(name), .sequence: .saved("\(name) seq"), .isDeleted: .exactly(true),
                .deletedAt: .present, .deletedBy: user, .text: .exactly(""),
            ]
        }
        return [
            route(
                "R.12.1",
                "send, then delete, then the newest page.",
                "The page has the message with its seq, is_deleted, deleted_at and its sender as deleted_by; no text.",
                "route delete",
                [sent("R.12.1", "a"), sender, delete("a", done), page([record("a", by: .saved("me"))])]
            ),
            route(
                "R.12.2",
                "delete of another user's message.",
                "403 with the error not_sender, and the message stays.",
                "route delete",
                needs: [.otherUser],
                [
                    sent("R.12.2", "a"),
                    delete("a", RouteReply([403], code: .notSender, isOptional: true), key: .other),
                    page([[.messageID: .saved("a"), .text: .exactly("hello")]]),
                ]
            ),
            route(
                "R.12.3",
                "Four sends, then delete of the third and of the first, then the newest page.",
                "The page contains all four by ascending seq; with server.page.order by_index, the deleted ones come "
                    + "last, also by ascending seq.",
                "route delete",
                [
                    sent("R.12.3", "a"), sent("R.12.3", "b"), sent("R.12.3", "c"), sent("R.12.3", "d"),
                    delete("c", done), delete("a", done),
                    page([record("a"), [.messageID: .saved("b")], record("c"), [.messageID: .saved("d")]]),
                ]
            ),
            route(
                "R.12.4",
                "delete twice.",
                "The second has no effect.",
                "route delete",
                [sent("R.12.4", "a"), delete("a", done), delete("a", done), page([record("a")])]
            ),
        ]
    }
}
