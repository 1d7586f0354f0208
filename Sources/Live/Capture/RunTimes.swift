import SquallCore

/// What a run's clock showed when: for packets, whose times are the system's.
///
/// The clock of a run leaps and stands still, and packets are heard of later than they passed.
struct RunTimes {
    private struct Reading {
        var system: Int64
        var run: Instant
    }

    /// In order; the earliest are forgotten.
    private var readings: [Reading] = []
    private let limit: Int
    private var latest = Instant.zero

    /// With `limit` readings a packet may be as late as half of them take.
    init(limit: Int = 1 << 17) {
        self.limit = limit
    }

    /// The run's clock shows `run` at `system`, in nanoseconds since 1970.
    mutating func note(_ run: Instant, at system: Int64) {
        if readings.count >= limit { readings.removeFirst(limit / 2) }
        // A system clock that is set back would make everything that is still to come too late.
        if let last = readings.last, last.system > system { readings.removeAll() }
        readings.append(Reading(system: system, run: run))
    }

    /// When a packet passed, on the run's clock: as long after the reading before it, and not after the reading behind it.
    ///
    /// None is earlier than the one that was asked for before it.
    mutating func time(of system: Int64) -> Instant {
        var (low, high) = (0, readings.count)
        while low < high {
            let middle = (low + high) / 2
            if readings[middle].system <= system { low = middle + 1 } else { high = middle }
        }
        var time = readings.first?.run ?? .zero
        if low > 0 {
            let before = readings[low - 1]
            time = before.run + TimeSpan(nanoseconds: system - before.system)
            time = low < readings.count ? min(time, readings[low].run) : time
        }
        latest = max(latest, time)
        return latest
    }
}
