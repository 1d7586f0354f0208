import ChatWire
import SquallCore

/// Owns the user's messages until the server confirms them: none is lost, duplicated or reordered.
///
/// A message is written to disk before it is sent, and deleted from disk when it is confirmed. If the process is killed
/// in between, the message is sent again with the same ID, so that the server stores it once. All messages are sent by
/// ``flush(over:_:)``.
struct Outbox {
    /// The transport over which messages can currently be sent.
    enum Channel {
        case none, socket, http
    }

    let rules: Rules
    var policy: OutboxPolicy { rules.policy.outbox }
    /// The unconfirmed messages of the signed-in user, in the order in which the user sent them.
    var entries: [OutboxEntry] = []
    /// The instant at which sending resumes after a rate limit error; nil if sending is not paused.
    private(set) var pausedUntil: Instant?
    /// The instant at which a failed HTTP request may be retried; nil for no delay.
    private var heldUntil: Instant?
    /// The earliest instant at which the next message in the backlog can be sent without exceeding the rate limit.
    private var pacedUntil: Instant?
    /// The instants at which messages were sent within the current window of the rate limit.
    private var writes: [Instant] = []
    private var ids: SeededGenerator
    private var lastOrderNumber: Int64 = 0
    /// The signed-in user; nil if no user is signed in.
    private var user: String?
    /// The messages of users who are not signed in, kept until those users sign in again.
    private var others: [OutboxEntry] = []

    init(_ rules: Rules, store: StoreImage, user: String?) {
        self.rules = rules
        ids = rules.stream("client.ids")
        entries = store.entries.filter { $0.key.hasPrefix(OutboxEntry.storePrefix) }.compactMap {
            OutboxEntry(stored: $0.value)
        }
        if rules.policy.outbox.key == .freshEachTry {
            for index in entries.indices { entries[index].wireID = ids.nextUUID() }
        }
        lastOrderNumber = entries.last?.orderNumber ?? 0
        signedIn(user)
    }

    /// Switches to `user`, or to no user if `user` is nil, and returns that user's unconfirmed messages.
    ///
    /// A message in flight is sent again with the same ID once its user has signed in again.
    @discardableResult
    mutating func signedIn(_ user: String?) -> [OutboxEntry] {
        self.user = user
        for index in entries.indices {
            guard case .sending = entries[index].status else { continue }
            entries[index].status = .queued
            entries[index].isFresh = false
        }
        (pausedUntil, heldUntil, pacedUntil) = (nil, nil, nil)
        writes = []
        let all = (others + entries).sorted { $0.orderNumber < $1.orderNumber }
        others = all.filter { ($0.owner ?? rules.id.name) != user }
        entries = all.filter { ($0.owner ?? rules.id.name) == user }
        return entries
    }

    /// The messages of users who are not signed in.
    var waiting: [OutboxEntry] { others }

    var count: Int { entries.count }
    var hasFailed: Bool { entries.contains { $0.hasFailed } }
    var queuedCount: Int { entries.count { if case .queued = $0.status { true } else { false } } }

    /// Whether a message is in flight.
    var isUnderWay: Bool { entries.contains { $0.writtenAt != nil } }

    subscript(key: String) -> OutboxEntry? {
        entries.first { $0.key == key }
    }

    var deadline: Instant? {
        let limit = policy.pendingLimit == .isKept ? firstWritten.map(pendingLimit) : nil
        return limit.or(sooner: pausedUntil).or(sooner: heldUntil).or(sooner: pacedUntil)
    }

    /// The instant at which the oldest message in flight was sent; nil if no message is in flight.
    private var firstWritten: Instant? {
        entries.reduce(nil) { first, entry in first.or(sooner: entry.writtenAt) }
    }

    private func pendingLimit(_ writtenAt: Instant) -> Instant {
        writtenAt + rules.profile.send.pendingLimit
    }

    mutating func timer(_ step: inout Step) {
        if let until = pausedUntil, until <= step.now {
            pausedUntil = nil
            step.changes.insert(.notices)
        }
        if let until = heldUntil, until <= step.now { heldUntil = nil }
        if let until = pacedUntil, until <= step.now { pacedUntil = nil }
        guard policy.pendingLimit == .isKept else { return }
        for index in entries.indices {
            guard let limit = entries[index].writtenAt.map(pendingLimit), limit <= step.now else { continue }
            if step.now - limit > rules.profile.device.sleepTolerance {
                // The process was suspended and the confirmation may be in the socket's buffer, so the time limit
                // starts again.
                entries[index].status = .sending(since: step.now)
            } else {
                set(index, .failed(canRetry: true), &step)
            }
        }
    }

    // MARK: - From the user

    /// Accepts a new message from the user and queues it.
    ///
    /// A message from the share extension already has a `key` and the time `writtenAt`. Returns nil if a planted
    /// defect loses the message.
    mutating func accept(
        _ text: String,
        to conversation: String,
        label: String?,
        image: OutgoingImage? = nil,
        as key: String? = nil,
        writtenAt: Int64? = nil,
        over channel: Channel,
        _ step: inout Step
    ) -> OutboxEntry? {
        lastOrderNumber += 1
        var entry = OutboxEntry(
            key: key ?? ids.nextUUID(),
            label: label,
            conversation: conversation,
            text: text,
            createdAt: writtenAt ?? rules.deviceTime(at: step.now),
            orderNumber: lastOrderNumber
        )
        entry.acceptedAt = writtenAt == nil ? step.now : nil
        entry.image = image
        // The default user, who has the client's name, is not stored.
        entry.owner = user == rules.id.name ? nil : user
        var fields: JSON = ["conversation": .string(conversation)]
        if let label { fields.set("label", to: .string(label)) }
        step.log("client.accepted", key: entry.key, fields)
        let queues = image == nil ? policy.offline == .queues : rules.policy.media.offline == .queues
        guard channel != .none || queues else { return nil }
        entry.isFresh = channel != .none && entries.allSatisfy { $0.isFresh || !$0.isWaiting }
        switch policy.storing {
        case .beforeSending:
            step.store(entry.storeKey, entry.stored)
            step.onceStored(.outgoing(clientMessageID: entry.key))
        case .never:
            entry.isStored = true
        }
        entries.append(entry)
        step.touch(entry.key)
        step.changes.insert(.outbox)
        return entry
    }

    mutating func retry(label: String, _ step: inout Step) {
        for index in entries.indices where entries[index].label == label { retry(index, &step) }
    }

    mutating func retryAll(_ step: inout Step) {
        let failed = entries.indices.filter { entries[$0].hasFailed }
        for index in policy.retryAll == .retriesAll ? failed[...] : failed.prefix(1) { retry(index, &step) }
    }

    /// Retries all failed messages after a reconnect, if the profile enables automatic retries.
    mutating func retryFailed(_ step: inout Step) {
        guard rules.profile.send.autoRetry else { return }
        for index in entries.indices { retry(index, &step) }
    }

    private mutating func retry(_ index: Int, _ step: inout Step) {
        guard case .failed(canRetry: true) = entries[index].status else { return }
        entries[index].image?.trouble = nil
        if policy.key == .freshEachRetry { entries[index].wireID = ids.nextUUID() }
        set(index, .queued, &step)
    }

    // MARK: - Disk, link and server events

    mutating func stored(_ key: String, _ step: inout Step) {
        if let index = entries.firstIndex(where: { $0.key == key }) {
            entries[index].isStored = true
        } else if let index = others.firstIndex(where: { $0.key == key }) {
            others[index].isStored = true
        }
    }

    /// Removes and returns the entry that the server has confirmed, whatever its status; returns nil if no entry has
    /// this ID.
    mutating func confirmed(_ wireID: String, _ step: inout Step) -> OutboxEntry? {
        guard let index = entries.firstIndex(where: { $0.wireID == wireID }) else { return nil }
        if entries[index].hasFailed, policy.lateConfirmation == .isIgnored { return nil }
        let entry = entries.remove(at: index)
        if entry.hasFailed { step.emit(.failureEnded(conversation: entry.conversation)) }
        if policy.storing == .beforeSending { step.store(entry.storeKey, nil) }
        step.touch(entry.key)
        step.changes.insert(.outbox)
        return entry
    }

    /// Requeues the messages in flight after the connection was lost because of `failure`, or, if it is nil, after the
    /// requests were cancelled. They may have arrived, so they keep their IDs.
    ///
    /// If the server has ended the connection because of a message's size, the largest of them has failed: sent again,
    /// it would end every connection.
    mutating func linkLost(_ failure: Failure?, _ step: inout Step) {
        if failure?.isForSize == true, policy.oversize == .fails { failLargest(&step) }
        for index in entries.indices {
            guard case .sending = entries[index].status else { continue }
            if failure?.isAnnounced == true, rules.policy.drain.inFlight == .isLost {
                step.store(entries[index].storeKey, nil)
                set(index, .stuck, &step)
            } else if policy.onLinkLoss == .isNotNoticed, entries[index].writtenAt != nil {
                set(index, .stuck, &step)
            } else {
                set(index, .queued, &step)
            }
        }
    }

    // MARK: - Status changes

    mutating func pause(for span: TimeSpan?, _ step: inout Step) {
        pausedUntil = step.now + max(span ?? rules.profile.flush.defaultPause, .milliseconds(1))
        step.changes.insert(.notices)
    }

    mutating func hold(_ step: inout Step) {
        heldUntil = step.now + max(rules.profile.sync.retry, .milliseconds(1))
    }

    mutating func set(wireID: String?, _ status: OutboxEntry.Status, _ step: inout Step) {
        guard let index = entries.firstIndex(where: { $0.wireID == wireID }) else { return }
        set(index, status, &step)
    }

    mutating func set(_ index: Int, _ status: OutboxEntry.Status, _ step: inout Step) {
        var status = status
        if case .failed = status, policy.failed == .isForgotten {
            status = .failed(canRetry: false)
            step.store(entries[index].storeKey, nil)
        }
        if case .failed = status, !entries[index].isFresh { step.emit(.retryFailed) }
        let hadFailed = entries[index].hasFailed
        entries[index].status = status
        if hadFailed != entries[index].hasFailed {
            let conversation = entries[index].conversation
            step.emit(hadFailed ? .failureEnded(conversation: conversation) : .sendFailed(conversation: conversation))
        }
        // The next process must not send a failed message as if it were new.
        if hadFailed != entries[index].hasFailed, policy.storing == .beforeSending, policy.failed != .isForgotten {
            step.store(entries[index].storeKey, entries[index].stored)
        }
        if case .sending = status {} else { entries[index].isFresh = false }
        step.touch(entries[index].key)
        step.changes.insert(.outbox)
    }
}

// MARK: - Sending

extension Outbox {
    /// Sends queued messages in the order in which the user sent them.
    ///
    /// A message is sent only after it is on disk. A backlog is sent no faster than the server's rate limit allows.
    mutating func flush(over channel: Channel, _ step: inout Step) {
        guard entries.contains(where: \.isWaiting) else { return }
        var takesMore = channel != .none && pausedUntil == nil
        if channel == .http { takesMore = takesMore && heldUntil == nil && entries.allSatisfy { $0.writtenAt == nil } }
        var allBeforeWritten = true
        forgetOldWrites(before: step.now)
        for index in entries.indices where entries[index].isWaiting {
            if policy.flush == .never, !entries[index].isFresh { continue }
            if entries[index].awaitsUpload {
                // A message whose image is still being uploaded does not block the messages behind it.
                show(index, channel == .none ? .queued : .sending(since: nil), &step)
                continue
            }
            if takesMore, let until = pace(entries[index]) {
                pacedUntil = until
                takesMore = false
            }
            if !takesMore {
                show(index, .queued, &step)
            } else if entries[index].isStored, allBeforeWritten {
                write(index, over: channel, &step)
                takesMore = channel == .socket
            } else {
                allBeforeWritten = false
                show(index, .sending(since: nil), &step)
            }
        }
    }

    private mutating func write(_ index: Int, over channel: Channel, _ step: inout Step) {
        if entries[index].wasWritten, policy.key == .freshEachTry { entries[index].wireID = ids.nextUUID() }
        entries[index].wasWritten = true
        writes.append(step.now)
        show(index, .sending(since: step.now), &step)
        let entry = entries[index]
        if channel == .http {
            let media = entry.image?.media
            step.emit(
                .ask(.post(wireID: entry.wireID, conversation: entry.conversation, text: entry.text, media: media))
            )
        } else {
            let request = ClientFrame.SendRequest(
                clientMessageID: entry.wireID,
                conversation: entry.conversation,
                text: entry.text,
                media: entry.image?.media
            )
            step.emit(.say(.send(request)))
        }
    }

    private mutating func show(_ index: Int, _ status: OutboxEntry.Status, _ step: inout Step) {
        switch (entries[index].status, status) {
        case (.queued, .queued), (.sending(since: nil), .sending(since: nil)): break
        default: set(index, status, &step)
        }
    }

    /// The rate limit's window. The server counts the messages that arrive within a minute; an extra second allows for
    /// varying latency.
    private static let paceWindow = TimeSpan.seconds(61)

    private mutating func forgetOldWrites(before now: Instant) {
        writes.removeAll { now - $0 >= Outbox.paceWindow }
    }

    /// Returns the instant at which a message in the backlog may be sent; nil if it may be sent immediately.
    private func pace(_ entry: OutboxEntry) -> Instant? {
        let limit = rules.profile.flush.perMinute
        guard limit > 0, policy.rateLimit == .isRespected, writes.count >= limit else { return nil }
        guard !entry.isFresh || policy.pace == .ofEveryMessage else { return nil }
        return writes.first.map { $0 + Outbox.paceWindow }
    }
}
