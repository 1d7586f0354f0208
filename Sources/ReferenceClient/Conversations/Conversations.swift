import ChatWire
import SquallCore

/// How a stored message reached the client.
enum Arrival: Hashable {
    /// The message arrived in a frame on the live connection (`live`), or in the replay after a reconnect (`replay`).
    case live, replay
    /// The message was on a page fetched by a catch-up, which covers the messages after a known sequence number.
    case page
    /// The message was on the newest page, which was requested for the screen.
    case history
    /// The message was on a page of older messages, which was requested for the screen.
    case earlier
}

/// Owns all messages and conversations and the order in which they are displayed.
struct Conversations {
    let rules: Rules
    var policy: ConversationsPolicy { rules.policy.conversations }
    /// The names of the conversations, in the order in which the client learned of them.
    private(set) var names: [String] = []
    private(set) var conversations: [String: Conversation] = [:]
    private(set) var messages: [String: Message] = [:]
    /// The keys of the messages by server-assigned ID.
    private var keys: [String: String] = [:]
    var streams = Streams()
    /// The name of the client's user.
    var me: String
    /// The conversations that have changed since the last call to ``takeChanged()``.
    private(set) var changed: [String] = []

    /// The open conversation; nil if none is open.
    var open: String?
    /// The row IDs that each conversation had when a page was requested; used only with a planted defect.
    var knownWhenAsked: [String: Set<String>] = [:]
    /// The conversation that the user is refreshing; nil if no refresh is in progress.
    var refreshing: String?
    /// The instant at which a failed request to close a gap is retried; nil if no retry is scheduled.
    var joinAt: Instant?
    /// Whether any message has ever had an image.
    var hasImages = false

    init(_ rules: Rules, store: StoreImage, outbox: [OutboxEntry], me: String) {
        self.rules = rules
        self.me = me
        open = store["view.conversation"]?.stringValue
        for entry in store.entries where entry.key.hasPrefix(Message.storePrefix) {
            if let message = Message(stored: entry.value) { restore(message) }
        }
        for entry in outbox { add(entry) }
    }

    subscript(name: String) -> Conversation {
        get { conversations[name] ?? Conversation() }
        _modify {
            if conversations[name] == nil { names.append(name) }
            if !changed.contains(name) { changed.append(name) }
            yield &conversations[name, default: Conversation()]
        }
    }

    /// Returns the conversations that have changed since the last call.
    mutating func takeChanged() -> [String] {
        defer { changed = [] }
        return changed
    }

    // MARK: - The user's messages

    /// Adds one of the user's messages, which is displayed before the server has received it.
    mutating func add(_ entry: OutboxEntry) {
        messages[entry.key] = Message(entry, sender: me)
        if entry.image != nil { hasImages = true }
        self[entry.conversation].insertLocal(entry.key)
    }

    /// Handles the server's confirmation of one of the user's messages. The server's timestamp and id then determine
    /// the message's position.
    mutating func confirm(_ key: String, id: String, sequence: Int64, timestamp: Int64, _ step: inout Step) {
        guard var message = messages[key], message.id == nil else { return }
        message.id = id
        message.sequence = sequence
        if policy.clock == .ofServer { message.timestamp = timestamp }
        messages[key] = message
        keys[id] = key
        self[message.conversation].removeLocal(key)
        self[message.conversation].insert(
            Conversation.Row(timestamp: message.timestamp, id: id, key: key),
            policy.order
        )
        step.touch(key)
        step.changes.insert(.conversations)
    }

    // MARK: - From the server

    /// Adds a message from the server.
    ///
    /// - Returns: Whether the message is new to the client.
    mutating func add(_ chat: ChatMessage, via arrival: Arrival, _ step: inout Step) -> Bool {
        var conversation = chat.conversation
        let isForScreen = arrival == .history || arrival == .earlier
        if isForScreen, policy.replies == .areShownAsTheyCome { conversation = open ?? conversation }
        if policy.elsewhere == .isDropped, arrival == .live, conversation != open { return false }

        let key = chat.clientMessageID ?? chat.id
        if let known = messages[key], known.id == nil, known.isOwn {
            confirm(key, id: chat.id, sequence: chat.sequence, timestamp: chat.timestamp, &step)
            return false
        }
        let isKnown = keys[chat.id] != nil || messages[key] != nil
        if isKnown, chat.isDeleted == true { markDeleted(id: chat.id, &step) }
        if policy.deleted == .areRestored, isForScreen || arrival == .page { restore(chat, &step) }
        guard !isKnown || showsDuplicates(of: arrival) else {
            guard arrival == .live || arrival == .replay else { return false }
            step.log("client.dropped_duplicate", key: keys[chat.id] ?? key)
            if let known = messages[keys[chat.id] ?? key] { step.emit(.arrivedAgain(known)) }
            return false
        }
        let message = Message(chat, in: conversation, isOwn: chat.sender == me)
        if message.isOwn, policy.otherDevices == .areIgnored, arrival == .live || arrival == .replay { return false }
        if message.kind == .unsupported, rules.policy.media.unknown == .crashes {
            step.crash("unknown content \(message.media?.type ?? "")")
        }
        if message.kind == .image { hasImages = true }
        messages[message.key] = message
        keys[chat.id] = message.key
        if streams.end(chat.id) { step.changes.insert(.peers) }
        self[conversation].insert(
            Conversation.Row(timestamp: message.timestamp, written: chat.writtenTime, id: chat.id, key: message.key),
            policy.order
        )
        if !isKnown { step.emit(.arrived(message, via: arrival)) }
        step.touch(message.key)
        step.changes.insert(.conversations)
        return !isKnown
    }

    /// Brings back a message that is deleted here but not on a page; called only with an injected defect.
    private mutating func restore(_ chat: ChatMessage, _ step: inout Step) {
        guard chat.isDeleted != true, let key = keys[chat.id], var message = messages[key], message.isDeleted else {
            return
        }
        message.isDeleted = false
        set(message)
        storeAgain(message, &step)
        step.touch(key)
        step.changes.insert(.conversations)
    }

    /// Returns whether a message that the client already has is displayed a second time; true only with an injected
    /// defect.
    private func showsDuplicates(of arrival: Arrival) -> Bool {
        if policy.known == .areAddedAgain { return true }
        return switch arrival {
        case .live, .replay: policy.duplicates == .areShown
        case .page, .history, .earlier: policy.historyDuplicates == .areShown
        }
    }

    /// Adds a piece of a streamed message, unless the complete message has arrived already.
    mutating func add(_ token: ServerFrame.Token, _ step: inout Step) {
        step.changes.formUnion([.peers, .conversations])
        guard keys[token.messageID] == nil else { return }
        streams.add(token)
        self[token.conversation].insertStream(token.messageID)
        step.touch(token.messageID)
    }

    /// Marks the user's messages as read by another user, up to and including the message with the server-assigned
    /// `id`.
    mutating func readByOther(_ conversation: String, through id: String, _ step: inout Step) {
        guard let rows = conversations[conversation]?.rows, let last = rows.lastIndex(where: { $0.id == id }) else {
            return
        }
        // The rows are visited backwards, so that the loop stops at the first message that an earlier receipt has
        // marked.
        for row in rows[...last].reversed() {
            guard var message = messages[row.key], message.isOwn else { continue }
            guard !message.isRead else { return }
            message.isRead = true
            messages[row.key] = message
            if policy.readMarks == .areStored { storeAgain(message, &step) }
            step.touch(row.key)
        }
    }

    /// Replaces a message that the client has; a message with an unknown key is ignored.
    mutating func set(_ message: Message) {
        guard messages[message.key] != nil else { return }
        messages[message.key] = message
    }

    /// Returns the key of a message, given its server-assigned ID or its key; nil if the client does not have the
    /// message.
    func key(of message: String) -> String? {
        keys[message] ?? (messages[message] == nil ? nil : message)
    }

    /// Handles the closing of a conversation. Its messages are kept unless a planted defect discards them.
    mutating func left(_ conversation: String) {
        guard policy.unconfirmed == .areForgotten else { return }
        for key in self[conversation].removeAllLocal() { messages[key] = nil }
    }

    mutating func forget(_ row: Conversation.Row) {
        messages[row.key] = nil
        keys[row.id] = nil
    }

    mutating func wipe(_ conversation: String) {
        for row in self[conversation].rows { forget(row) }
        self[conversation].wipe()
    }

    // MARK: - Storage

    private mutating func restore(_ message: Message) {
        guard let id = message.id else { return }
        if message.kind == .image { hasImages = true }
        messages[message.key] = message
        keys[id] = message.key
        self[message.conversation].insert(
            Conversation.Row(timestamp: message.timestamp, id: id, key: message.key),
            .byTimestamp
        )
        self[message.conversation].cached = self[message.conversation].rows.map(\.id)
    }

    /// Writes a changed message to disk if a copy is already there; ``store(_:)`` writes only messages that are not on
    /// disk.
    func storeAgain(_ message: Message, _ step: inout Step) {
        guard let key = message.storeKey, let id = message.id else { return }
        if conversations[message.conversation]?.cached.contains(id) == true { step.store(key, message.stored) }
    }

    /// Writes the newest messages of each changed conversation to disk.
    ///
    /// The profile limits the number of messages per conversation, so that a busy conversation does not evict the
    /// messages of a quiet one.
    mutating func store(_ step: inout Step) {
        let limit = policy.cache == .isUnlimited ? .max : Int(clamping: rules.profile.cache.perConversation)
        let allNewest = policy.cache == .isShared ? newestOfAll(limit) : nil
        for name in allNewest == nil ? changed : names {
            guard let (removed, added) = conversations[name]?.cache(limit, of: allNewest) else { continue }
            for id in removed { step.store(Message.storePrefix + name + "/" + id, nil) }
            for row in added {
                guard let message = messages[row.key], let storeKey = message.storeKey else { continue }
                step.store(storeKey, message.stored)
            }
        }
    }

    /// Returns the IDs of the newest `limit` messages across all conversations.
    private func newestOfAll(_ limit: Int) -> Set<String> {
        var rows: [Conversation.Row] = []
        for name in names { rows += conversations[name]?.rows ?? [] }
        rows.sort { $0.isBefore($1) }
        return Set(rows.suffix(limit).map(\.id))
    }
}
