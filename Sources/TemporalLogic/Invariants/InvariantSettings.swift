package import SquallCore

/// The backoff delays that a profile allows between connection attempts.
package struct BackoffBounds: Hashable, Sendable {
    /// The delay before the second attempt; it doubles with each further attempt.
    package var base: TimeSpan
    package var cap: TimeSpan
    package var floor: TimeSpan
    /// The maximum deviation of a delay from the nominal delay, as a fraction of the nominal delay.
    package var jitter: Ratio
    /// The longest time that a client may add to a wait requested by the server, as a fraction of that wait.
    package var spread: Ratio
    /// The attempt number that `client.backoff.began` reports for the first delay.
    package var firstAttempt: Int64
    /// Whether the attempt count restarts with each connection.
    package var resetsWhenConnected: Bool

    package init(
        base: TimeSpan,
        cap: TimeSpan,
        floor: TimeSpan = .zero,
        jitter: Ratio = .never,
        spread: Ratio? = nil,
        firstAttempt: Int64 = 1,
        resetsWhenConnected: Bool = true
    ) {
        self.base = base
        self.cap = cap
        self.floor = floor
        self.jitter = jitter
        self.spread = spread ?? jitter
        self.firstAttempt = firstAttempt
        self.resetsWhenConnected = resetsWhenConnected
    }

    /// Returns the range of delays before attempt `number`, counted from 1.
    ///
    /// The number comes from the client, so it cannot be trusted to be in range.
    func range(following number: Int64) -> ClosedRange<TimeSpan> {
        let (attempt, isTooLarge) = (max(number, 1) - 1).addingReportingOverflow(firstAttempt)
        return range(for: isTooLarge ? .max : attempt)
    }

    /// Returns the range of delays for an attempt number as reported by `client.backoff.began`.
    func range(for attempt: Int64) -> ClosedRange<TimeSpan> {
        let nominal = unfloored(attempt)
        let shortest = max(nominal - jitter.of(nominal), floor)
        let longest = max(nominal, floor) + jitter.of(max(nominal, floor))
        return shortest...max(shortest, longest)
    }

    /// Returns the delay without jitter for an attempt number as reported by `client.backoff.began`.
    func nominal(for attempt: Int64) -> TimeSpan { max(unfloored(attempt), floor) }

    private func unfloored(_ attempt: Int64) -> TimeSpan {
        var nominal = base
        // The number comes from the client, so it cannot be trusted to be in range.
        var rest = max(attempt, firstAttempt) - firstAttempt
        while rest > 0, nominal > .zero, nominal < cap {
            nominal = nominal * 2
            rest -= 1
        }
        return min(nominal, cap)
    }

    /// Returns the range of delays allowed after the server has requested a wait of `asked`; `own` is the range without
    /// that request.
    func range(_ own: ClosedRange<TimeSpan>, orAfter asked: TimeSpan) -> ClosedRange<TimeSpan> {
        let shortest = min(own.lowerBound, asked)
        return shortest...max(shortest, max(own.upperBound, asked + spread.of(asked)))
    }
}

/// A legal transition of `connection.state`.
package struct StateTransition: Hashable, Sendable {
    package var from: String
    package var to: String

    package init(_ from: String, _ to: String) {
        self.from = from
        self.to = to
    }
}

/// The settings of the standing invariants: the profile's bounds and the scenario's waivers.
///
/// A bound is nil when the profile has none; invariants that need it are skipped.
package struct InvariantSettings: Hashable, Sendable {
    package var backoff: BackoffBounds?
    /// The longest time that `connected` may be shown without a frame from the server.
    package var deadTime: TimeSpan?
    /// The longest time that `connected` may be shown after a ping whose pong has not arrived.
    package var pongLimit: TimeSpan?
    /// The longest time that an undisturbed client may take to connect, or to complete a sync or refresh.
    package var liveness: TimeSpan?
    /// The longest time that a connected client may take to request missing messages, or to show them.
    package var refetch: TimeSpan?
    /// The longest time that an old socket may stay open after a new one has been opened.
    package var closeTimeout: TimeSpan
    /// The longest duration of a write to the client's store. A message may be lost if the client's process is killed
    /// within this time after the client accepted the message.
    package var writeTime: TimeSpan
    /// The longest time that a connected client may show a message as sending.
    package var sending: TimeSpan?
    /// The client's polling interval while it has no WebSocket; nil if it does not poll.
    package var polling: TimeSpan?
    /// The client's ping interval.
    package var pingInterval: TimeSpan?
    /// The longest time that a client in the foreground may be disconnected without showing a banner.
    package var banner: TimeSpan?
    /// The number of times that a rejected credential may be sent again.
    package var authRetries: Int
    /// The legal transitions of `connection.state`; empty if all are legal. They do not apply across a restart.
    package var transitions: [StateTransition]
    /// The values of `connection.state` in which a client has given up.
    package var terminalStates: [String]
    /// The minimum time after giving up before the client makes an attempt without being asked; nil if it never makes
    /// one.
    package var pauseAfterGivingUp: TimeSpan?
    /// The values of `connection.state` that count as connected.
    package var liveStates: [String]
    /// Whether the client waits as long as a `draining` frame requests. This is not expected of third-party clients.
    package var awaitsDrain = true
    /// Whether the client is Squall's reference client, which reports every observable in the registry.
    package var isOwnClient = false
    /// The number of WebSockets that the client keeps open by design.
    package var sockets: Int64 = 1
    /// The time that a client may take to show a change everywhere; zero for a client that reports all effects of a
    /// change at the same instant.
    package var displayDelay = TimeSpan.zero
    /// The longest time that a conversation may count as viewed after the user has left it.
    package var viewingTimeout = TimeSpan.seconds(10)
    /// Whether the client acknowledges the messages that it receives.
    package var acknowledges = false
    /// Whether the protocol has a frame for reporting what the user has read.
    package var reportsReading = true
    /// Whether opening a conversation marks all of its messages as read immediately.
    package var readsOnOpening = false
    /// The longest time that a tap on a notification may take to open its target; nil if ``liveness`` is the limit.
    package var tapTimeout: TimeSpan?
    /// The number of attempts after which the client gives up; nil if it never does.
    package var maximumAttempts: Int64?
    /// Whether the client offers to delete other users' messages, even though the server rejects such requests.
    package var offersEveryDeletion = false
    /// The minimum size of an upload chunk, in bytes; nil if the client may choose it.
    package var smallestChunk: Int64?
    /// The size in bytes to which upload chunks must shrink after failures; nil if the profile has none.
    package var shrunkChunk: Int64?
    /// The number of consecutive chunk failures after which the client reduces the chunk size.
    package var failuresBeforeSmallerChunks: Int64 = 0
    /// The longest time limit that may replace ``pongLimit`` on a slow link; nil if a slow link gets no extra time.
    package var longestPongLimit: TimeSpan?
    /// Whether the client ends a connection on which the server has sent nothing for a while, even if pings are
    /// answered.
    package var requiresServerTraffic = false
    /// The invariants that cannot be checked for this client, each with the reason.
    package var hidden: [InvariantName: String] = [:]
    /// The waived invariants, each with the reason that the scenario gives.
    package var waived: [InvariantName: String]

    package init(
        backoff: BackoffBounds? = nil,
        deadTime: TimeSpan? = nil,
        pongLimit: TimeSpan? = nil,
        liveness: TimeSpan? = nil,
        refetch: TimeSpan? = nil,
        closeTimeout: TimeSpan = .seconds(1),
        writeTime: TimeSpan = .zero,
        sending: TimeSpan? = nil,
        pingInterval: TimeSpan? = nil,
        banner: TimeSpan? = nil,
        authRetries: Int = 0,
        transitions: [StateTransition] = [],
        terminalStates: [String] = ["auth_required", "unavailable"],
        pauseAfterGivingUp: TimeSpan? = nil,
        liveStates: [String] = ["connected", "degraded", "draining"],
        waived: [InvariantName: String] = [:]
    ) {
        self.backoff = backoff
        self.deadTime = deadTime
        self.pongLimit = pongLimit
        self.liveness = liveness
        self.refetch = refetch
        self.closeTimeout = closeTimeout
        self.writeTime = writeTime
        self.sending = sending
        self.pingInterval = pingInterval
        self.banner = banner
        self.authRetries = authRetries
        self.transitions = transitions
        self.terminalStates = terminalStates
        self.pauseAfterGivingUp = pauseAfterGivingUp
        self.liveStates = liveStates
        self.waived = waived
    }
}
