import ChatWire
import Faults
import SquallCore
import WebSocketWire

/// Owns the one socket of the client: when to try, when to wait, when to stop.
///
/// `Connection+Frames` is what the server does to it, `Connection+Device` what phone and user do, `Connection+Portal`
/// what a captive portal does.
struct Connection {
    enum Phase: Equatable {
        /// Not started. Next: opening, refused.
        case idle
        /// A portal may still be there: asking before anything is tried. Next: opening, captive.
        case probing
        /// An attempt, from TCP to `connected`. Next: live; waiting and what follows spent attempts; captive; refused.
        case opening(until: Instant)
        /// Connected. Next: waiting, draining, offline, suspended, refused.
        case live
        /// The backoff's delay. Next: opening.
        case waiting(until: Instant)
        /// The server's delay. Next: opening.
        case draining(until: Instant)
        /// Attempts are spent. Next: opening, as soon as network, phone or user give a reason.
        case polling, stopped
        /// Attempts are spent. Next: opening, once, when the pause is over.
        case breaking(until: Instant)
        /// No network. Next: opening when it is back.
        case offline
        /// Behind a portal. Next: probing when the user returns.
        case captive
        /// The key is refused or missing. Next: opening with another key, or when the user insists.
        case refused
        /// Closed in the background. Next: opening in the foreground.
        case suspended
    }

    let rules: Rules
    let portal: Portal
    var phase = Phase.idle
    var link: ClientLink?
    var backoff: Backoff
    var heartbeat: Heartbeat
    var credentials: Credentials
    private let servers: Servers
    /// The server of the last attempt.
    private(set) var host: String?
    /// The server's name for this client's session, to take it up again.
    var sessionID: String?
    /// What the system says of the network.
    var isReachable: Bool
    /// Set while the app is in the background: when it closes its connection.
    var backgroundLimit: Instant?
    /// Whether the last answer seen was a portal's.
    var suspectsPortal = false
    /// Whether something was lost or tried in vain since the last time somebody asked for a connection.
    var isReturning = false
    private(set) var hasBeenConnected = false
    var lastFailure: Failure?
    /// What the connection before this one has left to be known.
    private var lastDialogue = WireDialogue()
    /// The delay that the phase began with.
    var nextAttemptIn: TimeSpan?
    /// Sockets that were opened although there was one.
    ///
    /// Only a defect has any.
    var surplus: [ConnectionID] = []
    private var attempts = 0
    private var masks: SeededGenerator
    private var drainChance: SeededGenerator
    var nonces: SeededGenerator

    init(_ rules: Rules, key: String, store: StoreImage, hasNetwork: Bool) {
        isReachable = hasNetwork
        self.rules = rules
        portal = Portal(rules)
        backoff = Backoff(rules)
        heartbeat = Heartbeat(rules)
        servers = Servers(rules)
        credentials = Credentials(key: store["auth.key"]?.stringValue ?? key, policy: rules.policy.auth)
        sessionID = store["session.id"]?.stringValue
        masks = rules.stream("client.mask")
        drainChance = rules.stream("client.drain")
        nonces = rules.stream("client.nonces")
    }

    /// Whether messages of the user may go over the socket.
    var carriesMessages: Bool {
        mutating get {
            switch link?.stage {
            case .live: true
            case .greeting, .authenticating: rules.policy.auth.sending == .atOnce
            case .connecting, .upgrading, nil: false
            }
        }
    }

    /// Bytes of a message; nil for any.
    var messageLimit: Int64? {
        let size = rules.profile.connect.maxMessageSize
        return size > 0 ? size : nil
    }

    /// The server that requests are for, where there are several.
    var requestHost: String? { servers.areSeveral ? host : nil }

    var deadline: Instant? {
        mutating get {
            let ofPhase: Instant? =
                switch phase {
                case .opening(let until), .waiting(let until), .draining(let until), .breaking(let until): until
                case .idle, .probing, .live, .polling, .stopped, .offline, .captive, .refused, .suspended: nil
                }
            return ofPhase.or(sooner: backgroundLimit).or(sooner: heartbeat.deadline)
        }
    }

    mutating func timer(_ step: inout Step) {
        step.changes.insert(.connection)
        if let limit = backgroundLimit, limit <= step.now { suspend(&step) }
        switch phase {
        case .opening(let until) where until <= step.now:
            failAttempt(.connectTimeout, wasAnswered: link?.isOpen ?? false, .abruptly, &step)
        case .waiting(let until) where until <= step.now,
            .draining(let until) where until <= step.now,
            .breaking(let until) where until <= step.now:
            attempt(&step)
        default:
            break
        }
        switch heartbeat.check(at: step.now) {
        case .alive: break
        case .ping(let id): say(.ping(id: id), &step)
        case .dead: part(.pongTimeout, .abruptly, &step)
        }
    }

    // MARK: - Attempts

    /// Begins anew, as if nothing had failed: somebody asked for it, or the network is another one.
    ///
    /// `insisting` also where the key was refused.
    mutating func begin(insisting: Bool = false, _ step: inout Step) {
        isReturning = false
        guard isReachable || rules.policy.reachability.offline == .keepsTrying else {
            enter(.offline, &step)
            return
        }
        // Where the socket had been given up, the HTTP routes are the surer way to what was missed.
        if backoff.isSpent, rules.profile.reconnect.onExhausted == .poll, rules.policy.reachability.poll == .atOnce {
            step.emit(.pollOnce)
        }
        if rules.policy.reconnect.reset != .never { backoff.reset() }
        if credentials.requiresNew, !insisting {
            enter(.refused, &step)
        } else if suspectsPortal {
            enter(.probing, &step)
            step.emit(.ask(.probe))
        } else {
            attempt(&step)
        }
    }

    /// Gives up an attempt or a wait without counting it as failed.
    ///
    /// What follows is the caller's to say.
    mutating func abandon(_ failure: Failure, _ step: inout Step) {
        switch phase {
        case .live:
            let isAsked = failure == .own(.reconnect) || failure == .own(.disconnect)
            lose(failure, isAsked ? .politely : .abruptly, &step)
        case .opening:
            close(.abruptly, &step)
            step.log("client.attempt.failed", ["failure": record(of: failure)])
        case .waiting:
            step.log("client.backoff.cancelled")
        case .probing:
            step.emit(.withdraw(.probe))
        case .idle, .draining, .polling, .stopped, .breaking, .offline, .captive, .refused, .suspended:
            break
        }
    }

    mutating func attempt(_ step: inout Step) {
        guard credentials.permitAttempt else {
            credentials.requiresNew = true
            enter(.refused, &step)
            return
        }
        attempts += 1
        host = servers.host(after: backoff.failures)
        let id = ConnectionID(rules.id, attempts)
        link = ClientLink(id, after: lastDialogue)
        step.log("client.attempt.began", ["number": .integer(backoff.failures + 1)])
        step.perform(.connect(id))
        enter(.opening(until: step.now + rules.profile.connect.timeout), &step)
    }

    /// The attempt under way has come to nothing.
    mutating func failAttempt(_ failure: Failure, wasAnswered: Bool, _ parting: Parting, _ step: inout Step) {
        close(parting, &step)
        step.log("client.attempt.failed", ["failure": record(of: failure)])
        step.emit(.attemptFailed)
        lastFailure = failure
        isReturning = true
        backoff.countFailure()
        if rules.policy.auth.networkError == .blamesKey { credentials.requiresNew = true }
        retryLater(&step)
        // Only who answers can be a portal; the delay is time enough to ask.
        if wasAnswered, case .waiting = phase { step.emit(.ask(.probe)) }
    }

    mutating func retryLater(_ step: inout Step) {
        guard backoff.isSpent else {
            let delay = backoff.nextDelay()
            enter(.waiting(until: step.now + delay), delay: delay, &step)
            step.log(
                "client.backoff.began",
                ["attempt": .integer(backoff.delays), "delay": .integer(delay.nanoseconds)]
            )
            return
        }
        giveUp(&step)
    }

    /// The attempts are spent.
    mutating func giveUp(_ step: inout Step) {
        let pause = rules.profile.reconnect.breakerPause
        switch rules.profile.reconnect.onExhausted {
        case .poll: enter(.polling, &step)
        case .stop: enter(.stopped, &step)
        case .breaker:
            enter(.breaking(until: step.now + pause), delay: pause, &step)
            return
        }
        step.log("client.gave_up", ["attempts": .integer(backoff.failures)])
    }

    /// What is added to a wait that the server has asked for, so that its clients do not all come back at once.
    mutating func drainSpread(of wait: TimeSpan) -> TimeSpan {
        guard rules.policy.drain.comeback == .spread, let share = percent(rules.profile.drain.jitterPercent) else {
            return .zero
        }
        return drainChance.span(from: .zero, through: share.of(wait))
    }

    // MARK: - Opening and closing

    /// The byte stream is there.
    mutating func opened(_ id: ConnectionID, _ step: inout Step) {
        guard link?.id == id else { return }
        link?.opened(
            rules,
            host: host ?? servers.preferred,
            path: credentials.address(of: rules.wire.webSocketPath),
            masks: &masks
        )
        if rules.policy.reconnect.reset == .whenOpened { backoff.reset() }
        step.changes.insert(.connection)
        flush(&step)
    }

    /// The server agrees to everything: the handshake is complete.
    mutating func becomeLive(_ connected: ServerFrame.Connected, _ step: inout Step) {
        link?.stage = .live
        if rules.policy.reconnect.reset == .whenConnected { backoff.reset() }
        if rules.policy.heartbeat.begin == .whenConnected { heartbeat.begin(at: step.now) }
        credentials.requiresNew = false
        suspectsPortal = false
        isReturning = false
        hasBeenConnected = true
        lastFailure = nil
        sessionID = connected.session
        step.store("session.id", .string(connected.session))
        step.log("client.connected", ["resumed": .bool(connected.resumed)])
        step.emit(.connected(connected))
        enter(.live, &step)
    }

    /// The live link is gone, whoever ended it.
    ///
    /// What follows is the caller's to say.
    mutating func lose(_ failure: Failure, _ parting: Parting, _ step: inout Step) {
        close(parting, &step)
        step.log("client.disconnected", ["failure": record(of: failure)])
        step.emit(.linkLost(announced: failure == .own(.draining)))
        guard case .own = failure else {
            lastFailure = failure
            isReturning = true
            if rules.policy.auth.lostLink == .asksForKey { credentials.requiresNew = true }
            return
        }
    }

    /// The link is gone for a reason that the backoff answers.
    mutating func part(_ failure: Failure, _ parting: Parting, _ step: inout Step) {
        guard phase == .live else {
            failAttempt(failure, wasAnswered: link?.isOpen ?? false, parting, &step)
            return
        }
        lose(failure, parting, &step)
        retryLater(&step)
    }

    /// How the client leaves a link.
    enum Parting {
        /// With a close frame.
        case politely
        /// After what is still to be written, such as the answer to the other side's close.
        case finishing
        /// Without waiting for anything.
        case abruptly
        /// There is nothing left to leave.
        case gone
    }

    mutating func close(_ parting: Parting, _ step: inout Step) {
        heartbeat.end()
        guard var leaving = link else { return }
        link = nil
        lastDialogue = leaving.dialogue.successor
        step.changes.insert(.connection)
        switch parting {
        case .politely, .finishing:
            if parting == .politely { leaving.sendClose() }
            let bytes = leaving.takeOutput()
            if !bytes.isEmpty { step.perform(.write(leaving.id, bytes)) }
            step.perform(.end(leaving.id, .fin))
        case .abruptly: step.perform(.end(leaving.id, .rst))
        case .gone: break
        }
    }

    /// For the log.
    func record(of failure: Failure) -> JSON {
        rules.policy.log.record(of: failure).map { .string($0.word) } ?? .null
    }

    mutating func enter(_ next: Phase, delay: TimeSpan? = nil, _ step: inout Step) {
        phase = next
        nextAttemptIn = delay
        step.changes.insert(.connection)
    }

    /// Writes a frame; without an open socket it is gone.
    mutating func say(_ frame: ClientFrame, _ step: inout Step) {
        guard link?.send(frame, rules.wire) ?? false else { return }
        step.logSent(frame)
        flush(&step)
    }

    mutating func flush(_ step: inout Step) {
        guard let bytes = link?.takeOutput(), !bytes.isEmpty, let id = link?.id else { return }
        step.perform(.write(id, bytes))
    }
}
