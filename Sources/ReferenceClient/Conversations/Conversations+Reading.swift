import ChatWire
import SquallCore

// Finds and counts the messages before and after a given message, for the unread counts.

extension Conversations {
    /// Returns how many messages after the message with the server-assigned `id` can be unread; nil if the client does
    /// not have that message.
    ///
    /// As on the server, messages are compared by sequence number. This order differs from the display order if the
    /// server's clock was set back.
    func others(after id: String, in conversation: String) -> Int64? {
        guard let rows = conversations[conversation]?.rows, let index = rows.lastIndex(where: { $0.id == id }) else {
            return nil
        }
        let sequence = messages[rows[index].key]?.sequence
        let after = rows.indices.filter { other in
            guard let sequence, let number = messages[rows[other].key]?.sequence else { return other > index }
            return number > sequence
        }
        return Int64(after.count { isToBeRead(rows[$0].key) })
    }

    /// Returns whether the message can be unread: it is neither the user's own nor deleted.
    private func isToBeRead(_ key: String) -> Bool {
        messages[key].map { !$0.isOwn && !$0.isDeleted } ?? false
    }

    /// Returns the messages in `conversation` that can be unread and whose server-assigned IDs are in `ids`.
    func toBeRead(_ ids: [String], in conversation: String) -> [Message] {
        ids.compactMap { key(of: $0) }.filter(isToBeRead).compactMap { messages[$0] }
            .filter { $0.conversation == conversation }
    }

    /// Returns the highest sequence number of the conversation's stored messages, excluding those whose server-assigned
    /// IDs are in `ids`; nil if there is none.
    func newestSequence(of conversation: String, except ids: Set<String>) -> Int64? {
        let rows = conversations[conversation]?.rows ?? []
        return rows.lazy.filter { !ids.contains($0.id) }.compactMap { messages[$0.key]?.sequence }.max()
    }

    /// Returns the newest message that can be unread, up to and including the message with this key.
    ///
    /// Returns nil if no message can be unread, or if the client does not have the message with this key.
    func lastToBeRead(upTo key: String, in conversation: String) -> Message? {
        guard let rows = conversations[conversation]?.rows, let index = rows.lastIndex(where: { $0.key == key }) else {
            return nil
        }
        return rows[...index].last { isToBeRead($0.key) }.flatMap { messages[$0.key] }
    }

    /// Returns the key of the last stored message on a screen of `height` rows whose first visible message is `anchor`.
    ///
    /// If `anchor` is nil, the list is at its end. Returns nil if the client does not have the message `anchor` or the
    /// conversation is empty.
    func lastOnScreen(of conversation: String, from anchor: String?, _ height: Int) -> String? {
        guard let rows = conversations[conversation]?.rows else { return nil }
        guard let anchor else { return rows.last?.key }
        guard let first = rows.firstIndex(where: { $0.key == anchor }) else { return nil }
        return rows[min(first + max(height, 1), rows.endIndex) - 1].key
    }

    /// Returns the key of the last message on a screen of `height` rows that begins with the first of the
    /// conversation's `unread` unread messages.
    ///
    /// Returns nil if the newest page has not loaded and the client does not have all unread messages. If some are
    /// still missing after the page has loaded, the screen begins with the oldest message that the client has.
    func lastOnScreen(of conversation: String, unread: Int64, _ height: Int) -> String? {
        guard let conversation = conversations[conversation] else { return nil }
        let rows = conversation.rows
        var first = rows.endIndex
        var found: Int64 = 0
        while first > 0, found < unread {
            first -= 1
            if isToBeRead(rows[first].key) { found += 1 }
        }
        guard found == unread || conversation.load == .loaded, first < rows.endIndex else { return nil }
        return rows[min(first + max(height, 1), rows.endIndex) - 1].key
    }

    /// Removes the messages that have arrived since this page was requested and are not on the page.
    ///
    /// Has an effect only with a planted defect.
    mutating func pageArrived(_ conversation: String, _ page: [ChatMessage]) {
        guard policy.pages == .replaceTheStore, let known = knownWhenAsked.removeValue(forKey: conversation) else {
            return
        }
        let kept = known.union(page.map(\.id))
        for row in self[conversation].keep(only: kept) {
            forget(row)
        }
    }
}
