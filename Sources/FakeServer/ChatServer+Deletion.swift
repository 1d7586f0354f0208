import ChatWire
import Faults
import SquallCore

/// Deletes messages. Only the sender may delete a message. The deletion applies to all users, and the server keeps a
/// record of the message.
extension ChatServer {
    mutating func delete(_ id: String, by principal: Principal) -> Answer {
        let (client, user) = (principal.client, principal.user)
        guard let message = store[id] else { return Answer(.notFound, "No such message.") }
        guard message.sender == user || policy.deletion.authorisation == .byClientAlone else {
            let fields: JSON = ["by": .string(user), "sender": .string(message.sender)]
            note("server.delete_refused", key: message.key, fields, of: client)
            return Answer(.forbidden, "Only the sender may delete a message.", code: .notSender)
        }
        // A repeated deletion changes nothing.
        guard message.isDeleted != true else { return Answer(.ok, message, wire) }
        let author = policy.deletion.author == .isTheUser ? user : "system"
        store.delete(id, at: clock(), by: author, isGone: policy.deletion.record == .isGone)
        noteRecord(of: message, by: user, client)
        let deletion = ServerFrame.Deletion(
            conversation: message.conversation,
            messageID: id,
            at: clock(),
            by: author
        )
        broadcast(.deleted(deletion)) { $0.client == client }
        var deleted = message
        (deleted.text, deleted.media, deleted.isDeleted) = ("", nil, true)
        (deleted.deletedAt, deleted.deletedBy) = (deletion.at, author)
        return Answer(.ok, store[id] ?? deleted, wire)
    }

    /// Records in the trace how much of a message the store retains after its deletion.
    private mutating func noteRecord(of message: ChatMessage, by user: String, _ client: ClientID) {
        let record = store[message.id]
        let keepsText = store.original(of: message.id)?.text == message.text
        note(
            "server.deleted",
            key: message.key,
            .fields([
                ("conversation", .string(message.conversation)), ("by", .string(user)),
                ("is_deleted", record?.isDeleted.map { .bool($0) }),
                ("deleted_by", record?.deletedBy.map { .string($0) }),
                ("deleted_at", record?.deletedAt.map { .integer($0) }), ("kept", .bool(record != nil && keepsText)),
            ]),
            of: client
        )
    }

    /// Sends the deletions that a returning client has missed.
    ///
    /// Covers only messages that the client already has, up to the sequence number `seen`. Later messages appear in
    /// their deleted form in the replay that precedes the deletions.
    mutating func emitDeletions(to id: LinkID, seenThrough seen: Int64) {
        for deletion in store.deletions where deletion.sequence >= seen {
            guard let message = store[deletion.id], message.sequence <= seen, let at = message.deletedAt,
                let user = message.deletedBy
            else { continue }
            let frame = ServerFrame.Deletion(
                conversation: message.conversation,
                messageID: message.id,
                at: at,
                by: user
            )
            send(.deleted(frame), to: id)
        }
    }

    /// Returns the messages on a page in the order that the profile specifies.
    func arranged(_ messages: [ChatMessage]) -> [ChatMessage] {
        let ordered: [ChatMessage] = policy.pages == .oldestFirst ? messages : messages.reversed()
        guard profile.page.order == .byIndex else { return ordered }
        var deleted = ordered.filter { $0.isDeleted == true }
        if policy.deletion.order == .byDeletion {
            deleted = store.deletions.compactMap { deletion in deleted.first { $0.id == deletion.id } }
        }
        return ordered.filter { $0.isDeleted != true } + deleted
    }

    mutating func noteDeleted(among messages: [ChatMessage], of conversation: String) {
        let count = messages.count { $0.isDeleted == true }
        guard count > 0 else { return }
        note(
            "server.listed",
            [
                "conversation": .string(conversation), "messages": .array(messages.map { .string($0.text) }),
                "sequences": .array(messages.map { .string(String($0.sequence)) }), "deleted": .integer(Int64(count)),
            ]
        )
    }
}
