import ChatWire
import SquallCore

/// All messages that the server has stored, in ascending order of sequence number.
///
/// The store survives a restart with `state: keep`.
struct MessageStore: Hashable, Sendable {
    /// A message and the instant at which the server stored it, on the run's clock, which is never skewed.
    struct Entry: Hashable, Sendable {
        var message: ChatMessage
        var storedAt: Instant
        /// The content before the deletion, kept as a record but not sent to clients.
        var original: Original?
        /// Whether the message is hidden completely, so that only its sequence number remains in use.
        ///
        /// True for messages in a removed conversation, and for deleted messages if the server keeps no records.
        var isGone = false
    }

    /// The content that a deletion removes from a message.
    struct Original: Hashable, Sendable {
        var text: String
        var media: MessageMedia?
    }

    /// A message that has not been stored yet.
    struct Draft: Hashable, Sendable {
        /// The message's id; nil if the store is to assign one.
        var id: String?
        var conversation: String
        var sender: String
        var text: String
        var clientMessageID: String?
        /// The message's time in milliseconds since 1970 on the server's clock.
        var timestamp: Int64
        var media: MessageMedia?
    }

    /// An idempotency key with its sender, because two users may use the same key.
    private struct SendKey: Hashable {
        var sender: String
        var clientMessageID: String
    }

    private(set) var entries: [Entry] = []
    /// The conversations, ordered by their first message.
    private(set) var conversations: [String] = []
    /// The conversations that were removed, or lost along with all messages. Clients are not notified of either.
    private(set) var forgotten: Set<String> = []
    private var places: [String: [Int]] = [:]
    private var indexByID: [String: Int] = [:]
    private var placesBySend: [SendKey: Int] = [:]
    /// The number of times that all state was lost, plus 1. It is part of each ID, so that no ID is assigned twice.
    private var generation = 1
    private var drafted = 0

    /// The sequence number of the newest message; 0 if there is none.
    var lastSequence: Int64 { Int64(entries.count) }

    /// Returns a new id, which no other message has or will have.
    ///
    /// Ids ascend in order of assignment, even when compared as strings.
    mutating func nextID() -> String {
        drafted += 1
        let digits = String(drafted)
        let padding = String(repeating: "0", count: max(0, 6 - digits.count))
        return "m\(generation)-\(padding)\(digits)"
    }

    mutating func store(_ draft: Draft, at now: Instant) -> ChatMessage {
        let message = ChatMessage(
            id: draft.id ?? nextID(),
            conversation: draft.conversation,
            sender: draft.sender,
            sequence: lastSequence + 1,
            timestamp: draft.timestamp,
            text: draft.text,
            clientMessageID: draft.clientMessageID,
            media: draft.media
        )
        let index = entries.count
        entries.append(Entry(message: message, storedAt: now))
        if places[message.conversation] == nil { conversations.append(message.conversation) }
        places[message.conversation, default: []].append(index)
        indexByID[message.id] = index
        if let id = message.clientMessageID {
            placesBySend[SendKey(sender: message.sender, clientMessageID: id)] = index
        }
        return message
    }

    /// Returns the message that `sender` has already sent with this idempotency key, with its original content.
    func sent(by sender: String, as clientMessageID: String) -> ChatMessage? {
        placesBySend[SendKey(sender: sender, clientMessageID: clientMessageID)].flatMap { index in
            guard !entries[index].isGone else { return nil }
            var message = entries[index].message
            guard let original = entries[index].original else { return message }
            message.text = original.text
            message.media = original.media
            return message
        }
    }

    /// The deletion of a message, and the highest sequence number that had been assigned by then.
    struct Deletion: Hashable, Sendable {
        var id: String
        var sequence: Int64
    }

    /// All deletions, oldest first.
    private(set) var deletions: [Deletion] = []

    /// Removes a message's text and media but not its position; with `isGone`, hides the message completely.
    mutating func delete(_ id: String, at moment: Int64, by user: String, isGone: Bool) {
        guard let index = indexByID[id], entries[index].original == nil else { return }
        entries[index].original = Original(text: entries[index].message.text, media: entries[index].message.media)
        entries[index].message.text = ""
        entries[index].message.media = nil
        entries[index].message.isDeleted = true
        entries[index].message.deletedAt = moment
        entries[index].message.deletedBy = user
        deletions.append(Deletion(id: id, sequence: lastSequence))
        guard isGone else { return }
        entries[index].isGone = true
        indexByID[id] = nil
        places[entries[index].message.conversation]?.removeAll { $0 == index }
    }

    /// Returns the content of a deleted message before its deletion; nil if no record was kept.
    func original(of id: String) -> Original? { indexByID[id].flatMap { entries[$0].original } }

    subscript(id: String) -> ChatMessage? {
        indexByID[id].map { entries[$0].message }
    }

    /// Returns whether the server has, or ever had, a message with this server- or sender-assigned ID.
    func has(_ id: String) -> Bool {
        indexByID[id] != nil || entries.contains { $0.message.id == id || $0.message.clientMessageID == id }
    }

    /// Returns the message's key in the trace: the ID that the sender assigned or, if there is none, the
    /// server-assigned ID.
    func key(of id: String) -> String {
        self[id]?.key ?? id
    }

    /// Returns the message with this sequence number; nil if there is none or it is hidden.
    func message(sequence: Int64) -> ChatMessage? {
        guard sequence >= 1, sequence <= lastSequence else { return nil }
        let entry = entries[Int(sequence) - 1]
        return entry.isGone ? nil : entry.message
    }

    /// Returns all messages in a conversation that are not hidden, oldest first.
    func messages(of conversation: String) -> [ChatMessage] {
        (places[conversation] ?? []).map { entries[$0].message }
    }

    func last(of conversation: String) -> ChatMessage? {
        places[conversation]?.last.map { entries[$0].message }
    }

    /// Returns the message at the position `back`, counted back from the conversation's newest message, which has
    /// position 0; nil if there is none.
    func newest(of conversation: String, back: Int) -> ChatMessage? {
        guard let places = places[conversation], back >= 0, back < places.count else { return nil }
        return entries[places[places.count - 1 - back]].message
    }

    /// Removes a conversation with all its messages. A later message to the conversation creates it again.
    ///
    /// Returns the sequence numbers of the removed messages.
    mutating func remove(_ conversation: String) -> [Int64] {
        conversations.removeAll { $0 == conversation }
        forgotten.insert(conversation)
        let removed = places.removeValue(forKey: conversation) ?? []
        for index in removed {
            indexByID[entries[index].message.id] = nil
            entries[index].isGone = true
        }
        return removed.map { entries[$0].message.sequence }
    }

    mutating func loseEverything() {
        let lost = forgotten.union(conversations)
        self = MessageStore(generation: generation + 1)
        forgotten = lost
    }

    init() {}

    private init(generation: Int) {
        self.generation = generation
    }
}

// MARK: - Pages

/// A page of one conversation's messages, oldest first.
struct StoredPage: Hashable, Sendable {
    var messages: [ChatMessage]
    /// Whether there are more messages beyond the page, in the requested direction.
    var hasMore: Bool
}

extension MessageStore {
    /// Returns a page of at most `limit` messages: the newest ones before the sequence number `before`, the oldest ones
    /// after the sequence number `after`, or the newest of all if both are nil.
    func page(of conversation: String, before: Int64?, after: Int64?, limit: Int) -> StoredPage {
        let places = places[conversation] ?? []
        // The indices are in ascending order, and a message's sequence number is its index plus one.
        let low = after.map { after in places.partitioningIndex { Int64($0) + 1 > after } } ?? 0
        let high = before.map { before in places.partitioningIndex { Int64($0) + 1 >= before } } ?? places.count
        guard low < high else { return StoredPage(messages: [], hasMore: false) }
        let forward = after != nil && before == nil
        let window = forward ? places[low..<high].prefix(limit) : places[low..<high].suffix(limit)
        return StoredPage(messages: window.map { entries[$0].message }, hasMore: window.count < high - low)
    }

    /// Returns the number of messages in a conversation after a sequence number, not counting deleted messages and
    /// messages from `sender`.
    func count(in conversation: String, after sequence: Int64, notFrom sender: String) -> Int64 {
        let places = places[conversation] ?? []
        let low = places.partitioningIndex { Int64($0) + 1 > sequence }
        return places[low...].reduce(0) { count, index in
            let message = entries[index].message
            return count + (message.sender == sender || message.isDeleted == true ? 0 : 1)
        }
    }
}

extension [Int] {
    /// Returns the first index whose element satisfies `condition`, which must also hold for all later elements.
    fileprivate func partitioningIndex(where condition: (Int) -> Bool) -> Int {
        var low = startIndex
        var high = endIndex
        while low < high {
            let middle = low + (high - low) / 2
            if condition(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}

extension ChatMessage {
    /// The message's key in the trace: the ID that the sender assigned or, if there is none, the server-assigned ID.
    var key: String { clientMessageID ?? id }
}
