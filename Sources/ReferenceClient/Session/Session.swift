import ChatWire
import SquallCore

/// Owns the sequence up to which this client has seen every message, and fetches those that it has missed.
///
/// All messages of a server share one sequence, so a single number shows which are missing. After each handshake the
/// client requests the messages after it (`sync`). Those that have left the server's buffer are fetched over HTTP
/// (``CatchUp``), and so are all messages while there is no socket.
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
    /// The sequence up to which every message was seen.
    ///
    /// Nil until the first `connected` on this store.
    private(set) var lastSequence: Int64?
    /// Sequences seen beyond a gap, ascending.
    private var ahead: [Int64] = []
    /// The deadline for the `replay` that answers a sent `sync`; nil without one.
    private var replayLimit: Instant?
    private var catchUp: CatchUp?
    /// When a failed catch-up is repeated.
    private var retryAt: Instant?
    /// When the next poll is due; nil while there is no polling.
    private var nextPoll: Instant?
    /// After a reconnect: the sequences that were missed, and how many of them have arrived.
    private var missed: (range: ClosedRange<Int64>, count: Int)?
    private var wasConnected = false
    /// Whether the next sync is the first since the app was suspended in the background.
    private var hasSlept = false
    /// The conversation on the screen, which a poll asks for first.
    var watched: String?

    init(_ rules: Rules, store: StoreImage) {
        self.rules = rules
        lastSequence = store["session.last_sequence"]?.intValue.map { max($0, 0) }
    }

    /// Whether the user's messages may be sent: not before the replay of missed messages has arrived.
    var letsMessagesOut: Bool { replayLimit == nil }
    var isSyncing: Bool { replayLimit != nil || isRefreshing }
    var isRefreshing: Bool { catchUp?.cause == .gap }
    var isPolling: Bool { nextPoll != nil }

    var deadline: Instant? { replayLimit.or(sooner: retryAt).or(sooner: nextPoll) }

    mutating func timer(_ step: inout Step) {
        if let limit = replayLimit, limit <= step.now {
            // The server does not answer on the socket, but it may over HTTP.
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

// MARK: - On the socket

extension Session {
    mutating func connected(_ connected: ServerFrame.Connected, _ step: inout Step) {
        stopCatchUp(&step)
        ahead = []
        guard let last = lastSequence else {
            wasConnected = true
            beginHistory(at: connected.lastSequence, &step)
            // A message that is stored before the subscription arrives is sent to no client.
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
            // The server has lost its history, so the client's sequence has no meaning any more.
            step.log("client.gap_detected", ["from": 1, "to": .integer(last)])
            step.emit(.sequencesBeginAnew)
            lastSequence = 0
            begin(.gap, &step)
        }
    }

    /// Notes that the app has returned to the foreground after its connection was closed in the background.
    mutating func woke() { hasSlept = true }

    mutating func linkLost(_ step: inout Step) {
        replayLimit = nil
        missed = nil
        stopCatchUp(&step)
        step.changes.insert(.session)
    }

    /// Advances by the sequence of a live message or of a confirmation, and detects a gap.
    mutating func saw(_ sequence: Int64, _ step: inout Step) {
        guard let last = lastSequence, sequence > last else { return }
        guard sequence - last > 1 else {
            advance(to: sequence, &step)
            return
        }
        if let place = ahead.firstIndex(where: { $0 >= sequence }) {
            if ahead[place] != sequence { ahead.insert(sequence, at: place) }
        } else {
            ahead.append(sequence)
        }
        // A gap that is being fetched already needs no other sync.
        guard replayLimit == nil, catchUp == nil, policy.gap == .isFilled else { return }
        step.log("client.gap_detected", ["from": .integer(last + 1), "to": .integer(sequence - 1)])
        sync(&step)
    }

    mutating func replayed(_ replay: ServerFrame.Replay, _ step: inout Step) {
        step.emit(.messages(replay.messages, via: .replay))
        step.emit(.replayEnded(complete: replay.complete || policy.gap == .isUnnoticed, through: replay.lastSequence))
    }

    /// Ends a sync after the replay's messages were added.
    mutating func replayEnded(complete: Bool, through newest: Int64, _ step: inout Step) {
        step.changes.insert(.session)
        replayLimit = nil
        if complete {
            finish(through: newest, &step)
        } else {
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
        let isWhole = policy.sync == .fromStart || (hasSlept && policy.wake == .fromStart)
        hasSlept = false
        step.emit(.say(.sync(lastSequence: isWhole ? 0 : lastSequence ?? 0)))
    }

    /// Acknowledges messages once they are on disk. A repeated message is acknowledged again, because the first
    /// acknowledgement may be lost.
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

// MARK: - How far it has seen

extension Session {
    /// Counts a message that is new to this client; called once per message, whichever transport delivered it.
    mutating func added(_ message: ChatMessage) {
        catchUp?.added += 1
        guard let range = missed?.range, range.contains(message.sequence) else { return }
        missed?.count += 1
    }

    /// Starts at the server's newest sequence: a new client has missed nothing.
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

    /// Ends a sync or a catch-up after which every message up to `newest` was seen.
    private mutating func finish(through newest: Int64, _ step: inout Step) {
        advance(to: max(newest, lastSequence ?? 0), &step)
        step.emit(.isUpToDate)
        if let count = missed?.count, count > 0, policy.toast == .isShown {
            step.emit(.caughtUp(missed: count))
        }
        missed = nil
        // Another gap may have opened while this one was being filled.
        if let next = ahead.first, policy.gap == .isFilled { saw(next, &step) }
    }
}

// MARK: - By HTTP

extension Session {
    mutating func poll(_ wanted: Bool, _ step: inout Step) {
        guard wanted != isPolling else { return }
        step.changes.insert(.session)
        nextPoll = wanted ? step.now : nil
        if wanted { timer(&step) } else { stopCatchUp(&step) }
    }

    /// Polls once, without scheduling another poll.
    mutating func pollOnce(_ step: inout Step) {
        nextPoll = nil
        begin(.poll, &step)
    }

    private mutating func begin(_ cause: CatchUp.Cause, _ step: inout Step) {
        stopCatchUp(&step)
        var catchUp = CatchUp(cause, after: lastSequence)
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
            step.emit(.refreshEnded(isGood: true))
        }
        if lastSequence == nil {
            beginHistory(at: catchUp.newest, &step)
        } else {
            finish(through: catchUp.newest, &step)
        }
    }

    mutating func catchUpFailed(_ step: inout Step) {
        guard let catchUp else { return }
        stopCatchUp(&step)
        // A failed poll is not repeated, because the next one is scheduled.
        guard catchUp.cause == .gap else { return }
        step.log("client.refresh.ended", ["ok": false, "added": .integer(Int64(catchUp.added))])
        step.emit(.refreshEnded(isGood: false))
        retryAt = step.now + max(rules.profile.sync.retry, .milliseconds(1))
    }

    private mutating func stopCatchUp(_ step: inout Step) {
        retryAt = nil
        guard catchUp != nil else { return }
        catchUp = nil
        step.emit(.withdraw(.catchUp))
        step.changes.insert(.session)
    }
}

extension Session {
    static let registry: [RegistryEntry] = [
        .observable(
            "sync.last_sequence",
            .integer,
            "The sequence up to which the client has seen every message; null before the first connection."
        ),
        .observable("sync.in_flight", .flag, "Whether missed messages are being fetched."),
        .observable("poll.active", .flag, "Whether the client polls over HTTP in place of the socket."),
        .event(
            "client.gap_detected",
            [.integer("from"), .integer("to")],
            "The client has detected missing sequences."
        ),
    ]
}
