package import SquallCore

/// The delays between attempts that a profile allows.
package struct BackoffBounds: Hashable, Sendable {
    /// The delay before the second attempt, which doubles with each further one.
    package var base: TimeSpan
    package var cap: TimeSpan
    package var floor: TimeSpan
    /// The largest deviation of a delay from the nominal one, as a share of it.
    package var jitter: Ratio
    /// How much longer than the server's requested wait a client may wait, as a fraction of that wait.
    package var spread: Ratio
    /// The number that `client.backoff.began` carries with the first delay.
    package var firstAttempt: Int64
    /// Whether the count restarts with each connection.
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

    /// The shortest and the longest delay before the attempt of this number, counted from 1.
    ///
    /// The number is whatever a client says it is.
    func range(following number: Int64) -> ClosedRange<TimeSpan> {
        let (attempt, isTooLarge) = (max(number, 1) - 1).addingReportingOverflow(firstAttempt)
        return range(for: isTooLarge ? .max : attempt)
    }

    /// The shortest and the longest delay for this number of attempt.
    func range(for attempt: Int64) -> ClosedRange<TimeSpan> {
        let nominal = unfloored(attempt)
        let shortest = max(nominal - jitter.of(nominal), floor)
        let longest = max(nominal, floor) + jitter.of(max(nominal, floor))
        return shortest...max(shortest, longest)
    }

    /// The delay for this number of attempt without jitter.
    func nominal(for attempt: Int64) -> TimeSpan { max(unfloored(attempt), floor) }

    private func unfloored(_ attempt: Int64) -> TimeSpan {
        var nominal = base
        // The number comes from the client and may have any value.
        var rest = max(attempt, firstAttempt) - firstAttempt
        while rest > 0, nominal > .zero, nominal < cap {
            nominal = nominal * 2
            rest -= 1
        }
        return min(nominal, cap)
    }

    /// The delays of a client that the server has `asked` to stay away for so long.
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
    /// The longest time that `connected` may be shown after a ping without its pong.
    package var pongLimit: TimeSpan?
    /// The longest time that an undisturbed client may take to connect, and to complete a sync or refresh.
    package var liveness: TimeSpan?
    /// The longest time that a connected client may take to begin to close a gap, and to have closed it.
    package var refetch: TimeSpan?
    /// The longest time that an old socket may stay open beside a new one.
    package var superseding: TimeSpan
    /// The longest time of a write to the client's store: a message accepted within it before a kill may be lost.
    package var storing: TimeSpan
    /// The longest time that a connected client may show a message as sending.
    package var sending: TimeSpan?
    /// The time between two pings of the client.
    package var pingInterval: TimeSpan?
    /// The longest time in the foreground that a client without a connection may show no banner.
    package var banner: TimeSpan?
    /// The number of times that a refused credential may be sent again.
    package var authRetries: Int
    /// The legal transitions of `connection.state`; empty when all are legal. They do not apply across a restart.
    package var transitions: [StateTransition]
    /// The states in which a client has given up.
    package var terminalStates: [String]
    /// The shortest time after which a client that has given up attempts to connect without being asked; nil if it
    /// never does.
    package var pauseAfterGivingUp: TimeSpan?
    /// The states that count as being connected.
    package var liveStates: [String]
    /// Whether the client promises to wait as long as a drain notice asks for. A foreign client promises nothing.
    package var awaitsDrain = true
    /// Whether the client is Squall's own, which shows everything that the registry has.
    package var isOwnClient = false
    /// How long a client may take to show an event everywhere; its own events all have one time.
    package var settling = TimeSpan.zero
    /// How long a screen that was left may count as viewed.
    package var leaving = TimeSpan.seconds(10)
    /// Whether the client acknowledges the messages that it receives.
    package var acknowledges = false
    /// Whether opening a conversation reads all of its messages at once.
    package var readsOnOpening = false
    /// The longest time that a tapped notification may take to lead anywhere; nil for that of the invariants.
    package var following: TimeSpan?
    /// The number of attempts after which the client gives up; nil if it never does.
    package var mostAttempts: Int64?
    /// Whether the client offers to delete the messages of other users, which the server refuses.
    package var offersEveryDeletion = false
    /// The size of the smallest chunk of a file; nil if the client may choose it.
    package var smallestChunk: Int64?
    /// The number of failures after which chunks become smaller.
    package var failuresOfChunks: Int64 = 0
    /// Whether a connection also ends because the server has sent nothing for a while, whatever pings it answers.
    package var listensOnly = false
    /// The invariants that cannot be judged for this client, with the reasons.
    package var hidden: [InvariantName: String] = [:]
    /// The waived invariants, with the scenario's reasons.
    package var waived: [InvariantName: String]

    package init(
        backoff: BackoffBounds? = nil,
        deadTime: TimeSpan? = nil,
        pongLimit: TimeSpan? = nil,
        liveness: TimeSpan? = nil,
        refetch: TimeSpan? = nil,
        superseding: TimeSpan = .seconds(1),
        storing: TimeSpan = .zero,
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
        self.superseding = superseding
        self.storing = storing
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
