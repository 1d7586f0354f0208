import Foundations

/// A run's own clock: the real time since it began, and what was leapt over.
struct LeapingClock {
    private let start: Instant
    /// All leaps together.
    private(set) var leapt = TimeSpan.zero

    /// `uptime` is real time on a clock that never goes back.
    init(startingAt uptime: Instant) {
        start = uptime
    }

    func now(_ uptime: Instant) -> Instant {
        .zero + (uptime - start) + leapt
    }

    /// Makes `instant` the present; nothing where it has passed already.
    mutating func leap(to instant: Instant, _ uptime: Instant) {
        let ahead = instant - now(uptime)
        if ahead > .zero { leapt = leapt + ahead }
    }

    /// The real time at which `instant` comes if nothing is leapt over.
    func uptime(of instant: Instant) -> Instant {
        start + (instant - .zero) - leapt
    }
}
