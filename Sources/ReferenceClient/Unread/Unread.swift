import ChatWire
import SquallCore

/// Owns the number of unread messages in each conversation, and decides which messages count as read.
///
/// ``UnreadTally`` is the count of one conversation, ``Views`` tracks which views are visible, ``ViewFocus`` is the
/// conversation that the user is looking at, and ``PendingReads`` holds the read reports that the server has not
/// confirmed.
struct Unread {
    let rules: Rules
    var policy: UnreadPolicy { rules.policy.unread }
    private(set) var views: Views
    private(set) var tallies: [String: UnreadTally] = [:]
    /// The conversations in the order in which the client learned of them.
    private(set) var names: [String] = []
    /// The conversations whose count has changed since the last call to ``takeChanged()``.
    private var changed: [String] = []
    /// The conversations whose first unread message has become visible since the user opened the conversation.
    private var seenSinceOpening: Set<String> = []
    private var uncounted: UncountedMessages
    /// The conversations for which the server has rejected a mark-read request since they were last opened.
    private var rejected: Set<String> = []
    /// Whether any message has ever been unread.
    private(set) var wasAnyUnread = false

    /// The read reports that the server has not confirmed yet.
    var pendingReads: PendingReads

    init(_ rules: Rules, store: StoreImage) {
        self.rules = rules
        views = Views(rules.policy.unread.views, chosen: store["view.conversation"]?.stringValue)
        pendingReads = PendingReads(rules, store: store)
        uncounted = UncountedMessages(store: store)
        for entry in store.entries where entry.key.hasPrefix("unread/") {
            let name = String(entry.key.dropFirst("unread/".count))
            tallies[name] = UnreadTally(entry.value)
            names.append(name)
            wasAnyUnread = true
        }
        for (name, _, taken) in PendingReads.readings(in: store) where taken > 0 {
            if tallies[name] == nil { names.append(name) }
            tallies[name, default: UnreadTally()].readInAdvance = taken
        }
        changed = names
    }

    /// Returns the number of unread messages in a conversation.
    subscript(conversation: String) -> Int64 { tallies[conversation]?.total ?? 0 }

    /// The total number of unread messages across all conversations.
    var sum: Int64 { names.reduce(0) { $0 + self[$1] } }

    /// Returns the conversations whose count has changed since the last call.
    mutating func takeChanged() -> [String] {
        defer { changed = [] }
        return changed
    }

    /// Returns whether the user would see a message that arrived in this conversation now.
    func isWatched(_ conversation: String, _ focus: ViewFocus) -> Bool {
        let isInView =
            views.isActive(conversation, chosen: focus.conversation)
            || (policy.outOfView == .isRead && conversation == focus.conversation)
        return isInView && (focus.isInForeground || policy.autoRead == .alsoInBackground)
    }

    /// The event that marks messages as read: opening their conversation, or each message becoming visible.
    private var clearsOn: ClientProfile.ClearOn {
        policy.clearing == .onSelection ? .open : rules.profile.unread.clearOn
    }

    // MARK: - Messages

    /// Counts a new message as unread, or reports it as read; `isAtEnd` is true if the conversation's list is scrolled
    /// to its end.
    mutating func arrived(
        _ message: Message,
        via arrival: Arrival,
        isAtEnd: Bool,
        _ focus: ViewFocus,
        _ step: inout Step
    ) {
        guard arrival == .live || arrival == .replay || arrival == .page else { return }
        if let id = message.id { forgetPush(of: id, in: message.conversation, &step) }
        guard !message.isDeleted else { return }
        if message.isOwn {
            if policy.own == .isReceipted, isWatched(message.conversation, focus) {
                pendingReads.add(receiptFor: message)
            }
        } else if isReadOnArrival(message.conversation, isAtEnd: isAtEnd, focus) {
            // A receipt also covers all earlier messages, even if the server has rejected the mark-read request for
            // them, so the whole conversation becomes read.
            if policy.opening == .readsAll, !pendingReads.covers(message) {
                read(message.conversation, leaving: 0, &step)
            }
            pendingReads.add(receiptFor: message)
        } else if !pendingReads.covers(message) {
            change(message.conversation, &step) { $0.add(message.key, sequence: message.sequence ?? .max) }
        }
    }

    /// Stops counting a deleted message; `behind` is the number of newer messages from other users.
    mutating func deleted(_ message: Message, leaving behind: Int64, _ step: inout Step) {
        guard !message.isOwn, tallies[message.conversation] != nil else { return }
        let subtractsOne = policy.deletion == .subtractsOne
        change(message.conversation, &step) {
            if subtractsOne, $0.total > 0 { $0.takeOffOne() } else { $0.remove(message.key, leaving: behind) }
        }
    }

    /// Handles another copy of a message that the client already has.
    ///
    /// The message is counted as unread if its first copy was on a page that arrived while the conversation was not
    /// visible. Otherwise the count changes only with a planted defect.
    mutating func arrivedAgain(_ message: Message, _ focus: ViewFocus, _ step: inout Step) {
        guard !message.isOwn else { return }
        guard isWatched(message.conversation, focus) else {
            if policy.counting == .byArrival {
                change(message.conversation, &step) { $0.add(1) }
            } else if uncounted.remove(message, &step), !pendingReads.covers(message) {
                change(message.conversation, &step) { $0.add(message.key, sequence: message.sequence ?? .max) }
            }
            return
        }
        if policy.receipts == .areRepeated { pendingReads.add(receiptFor: message, isRepeated: true) }
        if policy.readOnArrival == .subtractsOne { change(message.conversation, &step) { $0.takeOffOne() } }
    }

    /// Reports the new messages on the newest page as read if the user is looking at the conversation.
    ///
    /// The server may count any of them as unread, even if the client's count is 0. `new` contains the messages from
    /// other users that the client did not have, and `known` is the highest sequence number of those that it had.
    mutating func pageArrived(
        _ conversation: String,
        _ new: [Message],
        isAtEnd: Bool,
        knownThrough known: Int64?,
        _ focus: ViewFocus,
        _ step: inout Step
    ) {
        let read = tallies[conversation]?.takeReadByNumber() ?? 0
        // The highest sequence number that the server's count covers. The count excludes messages with higher numbers.
        let counted = tallies[conversation]?.countedThrough ?? .max
        let isAnyLater = new.contains { ($0.sequence ?? .min) > counted }
        guard policy.opening == .readsAll, isAnyLater || Int64(new.count) > read else { return }
        guard isWatched(conversation, focus) else {
            return uncounted.add(new, to: conversation, &step)
        }
        for case let id? in new.map(\.id) { forgetPush(of: id, in: conversation, &step) }
        switch clearsOn {
        case .open: readUncounted(conversation, through: new.map { $0.sequence ?? .max }.max(), &step)
        case .visible:
            // Messages that count as unread are reported as read when the first of them becomes visible.
            guard arrived(conversation) == 0, let newest = new.max(by: { ($0.sequence ?? 0) < ($1.sequence ?? 0) })
            else { return }
            if isAtEnd { return pendingReads.add(receiptFor: newest) }
            // Messages below the visible part of the list are unread unless they are older than the newest message that
            // was read. If none was read, they are compared with the newest message that the client had.
            guard let reached = pendingReads.newestRead(in: conversation) ?? known else { return }
            for message in new {
                guard let sequence = message.sequence, sequence > reached else { continue }
                change(conversation, &step) { $0.add(message.key, sequence: sequence) }
            }
        }
    }

    private func isReadOnArrival(_ conversation: String, isAtEnd: Bool, _ focus: ViewFocus) -> Bool {
        guard policy.autoRead != .never else { return false }
        if policy.elsewhere == .isRead, let chosen = focus.conversation, isWatched(chosen, focus) { return true }
        // A message is not visible if it is below unread messages or below the visible part of the list.
        return isWatched(conversation, focus) && (clearsOn == .open || (isAtEnd && arrived(conversation) == 0))
    }

    // MARK: - Screen

    /// Handles the opening of a conversation; `before` is the previously open conversation, or nil if none was open.
    mutating func opened(_ conversation: String, insteadOf before: String?, _ step: inout Step) {
        if let before { views.disappeared(before) }
        views.appeared(conversation)
        viewBecameVisible(conversation, &step)
    }

    mutating func appeared(_ conversation: String, _ step: inout Step) {
        views.appeared(conversation)
        viewBecameVisible(conversation, &step)
    }

    mutating func disappeared(_ conversation: String, _ step: inout Step) {
        views.disappeared(conversation)
        step.changes.insert(.unread)
    }

    /// Handles the user's return to the list of conversations.
    mutating func left(_ conversation: String, _ step: inout Step) { disappeared(conversation, &step) }

    /// Handles the launch of the app, which displays the conversation that was open when the app's last process ended.
    mutating func begin(_ focus: ViewFocus, _ step: inout Step) {
        if let chosen = focus.conversation { viewBecameVisible(chosen, &step) }
    }

    mutating func foreground(_ focus: ViewFocus, _ step: inout Step) {
        guard let chosen = focus.conversation, views.isActive(chosen, chosen: chosen) else { return }
        viewBecameVisible(chosen, &step)
    }

    /// Handles the appearance of a conversation's view.
    private mutating func viewBecameVisible(_ conversation: String, _ step: inout Step) {
        step.changes.insert(.unread)
        seenSinceOpening.remove(conversation)
        rejected.remove(conversation)
        let unseen = uncounted.take(conversation, &step)
        guard policy.opening == .readsAll else { return }
        guard clearsOn == .open else {
            // Messages that arrived on a page while the view was not visible now count as unread. They are reported as
            // read when the first of them becomes visible.
            let reached = pendingReads.newestRead(in: conversation) ?? .min
            for message in unseen ?? [] where message.sequence > reached {
                change(conversation, &step) { $0.add(message.key, sequence: message.sequence) }
            }
            return
        }
        markRead(conversation, &step)
        // The page that arrived while the conversation was not visible may have contained messages that only the server
        // counts as unread.
        if let unseen { readUncounted(conversation, through: unseen.last?.sequence, &step) }
    }

    /// Returns the open conversation if its first unread message has not become visible yet; nil otherwise.
    func awaitingVisibility(_ focus: ViewFocus) -> String? {
        guard clearsOn == .visible, policy.opening == .readsAll, let chosen = focus.conversation, self[chosen] > 0,
            isWatched(chosen, focus), !seenSinceOpening.contains(chosen)
        else { return nil }
        return chosen
    }

    /// Marks the messages up to and including `message` as read, because they are visible.
    ///
    /// `remaining` is the number of newer messages from other users.
    /// Messages that are known only from a push are newer than all visible ones, and stay unread.
    mutating func saw(_ message: Message, leaving remaining: Int64, _ focus: ViewFocus, _ step: inout Step) {
        seenSinceOpening.insert(message.conversation)
        guard isWatched(message.conversation, focus), arrived(message.conversation) > remaining else { return }
        read(message.conversation, leaving: remaining, isUpToPushes: true, &step)
        pendingReads.add(receiptFor: message)
    }

    // MARK: - Reading

    /// Marks a conversation as read at the user's command, whether or not it is visible.
    mutating func userMarkedRead(_ conversation: String, isKnown: Bool, _ step: inout Step) {
        if !isKnown, tallies[conversation] == nil, policy.unknown == .crashes {
            step.crash("There is no conversation '\(conversation)' to be read.")
        }
        let unseen = uncounted.take(conversation, &step)
        markRead(conversation, &step)
        if let unseen { readUncounted(conversation, through: unseen.last?.sequence, &step) }
    }

    /// Reports the messages up to `newest` as read, unless a pending request covers them, because the server may count
    /// messages as unread that the client does not.
    private mutating func readUncounted(_ conversation: String, through newest: Int64?, _ step: inout Step) {
        let known = newest == .max ? nil : newest
        guard !pendingReads.requestsReading(of: conversation, through: known) else { return }
        pendingReads.add(readingOf: conversation, through: known, taken: 0, &step)
        step.log("client.conversation_read", ["conversation": .string(conversation)])
    }

    /// Marks the whole conversation as read and reports it to the server.
    private mutating func markRead(_ conversation: String, _ step: inout Step) {
        guard self[conversation] > 0 || policy.requests == .areAllSent else { return }
        let newest = tallies[conversation]?.newest
        let taken = read(conversation, leaving: 0, &step)
        tallies[conversation]?.readInAdvance += taken
        let all = tallies[conversation]?.readInAdvance ?? taken
        pendingReads.add(readingOf: conversation, through: newest, taken: all, &step)
    }

    /// Marks messages as read, because the user has read them on another device.
    ///
    /// `remaining` is the number of newer messages from other users.
    mutating func readElsewhere(_ conversation: String, leaving remaining: Int64, _ step: inout Step) {
        if remaining == 0 { _ = uncounted.take(conversation, &step) }
        guard tallies[conversation] != nil else {
            if policy.unknown == .crashes { step.crash("There is no conversation '\(conversation)' to be read.") }
            return
        }
        read(conversation, leaving: remaining, isRepeated: policy.repeated == .takesOffTheSame, &step)
    }

    /// Subtracts all but the newest `remaining` messages from the count; returns the number subtracted.
    @discardableResult
    private mutating func read(
        _ conversation: String,
        leaving remaining: Int64,
        isUpToPushes: Bool = false,
        isRepeated: Bool = false,
        _ step: inout Step
    ) -> Int64 {
        var taken: Int64 = 0
        change(conversation, &step) {
            taken = $0.read(leaving: remaining, isUpToPushes: isUpToPushes, isRepeated: isRepeated)
        }
        if taken > 0, remaining == 0 { step.log("client.conversation_read", ["conversation": .string(conversation)]) }
        return taken
    }

    /// Restores the part of the unread count that was subtracted in advance, because the server has rejected the
    /// mark-read request.
    mutating func undoReading(_ conversation: String, _ step: inout Step) {
        rejected.insert(conversation)
        change(conversation, &step) { $0.add($0.readInAdvance) }
    }

    /// Handles a restart of the server's numbering from 1, which makes the numbers of messages already read
    /// meaningless.
    mutating func sequenceNumbersReset(_ step: inout Step) {
        pendingReads.forgetSequences(&step)
        for name in names { tallies[name]?.forgetSequences() }
        uncounted.removeAll(&step)
    }

    mutating func forgetAdvance(_ conversation: String) {
        tallies[conversation]?.readInAdvance = 0
    }

    // MARK: - Counts from the server

    /// Handles the server's count of unread messages up to `sequence`, or of all messages if `sequence` is nil.
    ///
    /// The server's count is out of date, and therefore ignored, while read reports are pending or the user is looking
    /// at the conversation, unless the server has rejected a mark-read request for the conversation.
    mutating func counted(
        _ conversation: String,
        _ count: Int64,
        through sequence: Int64?,
        _ focus: ViewFocus,
        _ step: inout Step
    ) {
        guard !pendingReads.contains(conversation) || policy.whilePending == .adoptsCounts,
            !isWatched(conversation, focus) || rejected.contains(conversation)
        else { return }
        let count = UnreadTally.bounded(count)
        if let tally = tallies[conversation] {
            step.emit(.badgeCompared(isRight: tally.total(through: sequence) == count))
        }
        guard self[conversation] > 0 || count > 0 else { return }
        change(conversation, &step) { $0.counted(count, through: sequence) }
    }

    /// Lowers a conversation's count to the server's count of unread messages up to `sequence`.
    ///
    /// A read mark never moves back, so even an old count from the server never lowers the client's count too far.
    mutating func lower(_ conversation: String, to count: Int64, through sequence: Int64?, _ step: inout Step) {
        guard !pendingReads.contains(conversation), let tally = tallies[conversation],
            tally.total(through: sequence) > UnreadTally.bounded(count)
        else { return }
        change(conversation, &step) { $0.counted(UnreadTally.bounded(count), through: sequence) }
    }

    mutating func change(_ conversation: String, _ step: inout Step, _ change: (inout UnreadTally) -> Void) {
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
        tallies[conversation]?.store(as: "unread/\(conversation)", &step)
    }
}

extension Unread {
    static let registry: [RegistryEntry] = [
        .observable("unread", .integer, key: "conversation", "The number of the conversation's unread messages."),
        .observable("view.active", .flag, key: "conversation", "Whether the conversation's view is on the screen."),
        .observable(
            "badge.app",
            .integer,
            "The total number of unread messages on the app's icon; reported once a message was unread or the list was "
                + "opened."
        ),
        .event("client.conversation_read", ["conversation"], "A conversation no longer has unread messages."),
    ]
}
