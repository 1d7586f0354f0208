import SquallCore

/// The clock of one run. It follows real time, but limits how far one iteration of the event loop can advance it, and
/// it can leap forward.
struct LeapingClock {
    private(set) var now = Instant.zero
    /// The sum of all leaps.
    private(set) var leapt = TimeSpan.zero
    private let turnLimit: TimeSpan?
    private var lastReading: Instant
    private var turnLeft: TimeSpan
    /// Whether the clock is stopped.
    private(set) var isStopped = false

    /// Creates a clock that starts at zero; `uptime` is the current time of a monotonic clock.
    ///
    /// An iteration of the event loop advances the clock by at most `turnLimit`. A longer iteration was slowed down by
    /// the machine (a debug build, another process), and must not cause one of the run's deadlines to expire. If
    /// `turnLimit` is nil, iterations are not limited.
    init(startingAt uptime: Instant, turnLimit: TimeSpan? = nil) {
        self.turnLimit = turnLimit
        lastReading = uptime
        turnLeft = turnLimit ?? .forever
    }

    /// Begins an iteration, which may advance the clock by another `turnLimit`.
    mutating func beginTurn() {
        turnLeft = turnLimit ?? .forever
    }

    /// Advances the clock to real time `uptime`, within the iteration's limit, and returns the clock's time.
    @discardableResult
    mutating func read(_ uptime: Instant) -> Instant {
        let passed = isStopped ? .zero : min(max(uptime - lastReading, .zero), turnLeft)
        lastReading = max(lastReading, uptime)
        if turnLimit != nil { turnLeft = turnLeft - passed }
        now = now + passed
        return now
    }

    /// Stops the clock at its last reading, or resumes it from there at real time `uptime`.
    mutating func setStopped(_ stands: Bool, at uptime: Instant) {
        isStopped = stands
        lastReading = max(lastReading, uptime)
    }

    /// Advances the clock to `instant`; does nothing if `instant` has already passed.
    mutating func leap(to instant: Instant) {
        guard instant > now else { return }
        leapt = leapt + (instant - now)
        now = instant
    }

    /// Returns the real time at which the clock will reach `instant`, provided that it neither leaps nor reaches an
    /// iteration's limit.
    func uptime(of instant: Instant) -> Instant {
        lastReading + (instant - now)
    }
}

/// The durations of network hops in a run whose clock does not follow real time.
///
/// Each event-loop iteration that has an input counts as one hop of a frame. A hop takes time, as it does in
/// simulation, so that the states between two hops have a duration. After many hops without a leap, each hop takes
/// longer, so that a run ends even if a client keeps reconnecting without a delay.
struct NetworkHops {
    private var count = 0

    static let short = TimeSpan.microseconds(100)
    static let long = TimeSpan.milliseconds(2)
    /// The number of short hops; every later hop is long.
    static let shortHops = 500

    /// Returns the duration of the next hop.
    mutating func next() -> TimeSpan {
        count += 1
        return count > Self.shortHops ? Self.long : Self.short
    }
}
