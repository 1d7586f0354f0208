import ChatWire
import SquallCore

/// Every message the server has, in the order of their sequence.
///
/// What a restart with `state: keep` keeps.
struct MessageStore: Hashable, Sendable {
    /// A message and when the server got it on the run's own clock, which no skew moves.
    struct Entry: Hashable, Sendable {
        var message: ChatMessage
        var storedAt: Instant
        /// What the message was before it was deleted: for whoever audits, and given out no more.
        var original: Original?
        /// It is as if it had never been, but for its place: so it is in a conversation that was removed, and with a server that
        /// keeps no records.
        var isGone = false
    }

    /// What a deletion takes out of a message.
    struct Original: Hashable, Sendable {
        var text: String
        var media: MessageMedia?
    }

    /// A message that is not stored yet.
    struct Draft: Hashable, Sendable {
        /// Nil for one that is given an id here.
        var id: String?
        var conversation: String
        var sender: String
        var text: String
        var clientMessageID: String?
        /// Milliseconds since 1970 on the server's clock.
        var timestamp: Int64
        var media: MessageMedia?
    }

    /// Whose idempotency key it is: two users may use the same.
    private struct SendKey: Hashable {
        var sender: String
        var clientMessageID: String
    }

    private(set) var entries: [Entry] = []
    /// In the order of their first message.
    private(set) var conversations: [String] = []
    private var places: [String: [Int]] = [:]
    private var placesByID: [String: Int] = [:]
    private var placesBySend: [SendKey: Int] = [:]
    /// Grows when everything is lost, so that no id is ever given twice.
    private var generation = 1
    private var drafted = 0

    /// The newest sequence, 0 where there is none.
    var lastSequence: Int64 { Int64(entries.count) }

    /// An id that no other message has or will have.
    ///
    /// Ids ascend as they are given, also as texts.
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
        let place = entries.count
        entries.append(Entry(message: message, storedAt: now))
        if places[message.conversation] == nil { conversations.append(message.conversation) }
        places[message.conversation, default: []].append(place)
        placesByID[message.id] = place
        if let id = message.clientMessageID {
            placesBySend[SendKey(sender: message.sender, clientMessageID: id)] = place
        }
        return message
    }

    /// The message that a sender has sent under an idempotency key before, as it was sent.
    func sent(by sender: String, as clientMessageID: String) -> ChatMessage? {
        placesBySend[SendKey(sender: sender, clientMessageID: clientMessageID)].flatMap { place in
            guard !entries[place].isGone else { return nil }
            var message = entries[place].message
            guard let original = entries[place].original else { return message }
            message.text = original.text
            message.media = original.media
            return message
        }
    }

    /// A message that was deleted when so many had been stored.
    struct Deletion: Hashable, Sendable {
        var id: String
        var sequence: Int64
    }

    /// The first deleted first.
    private(set) var deletions: [Deletion] = []

    /// Takes text and media out of a message and keeps its place, or with `isGone` takes the message out as if it had never
    /// been.
    mutating func delete(_ id: String, at moment: Int64, by user: String, isGone: Bool) {
        guard let place = placesByID[id], entries[place].original == nil else { return }
        entries[place].original = Original(text: entries[place].message.text, media: entries[place].message.media)
        entries[place].message.text = ""
        entries[place].message.media = nil
        entries[place].message.isDeleted = true
        entries[place].message.deletedAt = moment
        entries[place].message.deletedBy = user
        deletions.append(Deletion(id: id, sequence: lastSequence))
        guard isGone else { return }
        entries[place].isGone = true
        placesByID[id] = nil
        places[entries[place].message.conversation]?.removeAll { $0 == place }
    }

    /// A deleted message's text, of which there is a record.
    func original(of id: String) -> Original? { placesByID[id].flatMap { entries[$0].original } }

    subscript(id: String) -> ChatMessage? {
        placesByID[id].map { entries[$0].message }
    }

    /// Whether a message has or had that id, the server's or its sender's.
    func has(_ id: String) -> Bool {
        placesByID[id] != nil || entries.contains { $0.message.id == id || $0.message.clientMessageID == id }
    }

    /// What the trace calls a message: its sender's id while there is one.
    func key(of id: String) -> String {
        self[id]?.key ?? id
    }

    /// Nil unless a message has that sequence.
    func message(sequence: Int64) -> ChatMessage? {
        guard sequence >= 1, sequence <= lastSequence else { return nil }
        let entry = entries[Int(sequence) - 1]
        return entry.isGone ? nil : entry.message
    }

    func last(of conversation: String) -> ChatMessage? {
        places[conversation]?.last.map { entries[$0].message }
    }

    /// So many before the newest of a conversation; nil beyond the oldest.
    func newest(of conversation: String, back: Int) -> ChatMessage? {
        guard let places = places[conversation], back >= 0, back < places.count else { return nil }
        return entries[places[places.count - 1 - back]].message
    }

    /// The conversation is gone, with all that was in it; what comes for it later begins it anew.
    ///
    /// Gives the sequences of what was in it.
    mutating func remove(_ conversation: String) -> [Int64] {
        conversations.removeAll { $0 == conversation }
        let removed = places.removeValue(forKey: conversation) ?? []
        for place in removed {
            placesByID[entries[place].message.id] = nil
            entries[place].isGone = true
        }
        return removed.map { entries[$0].message.sequence }
    }

    mutating func loseEverything() {
        self = MessageStore(generation: generation + 1)
    }

    init() {}

    private init(generation: Int) {
        self.generation = generation
    }
}

// MARK: - Pages

/// Some messages of one conversation, oldest first.
struct StoredPage: Hashable, Sendable {
    var messages: [ChatMessage]
    /// Whether there are more beyond the page in the direction it was asked for.
    var hasMore: Bool
}

extension MessageStore {
    /// The newest messages before a sequence, else the oldest after one, else the newest of all.
    func page(of conversation: String, before: Int64?, after: Int64?, limit: Int) -> StoredPage {
        let places = places[conversation] ?? []
        // Places ascend and a message's sequence is its place plus one.
        let low = after.map { after in places.partitioningIndex { Int64($0) + 1 > after } } ?? 0
        let high = before.map { before in places.partitioningIndex { Int64($0) + 1 >= before } } ?? places.count
        guard low < high else { return StoredPage(messages: [], hasMore: false) }
        let forward = after != nil && before == nil
        let window = forward ? places[low..<high].prefix(limit) : places[low..<high].suffix(limit)
        return StoredPage(messages: window.map { entries[$0].message }, hasMore: window.count < high - low)
    }

    /// Messages of a conversation with a higher sequence, but for those of one sender.
    func count(in conversation: String, after sequence: Int64, notFrom sender: String) -> Int64 {
        let places = places[conversation] ?? []
        let low = places.partitioningIndex { Int64($0) + 1 > sequence }
        return places[low...].reduce(0) { count, place in
            let message = entries[place].message
            return count + (message.sender == sender || message.isDeleted == true ? 0 : 1)
        }
    }
}

extension [Int] {
    /// The first index whose element meets a condition that, once met, holds for all after it.
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
    /// What the trace calls it.
    var key: String { clientMessageID ?? id }
}
