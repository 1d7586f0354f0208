import ChatWire
import SquallCore

/// Owns what is read: how many messages of each conversation the user has not seen, and what sees them.
///
/// ``UnreadTally`` is the count of one conversation, ``Views`` what is on the screen, ``ViewFocus`` where the user looks, ``PendingReads``
/// what the server has yet to learn.
struct Unread {
    let rules: Rules
    var policy: UnreadPolicy { rules.policy.unread }
    private(set) var views: Views
    private var tallies: [String: UnreadTally] = [:]
    /// In the order they came to be known.
    private(set) var names: [String] = []
    /// Conversations whose count has changed in this step.
    private var changed: [String] = []
    /// Conversations whose first unread message was brought onto the screen since they were opened.
    private var isLookedAt: Set<String> = []
    /// Whether anything was ever unread.
    private(set) var wasAnyUnread = false

    /// Read, but the server does not know.
    var pendingReads: PendingReads

    init(_ rules: Rules, store: StoreImage) {
        self.rules = rules
        views = Views(
            areShared: rules.policy.unread.views == .shareOneFlag,
            chosen: store["view.conversation"]?.stringValue
        )
        pendingReads = PendingReads(rules, store: store)
        for entry in store.entries where entry.key.hasPrefix("unread/") {
            let name = String(entry.key.dropFirst("unread/".count))
            tallies[name] = UnreadTally(stored: entry.value.intValue ?? 0)
            names.append(name)
            wasAnyUnread = true
        }
        for (name, taken) in PendingReads.readings(in: store) where taken > 0 {
            if tallies[name] == nil { names.append(name) }
            tallies[name, default: UnreadTally()].readInAdvance = taken
        }
    }

    subscript(conversation: String) -> Int64 { tallies[conversation]?.total ?? 0 }

    /// Of all conversations together.
    var sum: Int64 { names.reduce(0) { $0 + self[$1] } }

    mutating func takeChanged() -> [String] {
        defer { changed = [] }
        return changed
    }

    /// Whether a message that arrives there now is seen.
    func isWatched(_ conversation: String, _ focus: ViewFocus) -> Bool {
        let isInView =
            views.isActive(conversation, chosen: focus.conversation)
            || (policy.outOfView == .isRead && conversation == focus.conversation)
        return isInView && (focus.isInForeground || policy.autoRead == .alsoInBackground)
    }

    private var clearsOn: ClientProfile.ClearOn {
        policy.clearing == .onSelection ? .open : rules.profile.unread.clearOn
    }

    // MARK: - Messages

    /// A message has come that the client did not have. `isAtEnd`: the reader of its conversation is where new messages come.
    mutating func arrived(
        _ message: Message,
        via arrival: Arrival,
        isAtEnd: Bool,
        _ focus: ViewFocus,
        _ step: inout Step
    ) {
        guard arrival == .live || arrival == .replay || arrival == .page else { return }
        guard !message.isDeleted else { return }
        if message.isOwn {
            if policy.own == .isReceipted, isWatched(message.conversation, focus) {
                pendingReads.owe(receiptFor: message)
            }
        } else if isReadOnArrival(message.conversation, isAtEnd: isAtEnd, focus) {
            pendingReads.owe(receiptFor: message)
        } else {
            change(message.conversation, &step) { $0.add(message.key, sequence: message.sequence ?? .max) }
        }
    }

    /// Nobody has to read a message any more, with so many of others behind it.
    mutating func deleted(_ message: Message, leaving behind: Int64, _ step: inout Step) {
        guard !message.isOwn, tallies[message.conversation] != nil else { return }
        change(message.conversation, &step) { $0.remove(message.key, leaving: behind) }
    }

    /// A message has come that the client had.
    mutating func arrivedAgain(_ message: Message, _ focus: ViewFocus, _ step: inout Step) {
        guard !message.isOwn else { return }
        guard isWatched(message.conversation, focus) else {
            if policy.counting == .byArrival { change(message.conversation, &step) { $0.add(1) } }
            return
        }
        if policy.receipts == .areRepeated { pendingReads.owe(receiptFor: message) }
        if policy.readOnArrival == .takesOffOne { change(message.conversation, &step) { $0.takeOffOne() } }
    }

    /// The newest page of a conversation is here, with these messages of others that the client did not have.
    ///
    /// The server may count any of them as unread, whatever the client has counted: who looks at them has read them.
    mutating func pageArrived(
        _ conversation: String,
        _ new: [Message],
        isAtEnd: Bool,
        _ focus: ViewFocus,
        _ step: inout Step
    ) {
        let known = tallies[conversation]?.takeReadByNumber() ?? 0
        guard policy.opening == .readsAll, isWatched(conversation, focus), Int64(new.count) > known else { return }
        switch clearsOn {
        case .open: pendingReads.owe(readingOf: conversation, taken: 0, &step)
        case .visible:
            // What is unread by number is looked at from its first message on.
            guard isAtEnd, self[conversation] == 0,
                let newest = new.max(by: { ($0.sequence ?? 0) < ($1.sequence ?? 0) })
            else { return }
            pendingReads.owe(receiptFor: newest)
        }
    }

    private func isReadOnArrival(_ conversation: String, isAtEnd: Bool, _ focus: ViewFocus) -> Bool {
        guard policy.autoRead != .never else { return false }
        if policy.elsewhere == .isRead, let chosen = focus.conversation, isWatched(chosen, focus) { return true }
        // Below what has yet to be seen nothing is seen, and nothing below the screen.
        return isWatched(conversation, focus) && (clearsOn == .open || (isAtEnd && self[conversation] == 0))
    }

    // MARK: - The screen

    /// The view of a conversation is there, and that of the one before is not.
    mutating func opened(_ conversation: String, insteadOf before: String?, _ step: inout Step) {
        if let before { views.disappeared(before) }
        views.appeared(conversation)
        isInViewAnew(conversation, &step)
    }

    mutating func appeared(_ conversation: String, _ step: inout Step) {
        views.appeared(conversation)
        isInViewAnew(conversation, &step)
    }

    mutating func disappeared(_ conversation: String, _ step: inout Step) {
        views.disappeared(conversation)
        step.changes.insert(.unread)
    }

    /// The user has gone back to the list.
    mutating func left(_ conversation: String, _ step: inout Step) { disappeared(conversation, &step) }

    /// The app has started: what was on the screen when it ended is there again.
    mutating func begin(_ focus: ViewFocus, _ step: inout Step) {
        if let chosen = focus.conversation { isInViewAnew(chosen, &step) }
    }

    mutating func foreground(_ focus: ViewFocus, _ step: inout Step) {
        guard let chosen = focus.conversation, views.isActive(chosen, chosen: chosen) else { return }
        isInViewAnew(chosen, &step)
    }

    private mutating func isInViewAnew(_ conversation: String, _ step: inout Step) {
        step.changes.insert(.unread)
        isLookedAt.remove(conversation)
        if policy.opening == .readsAll, clearsOn == .open { markRead(conversation, &step) }
    }

    /// The conversation whose first unread message is to be brought onto the screen; nil for none.
    func awaitsSight(_ focus: ViewFocus) -> String? {
        guard clearsOn == .visible, policy.opening == .readsAll, let chosen = focus.conversation, self[chosen] > 0,
            isWatched(chosen, focus), !isLookedAt.contains(chosen)
        else { return nil }
        return chosen
    }

    /// So much of the conversation is on the screen: up to this message, with so many of others behind it.
    mutating func saw(_ message: Message, leaving remaining: Int64, _ focus: ViewFocus, _ step: inout Step) {
        isLookedAt.insert(message.conversation)
        guard isWatched(message.conversation, focus), self[message.conversation] > remaining else { return }
        read(message.conversation, leaving: remaining, &step)
        pendingReads.owe(receiptFor: message)
    }

    // MARK: - Reading

    /// The user says so, whatever is on the screen.
    mutating func userMarkedRead(_ conversation: String, isKnown: Bool, _ step: inout Step) {
        if !isKnown, tallies[conversation] == nil, policy.unknown == .crashes {
            step.crash("There is no conversation '\(conversation)' to be read.")
        }
        markRead(conversation, &step)
    }

    /// The user has seen the whole conversation.
    private mutating func markRead(_ conversation: String, _ step: inout Step) {
        guard self[conversation] > 0 else { return }
        let taken = read(conversation, leaving: 0, &step)
        tallies[conversation]?.readInAdvance += taken
        pendingReads.owe(readingOf: conversation, taken: tallies[conversation]?.readInAdvance ?? taken, &step)
    }

    /// Another device of the same user has read, with so many messages of others behind what it read.
    mutating func readElsewhere(_ conversation: String, leaving remaining: Int64, _ step: inout Step) {
        guard tallies[conversation] != nil else { return }
        read(conversation, leaving: remaining, isRepeated: policy.repeated == .takesOffTheSame, &step)
    }

    @discardableResult
    private mutating func read(
        _ conversation: String,
        leaving remaining: Int64,
        isRepeated: Bool = false,
        _ step: inout Step
    ) -> Int64 {
        var taken: Int64 = 0
        change(conversation, &step) { taken = $0.read(leaving: remaining, isRepeated: isRepeated) }
        if taken > 0, remaining == 0 { step.log("client.conversation_read", ["conversation": .string(conversation)]) }
        return taken
    }

    /// What was taken off in advance is unread again.
    mutating func undoReading(_ conversation: String, _ step: inout Step) {
        change(conversation, &step) { $0.add($0.readInAdvance) }
    }

    mutating func forgetAdvance(_ conversation: String) {
        tallies[conversation]?.readInAdvance = 0
    }

    // MARK: - The server's counts

    /// What the server counts among the messages up to a sequence; what the client has yet to tell it, it cannot know.
    mutating func counted(
        _ conversation: String,
        _ count: Int64,
        through sequence: Int64?,
        _ focus: ViewFocus,
        _ step: inout Step
    ) {
        guard !pendingReads.contains(conversation), !isWatched(conversation, focus) else { return }
        let count = UnreadTally.bounded(count)
        if let tally = tallies[conversation] {
            step.emit(.badgeCompared(isRight: tally.total(through: sequence) == count))
        }
        guard self[conversation] > 0 || count > 0 else { return }
        change(conversation, &step) { $0.counted(count, through: sequence) }
    }

    private mutating func change(_ conversation: String, _ step: inout Step, _ change: (inout UnreadTally) -> Void) {
        if tallies[conversation] == nil { names.append(conversation) }
        let before = self[conversation]
        change(&tallies[conversation, default: UnreadTally()])
        let count = self[conversation]
        guard count != before else { return }
        if !changed.contains(conversation) { changed.append(conversation) }
        wasAnyUnread = true
        step.changes.insert(.unread)
        step.emit(.unreadChanged(conversation))
        guard policy.storing == .isStored else { return }
        step.store("unread/\(conversation)", count <= 0 ? Optional.none : .integer(count))
    }
}

extension Unread {
    static let registry: [RegistryEntry] = [
        .observable("unread", .integer, key: "conversation", "Messages of it that the user has not seen."),
        .observable("view.active", .flag, key: "conversation", "Whether its view is on the screen."),
        .observable(
            "badge.app",
            .integer,
            "The number on the app's icon: what is unread in all conversations together. Shown once anything was unread, or the "
                + "list was opened."
        ),
        .event("client.conversation_read", ["conversation"], "Nothing of a conversation is unread any more."),
    ]
}
