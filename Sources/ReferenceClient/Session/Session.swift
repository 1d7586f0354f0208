import ChatWire
import SquallCore

/// Tracks the sequence number up to which this client has seen every message, and fetches the messages that it has
/// missed.
///
/// All messages on a server share one sequence, so a single number determines which messages are missing. After each
/// handshake the client requests the messages after that number (`sync`). Messages that have left the server's buffer
/// are fetched over HTTP (``CatchUp``), as are all messages while the socket is not connected.
struct Session {
    /// The values from which the session's observables are derived.
    struct Look: Equatable {
        let isPolling: Bool
        let lastSequence: Int64?
        let isSyncing: Bool
        let isRefreshing: Bool
    }

    private let rules: Rules
    private var policy: SessionPolicy { rules.policy.session }
    /// The sequence number up to which every message was seen; nil until a client with this store has connected for the
    /// first time.
    private(set) var lastSequence: Int64?
    /// The sequence numbers that were seen beyond a gap, in ascending order.
    private var ahead: [Int64] = []
    /// The number that follows the gap about which the server was asked in vain, and how often; nil if there is none.
    private var unfilled: (next: Int64, answers: Int)?
    /// The deadline for the `replay` with which the server answers `sync`; nil if no `replay` is pending.
    private var replayLimit: Instant?
    private var catchUp: CatchUp?
    /// The instant at which a failed catch-up is retried; nil if no retry is scheduled.
    private var retryAt: Instant?
    /// The instant at which the next poll is due; nil if the client does not poll.
    private var nextPoll: Instant?
    /// Whether polling has ended even though the client is not connected; only a defect causes this.
    private var isPollingCancelled = false
    /// The range of sequence numbers that the client missed while it was disconnected, and how many of these messages
    /// have arrived; nil if it has missed none.
    private var missed: (range: ClosedRange<Int64>, count: Int)?
    private var wasConnected = false
    /// Whether the next sync is the first since the app was suspended in the background.
    private var wasSuspended = false
    /// The open conversation, which a poll requests first; nil if none is open.
    var watched: String?

    init(_ rules: Rules, store: StoreImage) {
        self.rules = rules
        lastSequence = store["session.last_sequence"]?.intValue.map { max($0, 0) }
    }

    /// Whether the user's messages may be sent; false while the replay of missed messages is pending.
    var canSendMessages: Bool { replayLimit == nil }
    var isSyncing: Bool { replayLimit != nil || isRefreshing }
    var isRefreshing: Bool { catchUp?.cause == .gap }
    var isPolling: Bool { nextPoll != nil }

    var deadline: Instant? { replayLimit.or(sooner: retryAt).or(sooner: nextPoll) }

    mutating func timer(_ step: inout Step) {
        if let limit = replayLimit, limit <= step.now {
            // The server has not answered over the socket in time, but it may answer over HTTP.
            replayLimit = nil
            begin(.gap, &step)
        }
        if let retry = retryAt, retry <= step.now {
            begin(.gap, &step)
        }
        if let due = nextPoll, due <= step.now {
            nextPoll = step.now + max(rules.profile.poll.interval, .milliseconds(1))
            begin(.poll, &step)
        }
    }
}

// MARK: - Syncing over the socket

extension Session {
    mutating func connected(_ connected: ServerFrame.Connected, _ step: inout Step) {
        stopCatchUp(&step)
        ahead = []
        unfilled = nil
        guard let last = lastSequence else {
            wasConnected = true
            beginHistory(at: connected.lastSequence, &step)
            // The server does not push messages that it stored before the subscription arrived, so a sync fetches them.
            if rules.wire.frames?.messagesNeedSubscription == true { sync(&step) }
            return
        }
        let newest = connected.lastSequence
        missed = wasConnected && last < newest ? (last + 1...newest, 0) : nil
        wasConnected = true
        if policy.resume == .asksForNothing {
            advance(to: newest, &step)
        } else if last <= newest {
            sync(&step)
        } else {
            // The server has lost its history, so the client's sequence number is meaningless.
            step.log("client.gap_detected", ["from": 1, "to": .integer(last)])
            step.emit(.sequenceNumbersReset)
            lastSequence = 0
            begin(.gap, &step)
        }
    }

    /// Records that the app has returned to the foreground after its connection was closed in the background.
    mutating func woke() { wasSuspended = true }

    mutating func linkLost(_ step: inout Step) {
        replayLimit = nil
        missed = nil
        stopCatchUp(&step)
        step.changes.insert(.session)
    }

    /// Handles the sequence number in a live message or a confirmation: advances ``lastSequence``, or detects a gap.
    mutating func observed(_ sequence: Int64, _ step: inout Step) {
        guard let last = lastSequence, sequence > last else { return }
        guard sequence - last > 1 else {
            advance(to: sequence, &step)
            return
        }
        if let index = ahead.firstIndex(where: { $0 >= sequence }) {
            if ahead[index] != sequence { ahead.insert(sequence, at: index) }
        } else {
            ahead.append(sequence)
        }
        // A gap that is already being fetched requires no further sync.
        guard replayLimit == nil, catchUp == nil, policy.gap == .isFilled else { return }
        step.log("client.gap_detected", ["from": .integer(last + 1), "to": .integer(sequence - 1)])
        sync(&step)
    }

    mutating func replayed(_ replay: ServerFrame.Replay, _ step: inout Step) {
        step.emit(.messages(replay.messages, via: .replay))
        step.emit(.replayEnded(complete: replay.complete || policy.gap == .isUnnoticed, through: replay.lastSequence))
    }

    /// Ends a sync after the replay's messages have been added.
    mutating func replayEnded(complete: Bool, through newest: Int64, _ step: inout Step) {
        step.changes.insert(.session)
        let wasAwaited = replayLimit != nil
        replayLimit = nil
        if complete {
            finish(through: newest, &step)
        } else if wasAwaited || catchUp == nil {
            // A repeated or late answer must not restart a catch-up that is already running.
            let last = lastSequence ?? 0
            step.log("client.gap_detected", ["from": .integer(last &+ 1), "to": .integer(newest)])
            begin(.gap, &step)
        }
    }

    private mutating func sync(_ step: inout Step) {
        guard rules.wire.has(.sync, by: .client), rules.wire.has(.replay, by: .server) else {
            // The protocol has no `sync`, so the catch-up uses HTTP.
            begin(.gap, &step)
            return
        }
        replayLimit = step.now + rules.profile.sync.timeout
        step.changes.insert(.session)
        let isWhole = policy.sync == .fromStart || (wasSuspended && policy.wake == .fromStart)
        wasSuspended = false
        step.emit(.say(.sync(lastSequence: isWhole ? 0 : lastSequence ?? 0)))
    }

    /// Acknowledges messages once they are on disk. A repeated message is acknowledged again, because the first
    /// acknowledgement may have been lost.
    func acknowledge(_ messages: [ChatMessage], _ step: inout Step) {
        for message in messages {
            switch policy.acknowledgement {
            case .onceStored: step.onceStored(.acknowledge(messageID: message.id))
            case .onReceipt: step.emit(.say(.messageAck(id: message.id)))
            case .never: break
            }
        }
    }
}

// MARK: - Progress

extension Session {
    /// Counts a message that is new to this client; called once per message, regardless of the transport.
    mutating func added(_ message: ChatMessage) {
        catchUp?.added += 1
        guard let range = missed?.range, range.contains(message.sequence) else { return }
        missed?.count += 1
    }

    /// Sets the sequence number to the server's newest one, because a new client has missed nothing.
    private mutating func beginHistory(at newest: Int64, _ step: inout Step) {
        advance(to: newest, &step)
        step.emit(.historyBegins(after: newest))
    }

    private mutating func advance(to sequence: Int64, _ step: inout Step) {
        var last = sequence
        while let next = ahead.first, next - 1 <= last {
            ahead.removeFirst()
            last = max(last, next)
        }
        guard last != lastSequence else { return }
        lastSequence = last
        step.store("session.last_sequence", .integer(last))
        step.changes.insert(.session)
    }

    /// Ends a sync or a catch-up that has delivered every message up to `newest`.
    private mutating func finish(through newest: Int64, _ step: inout Step) {
        advance(to: max(newest, lastSequence ?? 0), &step)
        step.emit(.caughtUpWithServer)
        if let count = missed?.count, count > 0, policy.toast == .isShown {
            step.emit(.caughtUp(missed: count))
        }
        missed = nil
        guard let next = ahead.first, policy.gap == .isFilled else { return }
        // Another gap may have opened while this one was being filled. If the server was asked about the same gap
        // before, it has no message in it, for example because the message was removed.
        unfilled = (next, unfilled?.next == next ? 2 : 1)
        guard unfilled?.answers == 2 else { return observed(next, &step) }
        guard policy.unfilled == .isSkipped else { return retryAt = step.now + .milliseconds(100) }
        advance(to: next, &step)
        if let other = ahead.first { observed(other, &step) }
    }
}

// MARK: - Catching up over HTTP

extension Session {
    mutating func poll(_ wanted: Bool, _ step: inout Step) {
        guard wanted != (isPolling || isPollingCancelled) else { return }
        step.changes.insert(.session)
        isPollingCancelled = false
        nextPoll = wanted ? step.now : nil
        if wanted { timer(&step) } else { stopCatchUp(&step) }
    }

    /// Handles the disappearance of a conversation's view. Polling continues unless a planted defect ends it.
    mutating func viewDisappeared(_ step: inout Step) {
        guard policy.polling == .untilViewDisappears, isPolling else { return }
        poll(false, &step)
        isPollingCancelled = true
    }

    /// Polls once, without scheduling another poll.
    mutating func pollOnce(_ step: inout Step) {
        nextPoll = nil
        begin(.poll, &step)
    }

    /// Polls immediately if the client polls; the next poll follows after the usual interval.
    mutating func pollNow(_ step: inout Step) {
        guard isPolling else { return }
        nextPoll = step.now
        timer(&step)
    }

    private mutating func begin(_ cause: CatchUp.Cause, _ step: inout Step) {
        stopCatchUp(&step)
        let isWhole = cause == .poll && wasSuspended && policy.wake == .fromStart
        if cause == .poll { wasSuspended = false }
        var catchUp = CatchUp(cause, after: isWhole ? 0 : lastSequence)
        if cause == .gap { step.log("client.refresh.began", ["cause": "gap"]) }
        for question in catchUp.begin(watching: watched) { step.emit(.ask(question)) }
        self.catchUp = catchUp
        step.changes.insert(.session)
    }

    mutating func listed(_ list: ConversationList, _ step: inout Step) {
        for question in catchUp?.listed(list) ?? [] { step.emit(.ask(question)) }
        endIfDone(&step)
    }

    mutating func paged(_ conversation: String, _ page: MessagePage, _ step: inout Step) {
        for question in catchUp?.paged(conversation, page) ?? [] { step.emit(.ask(question)) }
        endIfDone(&step)
    }

    private mutating func endIfDone(_ step: inout Step) {
        guard let catchUp, catchUp.isDone else { return }
        self.catchUp = nil
        step.changes.insert(.session)
        if catchUp.cause == .gap {
            step.log("client.refresh.ended", ["ok": true, "added": .integer(Int64(catchUp.added))])
        }
        step.emit(.refreshEnded(isGood: true))
        if lastSequence == nil {
            beginHistory(at: catchUp.newest, &step)
        } else {
            finish(through: catchUp.newest, &step)
        }
    }

    /// Handles a failed request of the catch-up; `isAnswered` is false if the server could not be reached.
    ///
    /// A poll that does not reach the server is not reported as an error: the banner already says that there is no
    /// connection.
    mutating func catchUpFailed(isAnswered: Bool, _ step: inout Step) {
        guard let catchUp else { return }
        stopCatchUp(&step)
        if isAnswered || catchUp.cause == .gap { step.emit(.refreshEnded(isGood: false)) }
        // A failed poll is not retried, because the next poll is scheduled already.
        guard catchUp.cause == .gap else { return }
        step.log("client.refresh.ended", ["ok": false, "added": .integer(Int64(catchUp.added))])
        retryAt = step.now + max(rules.profile.sync.retry, .milliseconds(1))
    }

    private mutating func stopCatchUp(_ step: inout Step) {
        retryAt = nil
        guard catchUp != nil else { return }
        catchUp = nil
        step.emit(.cancelRequests(.catchUp))
        step.changes.insert(.session)
    }
}

extension Session {
    static let registry: [RegistryEntry] = [
        .observable(
            "sync.last_sequence",
            .integer,
            "The highest sequence number up to which the client has received every message; null before the first "
                + "connection."
        ),
        .observable("sync.in_flight", .flag, "Whether the client is fetching messages that it missed."),
        .observable("poll.active", .flag, "Whether the client polls over HTTP instead of using the WebSocket."),
        .event(
            "client.gap_detected",
            [.integer("from"), .integer("to")],
            "The client has detected a gap in the sequence numbers of the messages that it received."
        ),
    ]
}
