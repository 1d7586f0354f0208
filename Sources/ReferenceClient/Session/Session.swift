import ChatWire
import SquallCore

/// Knows up to where this client has seen everything, and gets what it has not.
///
/// All messages of a server share one sequence, so one number says what is missing. After each handshake the client
/// asks for what came after it (`sync`); what the server's buffer does not hold any more comes by HTTP (``CatchUp``),
/// and so does everything while there is no socket.
struct Session {
    /// All that what is shown of it follows from.
    struct Look: Equatable {
        let isPolling: Bool
        let lastSequence: Int64?
        let isSyncing: Bool
        let isRefreshing: Bool
    }

    private let rules: Rules
    private var policy: SessionPolicy { rules.policy.session }
    /// Everything up to here was seen.
    ///
    /// Nil until the first `connected` of this client's life.
    private(set) var lastSequence: Int64?
    /// Sequences seen beyond a hole, ascending.
    private var ahead: [Int64] = []
    /// A `sync` is out: until when its `replay` is waited for.
    private var replayLimit: Instant?
    private var catchUp: CatchUp?
    /// When a catch-up that failed begins again.
    private var retryAt: Instant?
    /// When the next poll is due; nil while there is no polling.
    private var nextPoll: Instant?
    /// After a reconnect: which sequences count as missed and how many of them have come, until the user is told.
    private var missed: (range: ClosedRange<Int64>, count: Int)?
    private var wasConnected = false
    /// The next sync is the first since the app was in the background.
    private var hasSlept = false
    /// The conversation on the screen, which a poll asks for first.
    var watched: String?

    init(_ rules: Rules, store: StoreImage) {
        self.rules = rules
        lastSequence = store["session.last_sequence"]?.intValue.map { max($0, 0) }
    }

    /// Whether the user's messages may go out: never before the ones that were missed have come.
    var letsMessagesOut: Bool { replayLimit == nil }
    var isSyncing: Bool { replayLimit != nil || isRefreshing }
    var isRefreshing: Bool { catchUp?.cause == .gap }
    var isPolling: Bool { nextPoll != nil }

    var deadline: Instant? { replayLimit.or(sooner: retryAt).or(sooner: nextPoll) }

    mutating func timer(_ step: inout Step) {
        if let limit = replayLimit, limit <= step.now {
            // The server does not answer on the socket; it may on the other way.
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
            // The server has lost its past, and with it the meaning of our number.
            step.log("client.gap_detected", ["from": 1, "to": .integer(last)])
            lastSequence = 0
            begin(.gap, &step)
        }
    }

    /// The app is back on the screen and its connection was closed meanwhile.
    mutating func woke() { hasSlept = true }

    mutating func linkLost(_ step: inout Step) {
        replayLimit = nil
        missed = nil
        stopCatchUp(&step)
        step.changes.insert(.session)
    }

    /// A message has come by itself, or the confirmation of our own.
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
        // What is being fetched already is no news.
        guard replayLimit == nil, catchUp == nil, policy.gap == .isFilled else { return }
        step.log("client.gap_detected", ["from": .integer(last + 1), "to": .integer(sequence - 1)])
        sync(&step)
    }

    mutating func replayed(_ replay: ServerFrame.Replay, _ step: inout Step) {
        step.emit(.messages(replay.messages, via: .replay))
        step.emit(.replayEnded(complete: replay.complete || policy.gap == .isUnnoticed, through: replay.lastSequence))
    }

    /// After the replay's messages have been taken in.
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
            // Nobody can be asked on the socket.
            begin(.gap, &step)
            return
        }
        replayLimit = step.now + rules.profile.sync.timeout
        step.changes.insert(.session)
        let isWhole = policy.sync == .fromStart || (hasSlept && policy.wake == .fromStart)
        hasSlept = false
        step.emit(.say(.sync(lastSequence: isWhole ? 0 : lastSequence ?? 0)))
    }

    /// Once on disk, the server may forget that it owes us the message; again where its first word was lost.
    func acknowledge(_ messages: [ChatMessage], _ step: inout Step) {
        guard policy.acknowledgement == .onceStored else { return }
        for message in messages { step.onceStored(.acknowledge(messageID: message.id)) }
    }
}

// MARK: - How far it has seen

extension Session {
    /// A message is new to this client; each is told once, whichever way it came.
    mutating func added(_ message: ChatMessage) {
        catchUp?.added += 1
        guard let range = missed?.range, range.contains(message.sequence) else { return }
        missed?.count += 1
    }

    /// A client without a past has missed nothing: it counts from here.
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

    /// Everything up to `newest` is here.
    private mutating func finish(through newest: Int64, _ step: inout Step) {
        advance(to: max(newest, lastSequence ?? 0), &step)
        if let count = missed?.count, count > 0, policy.toast == .isShown {
            step.emit(.caughtUp(missed: count))
        }
        missed = nil
        // A hole that came to be while the first was filled.
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

    /// Now, and not again by itself.
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
        // The next poll comes by itself.
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
            "Up to where the client has seen everything; null before it knows."
        ),
        .observable("sync.in_flight", .flag, "Whether what was missed is on its way."),
        .observable("poll.active", .flag, "Whether the HTTP routes stand in for the socket."),
        .event(
            "client.gap_detected",
            [.integer("from"), .integer("to")],
            "Sequences that the client has not seen and the socket did not bring."
        ),
    ]
}
