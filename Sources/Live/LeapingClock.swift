import SquallCore

/// A run's own clock: real time as far as it is the network's, and leaps where nothing is under way.
struct LeapingClock {
    private(set) var now = Instant.zero
    /// All leaps together.
    private(set) var leapt = TimeSpan.zero
    private let turnLimit: TimeSpan?
    private var lastReading: Instant
    private var turnLeft: TimeSpan

    /// `uptime` is real time on a clock that never goes back.
    ///
    /// A turn of the loop counts for `turnLimit` at most. What takes longer was the processor's doing, a debug build or another
    /// process, and no deadline of the run passes for that. Nil counts every nanosecond.
    init(startingAt uptime: Instant, turnLimit: TimeSpan? = nil) {
        self.turnLimit = turnLimit
        lastReading = uptime
        turnLeft = turnLimit ?? .forever
    }

    mutating func beginTurn() {
        turnLeft = turnLimit ?? .forever
    }

    @discardableResult
    mutating func read(_ uptime: Instant) -> Instant {
        let passed = min(max(uptime - lastReading, .zero), turnLeft)
        lastReading = max(lastReading, uptime)
        if turnLimit != nil { turnLeft = turnLeft - passed }
        now = now + passed
        return now
    }

    /// Makes `instant` the present; nothing where it has passed already.
    mutating func leap(to instant: Instant) {
        guard instant > now else { return }
        leapt = leapt + (instant - now)
        now = instant
    }

    /// The real time at which `instant` comes if nothing is leapt over or held back.
    func uptime(of instant: Instant) -> Instant {
        lastReading + (instant - now)
    }
}
