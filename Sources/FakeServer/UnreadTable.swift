import ChatWire
import SquallCore

/// Each user's read marks: the sequence numbers up to which they have read. Unread counts are derived from them.
///
/// The table survives a restart with `state: keep`.
struct UnreadTable: Hashable, Sendable {
    private struct Reading: Hashable {
        var user: String
        var conversation: String
    }

    private struct Mark: Hashable {
        /// The highest sequence number that has been read.
        var sequence: Int64 = 0
        /// The newest sequence number of all conversations when the mark was last moved.
        var madeAt: Int64 = 0
    }

    private var marks: [Reading: Mark] = [:]

    func count(for user: String, in conversation: String, of store: MessageStore) -> Int64 {
        store.count(in: conversation, after: mark(of: user, in: conversation), notFrom: user)
    }

    func isUnread(_ message: ChatMessage, for user: String) -> Bool {
        message.sender != user && message.isDeleted != true
            && message.sequence > mark(of: user, in: message.conversation)
    }

    private func mark(of user: String, in conversation: String) -> Int64 {
        marks[Reading(user: user, conversation: conversation)]?.sequence ?? 0
    }

    /// Returns the read marks of the other users that a client of `user` may not know, because they were made after the
    /// client had seen the message with the sequence number `seen`. They are sorted by conversation, then by reader.
    func missed(by user: String, seenThrough seen: Int64) -> [(conversation: String, reader: String, sequence: Int64)] {
        marks.filter { $0.key.user != user && $0.value.madeAt >= seen }
            .map { ($0.key.conversation, $0.key.user, $0.value.sequence) }
            .sorted { ($0.conversation, $0.reader) < ($1.conversation, $1.reader) }
    }

    /// Records that a user has read a conversation up to a sequence number.
    ///
    /// A read mark never moves back.
    mutating func read(
        _ conversation: String,
        through sequence: Int64,
        by user: String,
        of store: MessageStore,
        policy: ServerPolicy.Unread
    ) {
        let reading = Reading(user: user, conversation: conversation)
        let reached =
            switch policy {
            case .aboveReadMark: sequence
            case .zeroedByReading: store.lastSequence
            }
        let newest = store.lastSequence
        let mark = min(reached, newest)
        guard mark > marks[reading]?.sequence ?? 0 else { return }
        marks[reading] = Mark(sequence: mark, madeAt: newest)
    }
}
