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

    /// The highest sequence number that each user has read in each conversation.
    private var marks: [Reading: Int64] = [:]

    func count(for user: String, in conversation: String, of store: MessageStore) -> Int64 {
        store.count(in: conversation, after: marks[Reading(user: user, conversation: conversation)] ?? 0, notFrom: user)
    }

    func isUnread(_ message: ChatMessage, for user: String) -> Bool {
        message.sender != user && message.isDeleted != true
            && message.sequence > marks[Reading(user: user, conversation: message.conversation)] ?? 0
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
        marks[reading] = max(marks[reading] ?? 0, min(reached, store.lastSequence))
    }
}
