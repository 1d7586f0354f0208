import ChatWire
import Faults
import SquallCore
import WebSocketWire

/// Owns the client's socket, and decides when to connect, to wait and to give up.
///
/// Its extensions handle the server's frames (`Connection+Frames`), the phone and its user (`Connection+Device`) and
/// captive portals (`Connection+Portal`).
struct Connection {
    enum Phase: Equatable {
        /// The client has not started, or the user has disconnected or signed out. Next: opening, refused.
        case idle
        /// Probing for a captive portal before an attempt. Next: opening, captive.
        case probing
        /// An attempt is in progress, from the TCP connection to `connected`; if `polls`, the client also polls over
        /// HTTP. Next: live, waiting, captive, refused; polling, stopped or breaking after the last attempt.
        case opening(until: Instant, polls: Bool)
        /// Connected. Next: waiting, draining, offline, suspended, refused.
        case live
        /// Waiting for the backoff delay. Next: opening, probing.
        case waiting(until: Instant)
        /// Waiting for the delay that the server's `draining` specified. Next: opening.
        case draining(until: Instant)
        /// No attempts are left, so the client polls over HTTP. Next: opening, for a single attempt at `until` unless
        /// that is nil, or for a new series of attempts in response to the network, the phone or the user.
        case polling(until: Instant?)
        /// No attempts are left. Next: opening, in response to the network, the phone or the user.
        case stopped
        /// No attempts are left. Next: opening, for a single attempt at `until`.
        case breaking(until: Instant)
        /// The phone has no network. Next: opening when the network returns.
        case offline
        /// Behind a captive portal. Next: probing when the user has logged in or returns to the app.
        case captive
        /// The server has rejected the key, or the key is missing. Next: opening with another key or at the user's
        /// request.
        case refused
        /// Closed while the app is in the background. Next: opening when the app returns to the foreground.
        case suspended
    }

    let rules: Rules
    let portal: Portal
    var phase = Phase.idle
    var link: ClientLink?
    var backoff: Backoff
    var heartbeat: Heartbeat
    var credentials: Credentials
    let servers: Servers
    /// The host name used for the last connection attempt; nil before the first attempt.
    private(set) var host: String?
    /// The ID that the server has assigned to this client's session; sent to resume the session.
    var sessionID: String?
    /// Whether the operating system reports a network.
    var isReachable: Bool
    /// The instant at which the connection will be closed; nil unless the app is in the background.
    var backgroundLimit: Instant?
    /// Whether the client was polling when it was suspended in the background.
    var wasPolling = false
    /// Whether the last response came from a captive portal.
    var suspectsPortal = false
    /// Whether a connection was lost or an attempt has failed since the user or the phone last requested a connection.
    var isReturning = false
    private(set) var hasBeenConnected = false
    var lastFailure: Failure?
    /// The protocol state that the next connection inherits from the previous one.
    private var lastDialogue = WireDialogue()
    /// The full delay before the next attempt, not the time remaining; nil if the current phase has no delay.
    var nextAttemptIn: TimeSpan?
    /// Connections that were replaced by newer connections without being closed.
    ///
    /// Always empty unless a defect is injected.
    var surplus: [ConnectionID] = []
    private var attempts = 0
    private var masks: SeededGenerator
    private var drainRandom: SeededGenerator
    var nonces: SeededGenerator
    /// The server's clock minus the time since the run began, in milliseconds; nil before the server has announced its
    /// clock.
    var serverClock: Int64?

    init(_ rules: Rules, key: String, store: StoreImage, phone: Phone) {
        isReachable = phone.hasNetwork
        self.rules = rules
        portal = Portal(rules)
        backoff = Backoff(rules)
        heartbeat = Heartbeat(rules)
        servers = Servers(rules)
        credentials = Credentials(
            key: store["auth.key"]?.stringValue ?? key,
            policy: rules.policy.auth,
            isLocked: phone.areKeysLocked
        )
        sessionID = store["session.id"]?.stringValue
        masks = rules.stream("client.mask")
        drainRandom = rules.stream("client.drain")
        nonces = rules.stream("client.nonces")
    }

    /// Whether the user's messages may be sent over the socket.
    ///
    /// The getter is `mutating` only to avoid copying the storage; it does not change any state.
    var carriesMessages: Bool {
        mutating get {
            switch link?.stage {
            case .live: true
            case .awaitingHello, .authenticating: rules.policy.auth.sending == .atOnce
            case .connecting, .upgrading, nil: false
            }
        }
    }

    /// Whether the client polls over HTTP instead of using the socket.
    var isPolling: Bool {
        switch phase {
        case .polling, .opening(_, polls: true): true
        case .waiting: rules.policy.reconnect.pollingStart == .afterFirstAttempt
        default: false
        }
    }

    /// The maximum size of a received message, in bytes; nil for no limit.
    var messageLimit: Int64? {
        let size = rules.profile.connect.maxMessageSize
        return size > 0 ? size : nil
    }

    /// The earliest deadline set by the phase, the background allowance or the heartbeat.
    ///
    /// The getter is `mutating` only to avoid copying the storage; it does not change any state.
    var deadline: Instant? {
        mutating get {
            let ofPhase: Instant? =
                switch phase {
                case .opening(let until, _), .waiting(let until), .draining(let until), .breaking(let until): until
                case .polling(let until): until
                case .idle, .probing, .live, .stopped, .offline, .captive, .refused, .suspended: nil
                }
            return ofPhase.or(sooner: backgroundLimit).or(sooner: heartbeat.deadline)
        }
    }

    mutating func timer(_ step: inout Step) {
        step.changes.insert(.connection)
        if let limit = backgroundLimit, limit <= step.now { suspend(&step) }
        switch phase {
        case .opening(let until, _) where until <= step.now:
            failAttempt(.connectTimeout, wasAnswered: link?.isOpen ?? false, .withReset, &step)
        case .waiting(let until) where until <= step.now,
            .draining(let until) where until <= step.now,
            .breaking(let until) where until <= step.now:
            probeOrAttempt(&step)
        case .polling(let until?) where until <= step.now:
            attempt(polls: true, &step)
        default:
            break
        }
        switch heartbeat.check(at: step.now) {
        case .alive: break
        case .ping(let id): say(.ping(id: id), &step)
        case .dead: loseOrFail(.pongTimeout, .withReset, &step)
        }
    }

    // MARK: - Attempts

    /// Starts a new series of attempts, at the user's request or after a network change.
    ///
    /// If `insisting` is true, a rejected key is tried again.
    mutating func begin(insisting: Bool = false, _ step: inout Step) {
        isReturning = false
        guard isReachable || rules.policy.reachability.offline == .keepsTrying else {
            enter(.offline, &step)
            return
        }
        // After all attempts have failed, missed messages are more likely to arrive over HTTP than over the socket.
        if backoff.wasSpent, rules.profile.reconnect.onExhausted == .poll, rules.policy.reachability.poll == .atOnce {
            step.emit(.pollOnce)
        }
        if rules.policy.reconnect.reset != .never { backoff.reset() }
        if credentials.requiresNew, !insisting {
            enter(.refused, &step)
        } else {
            probeOrAttempt(&step)
        }
    }

    /// Ends the connection, the attempt in progress or the backoff delay, without counting a failed attempt.
    ///
    /// The caller enters the next phase.
    mutating func abandon(_ failure: Failure, _ step: inout Step) {
        switch phase {
        case .live:
            let isAsked = failure == .own(.reconnect) || failure == .own(.disconnect)
            lose(failure, isAsked ? .withCloseFrame : .withReset, &step)
        case .opening:
            close(.withReset, &step)
            step.log("client.attempt.failed", ["failure": record(of: failure)])
        case .waiting:
            step.log("client.backoff.cancelled")
        case .probing:
            step.emit(.cancelRequests(.probe))
        case .idle, .draining, .polling, .stopped, .breaking, .offline, .captive, .refused, .suspended:
            break
        }
    }

    /// Starts an attempt; if `polls`, the client continues to poll during the attempt.
    mutating func attempt(polls: Bool = false, _ step: inout Step) {
        guard credentials.permitsAttempt else {
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
        enter(.opening(until: step.now + rules.profile.connect.timeout, polls: polls), &step)
    }

    /// Ends the attempt in progress as failed, and schedules the next attempt.
    mutating func failAttempt(
        _ failure: Failure,
        wasAnswered: Bool,
        _ mode: CloseMode,
        asked: TimeSpan? = nil,
        _ step: inout Step
    ) {
        close(mode, &step)
        var fields: JSON = ["failure": record(of: failure)]
        if let asked { fields.set("retry_after", to: .integer(asked.nanoseconds)) }
        step.log("client.attempt.failed", fields)
        step.emit(.attemptFailed)
        lastFailure = failure
        isReturning = true
        backoff.countFailure()
        if rules.policy.auth.networkError == .blamesKey { credentials.requiresNew = true }
        retryLater(asked: asked, &step)
        // Only a peer that has answered can be a portal; the probe runs during the delay before the next attempt.
        if wasAnswered, case .waiting = phase { step.emit(.ask(.probe)) }
    }

    /// Schedules the next attempt after the backoff delay or after `asked`, the delay that the server requested (RFC
    /// 9110 section 10.2.3), whichever is longer.
    mutating func retryLater(asked: TimeSpan? = nil, _ step: inout Step) {
        let named = asked.map { $0 + drainSpread(of: $0) } ?? .zero
        guard backoff.isSpent else {
            let delay = max(backoff.nextDelay(), named)
            enter(.waiting(until: step.now + rules.duration(ofWait: delay, from: step.now)), delay: delay, &step)
            step.log(
                "client.backoff.began",
                ["attempt": .integer(backoff.delays), "delay": .integer(delay.nanoseconds)]
            )
            return
        }
        giveUp(after: named, &step)
    }

    /// Enters the phase that follows the last failed attempt; `asked` is the delay that the server has requested.
    mutating func giveUp(after asked: TimeSpan = .zero, _ step: inout Step) {
        let pause = asked + rules.profile.reconnect.breakerPause
        switch rules.profile.reconnect.onExhausted {
        case .poll:
            let hasGivenUp = isPolling
            enter(.polling(until: backoff.nextAttemptWhilePolling().map { step.now + asked + $0 }), &step)
            if hasGivenUp { return }
        case .stop: enter(.stopped, &step)
        case .breaker:
            enter(.breaking(until: step.now + pause), delay: pause, &step)
            return
        }
        step.log("client.gave_up", ["attempts": .integer(backoff.failures)])
    }

    /// Returns the jitter for a delay that the server has specified, so that the server's clients reconnect at
    /// different times.
    mutating func drainSpread(of wait: TimeSpan) -> TimeSpan {
        guard rules.policy.drain.comeback == .spread, let share = percent(rules.profile.drain.jitterPercent) else {
            return .zero
        }
        return drainRandom.span(from: .zero, through: share.of(wait))
    }

    // MARK: - Opening and closing

    /// Starts the handshake once the byte stream is open.
    mutating func opened(_ id: ConnectionID, _ step: inout Step) {
        guard link?.id == id else { return }
        link?.opened(
            rules,
            host: host ?? servers.preferred,
            path: credentials.address(of: rules.wire.webSocketPath, rules.wire),
            masks: &masks
        )
        if rules.policy.reconnect.reset == .whenOpened { backoff.reset() }
        step.changes.insert(.connection)
        flush(&step)
    }

    /// Completes the handshake after the server's `connected`.
    mutating func becomeLive(_ connected: ServerFrame.Connected, _ step: inout Step) {
        link?.stage = .live
        if sendsSubscription { link?.sendExtras(after: .connected, rules.wire) }
        backoff.connected()
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

    /// Ends the live connection and records the reason.
    ///
    /// The caller enters the next phase.
    mutating func lose(_ failure: Failure, _ mode: CloseMode, _ step: inout Step) {
        close(mode, &step)
        step.log("client.disconnected", ["failure": record(of: failure)])
        step.emit(.linkLost(failure))
        guard case .own = failure else {
            lastFailure = failure
            isReturning = true
            if rules.policy.auth.lostLink == .asksForKey { credentials.requiresNew = true }
            return
        }
    }

    /// Ends the connection or attempt, and schedules the next attempt after the backoff delay.
    ///
    /// `asked` is the delay that the server has requested.
    mutating func loseOrFail(_ failure: Failure, _ mode: CloseMode, asked: TimeSpan? = nil, _ step: inout Step) {
        guard phase == .live else {
            failAttempt(failure, wasAnswered: link?.isOpen ?? false, mode, asked: asked, &step)
            return
        }
        lose(failure, mode, &step)
        guard rules.policy.reconnect.loss == .isRepaired else { return enter(.stopped, &step) }
        retryLater(&step)
    }

    /// How the client closes a connection.
    enum CloseMode {
        /// A WebSocket close frame, then a FIN.
        case withCloseFrame
        /// A FIN after the pending output, such as the reply to the peer's close frame.
        case afterPendingOutput
        /// An immediate RST.
        case withReset
        /// The connection is already closed.
        case alreadyClosed
    }

    mutating func close(_ mode: CloseMode, _ step: inout Step) {
        heartbeat.end()
        guard var leaving = link else { return }
        link = nil
        lastDialogue = leaving.dialogue.successor
        step.changes.insert(.connection)
        switch mode {
        case .withCloseFrame, .afterPendingOutput:
            if mode == .withCloseFrame { leaving.sendClose() }
            let bytes = leaving.takeOutput()
            if !bytes.isEmpty { step.perform(.write(leaving.id, bytes)) }
            step.perform(.end(leaving.id, .fin))
        case .withReset: step.perform(.end(leaving.id, .rst))
        case .alreadyClosed: break
        }
    }

    mutating func enter(_ next: Phase, delay: TimeSpan? = nil, _ step: inout Step) {
        phase = next
        nextAttemptIn = delay
        step.changes.insert(.connection)
    }

    /// Writes a frame; drops it if the socket is not open.
    mutating func say(_ frame: ClientFrame, _ step: inout Step) {
        let frame = credentials.written(frame)
        guard link?.send(frame, rules.wire) ?? false else { return }
        step.logSent(frame)
        flush(&step)
    }

    mutating func flush(_ step: inout Step) {
        guard let bytes = link?.takeOutput(), !bytes.isEmpty, let id = link?.id else { return }
        step.perform(.write(id, bytes))
    }
}
