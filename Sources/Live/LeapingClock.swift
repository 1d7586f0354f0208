import SquallCore

/// The clock of one run: it follows real time, except for overlong turns of the loop, and leaps on request.
struct LeapingClock {
    private(set) var now = Instant.zero
    /// The sum of all leaps.
    private(set) var leapt = TimeSpan.zero
    private let turnLimit: TimeSpan?
    private var lastReading: Instant
    private var turnLeft: TimeSpan
    /// Whether the clock stands, whatever real time does.
    private(set) var isStanding = false

    /// Starts at zero; `uptime` is real time on a clock that never goes back.
    ///
    /// A turn of the loop advances the clock by at most `turnLimit`. A longer turn was slowed down by the processor (a
    /// debug build, another process), and no deadline of the run may pass because of that. Nil counts every nanosecond.
    init(startingAt uptime: Instant, turnLimit: TimeSpan? = nil) {
        self.turnLimit = turnLimit
        lastReading = uptime
        turnLeft = turnLimit ?? .forever
    }

    /// Allows the clock another `turnLimit`.
    mutating func beginTurn() {
        turnLeft = turnLimit ?? .forever
    }

    /// Advances the clock to real time `uptime`, within the turn's limit, and returns it.
    @discardableResult
    mutating func read(_ uptime: Instant) -> Instant {
        let passed = isStanding ? .zero : min(max(uptime - lastReading, .zero), turnLeft)
        lastReading = max(lastReading, uptime)
        if turnLimit != nil { turnLeft = turnLeft - passed }
        now = now + passed
        return now
    }

    /// Stops the clock at its last reading, or lets it go on from there at real time `uptime`.
    mutating func stand(_ stands: Bool, at uptime: Instant) {
        isStanding = stands
        lastReading = max(lastReading, uptime)
    }

    /// Sets the clock to `instant`; does nothing when that has passed already.
    mutating func leap(to instant: Instant) {
        guard instant > now else { return }
        leapt = leapt + (instant - now)
        now = instant
    }

    /// The real time at which the clock reaches `instant` if it neither leaps nor reaches a turn's limit.
    func uptime(of instant: Instant) -> Instant {
        lastReading + (instant - now)
    }
}
