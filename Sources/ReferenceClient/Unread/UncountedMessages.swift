import ChatWire
import SquallCore

/// Owns the messages on pages that arrived while their conversation was open but not visible.
///
/// A page may be older than the messages that the user has read. Its messages therefore count as unread only once they
/// also arrive live or in a replay, or once the conversation is visible. They are kept on disk, because the server may
/// count them as unread.
struct UncountedMessages {
    /// The sequence numbers of the messages, by conversation and message key; `Int64.max` for a message without one.
    private var sequences: [String: [String: Int64]] = [:]

    private static let prefix = "uncounted/"

    init(store: StoreImage) {
        for entry in store.entries where entry.key.hasPrefix(Self.prefix) {
            let messages = (entry.value.members ?? []).map { ($0.name, $0.value.intValue ?? .max) }
            sequences[String(entry.key.dropFirst(Self.prefix.count))] = Dictionary(messages, uniquingKeysWith: max)
        }
    }

    mutating func add(_ messages: [Message], to conversation: String, _ step: inout Step) {
        for message in messages { sequences[conversation, default: [:]][message.key] = message.sequence ?? .max }
        write(conversation, &step)
    }

    /// Removes a message; returns false if it was not among the uncounted messages.
    mutating func remove(_ message: Message, _ step: inout Step) -> Bool {
        guard sequences[message.conversation]?.removeValue(forKey: message.key) != nil else { return false }
        write(message.conversation, &step)
        return true
    }

    /// Removes and returns a conversation's messages, oldest first; nil if no page has arrived while the conversation
    /// was not visible.
    mutating func take(_ conversation: String, _ step: inout Step) -> [(key: String, sequence: Int64)]? {
        guard let messages = sequences.removeValue(forKey: conversation) else { return nil }
        step.store(Self.prefix + conversation, nil)
        return messages.map { ($0.key, $0.value) }.sorted { ($0.1, $0.0) < ($1.1, $1.0) }
    }

    mutating func removeAll(_ step: inout Step) {
        for conversation in sequences.keys.sorted() { _ = take(conversation, &step) }
    }

    private func write(_ conversation: String, _ step: inout Step) {
        var entry: JSON = [:]
        for (key, sequence) in (sequences[conversation] ?? [:]).sorted(by: { $0.key < $1.key }) {
            entry.set(key, to: .integer(sequence))
        }
        step.store(Self.prefix + conversation, entry)
    }
}
