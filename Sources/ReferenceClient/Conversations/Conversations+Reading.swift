import ChatWire
import SquallCore

// What of a conversation is before and behind a message: asked by whoever counts.

extension Conversations {
    /// How many messages of others are newer than one of the server's; nil where that is not here.
    func others(after id: String, in conversation: String) -> Int64? {
        guard let rows = conversations[conversation]?.rows, let place = rows.lastIndex(where: { $0.id == id }) else {
            return nil
        }
        return Int64(rows[(place + 1)...].count { isToBeRead($0.key) })
    }

    /// Neither one's own messages nor what was deleted.
    private func isToBeRead(_ key: String) -> Bool {
        messages[key].map { !$0.isOwn && !$0.isDeleted } ?? false
    }

    /// Those of the messages, by the server's ids, that somebody else has sent to be read.
    func toBeRead(_ ids: [String], in conversation: String) -> [Message] {
        ids.compactMap { key(of: $0) }.filter(isToBeRead).compactMap { messages[$0] }
            .filter { $0.conversation == conversation }
    }

    /// The newest message of somebody else, up to one by its key; nil where that is not here, or there is none.
    func lastToBeRead(upTo key: String, in conversation: String) -> Message? {
        guard let rows = conversations[conversation]?.rows, let place = rows.lastIndex(where: { $0.key == key }) else {
            return nil
        }
        return rows[...place].last { isToBeRead($0.key) }.flatMap { messages[$0.key] }
    }

    /// The last message of the server's on a screen of so many rows that begins with a message, by its key; nil for the end.
    func lastOnScreen(of conversation: String, from anchor: String?, _ height: Int) -> String? {
        guard let rows = conversations[conversation]?.rows else { return nil }
        guard let anchor else { return rows.last?.key }
        guard let first = rows.firstIndex(where: { $0.key == anchor }) else { return nil }
        return rows[min(first + max(height, 1), rows.endIndex) - 1].key
    }

    /// The last message on a screen of so many rows that begins with the first unread one.
    ///
    /// Nil before these are here; the newest page may have fewer than are unread.
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

    /// A page is put into the store as it was when it was asked for: only a defect forgets what came since.
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
