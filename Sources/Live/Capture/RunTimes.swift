import SquallCore

/// Maps packet times on the system's clock to times on a run's clock.
///
/// A run's clock leaps and pauses, and packets are read some time after they passed, so readings of both clocks are
/// kept.
struct RunTimes {
    private struct Reading {
        var system: Int64
        var run: Instant
    }

    /// Readings of both clocks, oldest first; the oldest are discarded at the limit.
    private var readings: [Reading] = []
    private let limit: Int
    private var latest = Instant.zero

    /// Keeps at most `limit` readings; a packet may be read as late as the time that half of them span.
    init(limit: Int = 1 << 17) {
        self.limit = limit
    }

    /// Notes that the run's clock shows `run` at system time `system`, in nanoseconds since 1970.
    mutating func note(_ run: Instant, at system: Int64) {
        if readings.count >= limit { readings.removeFirst(limit / 2) }
        // After the system clock was set back, the old readings would be later than all that follow.
        if let last = readings.last, last.system > system { readings.removeAll() }
        readings.append(Reading(system: system, run: run))
    }

    /// Returns the time on the run's clock at which a packet passed.
    ///
    /// The time counts from the reading before the packet and is limited by the reading after it. No returned time is
    /// earlier than the one returned before.
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
