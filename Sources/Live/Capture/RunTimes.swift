import SquallCore

/// Converts packet times on the system's clock to times on a run's clock.
///
/// A run's clock can leap and pause, and packets are read some time after they were sent. The converter therefore
/// stores readings of both clocks.
struct RunTimes {
    private struct Reading {
        var system: Int64
        var run: Instant
    }

    /// The readings of both clocks, oldest first; when the limit is reached, the older half is discarded.
    private var readings: [Reading] = []
    private let limit: Int
    private var latest = Instant.zero

    /// Creates a converter that stores at most `limit` readings. Half of them must span more time than the longest
    /// delay between a packet being sent and being read.
    init(limit: Int = 1 << 17) {
        self.limit = limit
    }

    /// Records that the run's clock reads `run` at system time `system`, in nanoseconds since 1970.
    mutating func note(_ run: Instant, at system: Int64) {
        if readings.count >= limit { readings.removeFirst(limit / 2) }
        // If the system clock has been set back, the old readings are later than every new one and must be discarded.
        if let last = readings.last, last.system > system { readings.removeAll() }
        readings.append(Reading(system: system, run: run))
    }

    /// Returns the time on the run's clock at which a packet was sent.
    ///
    /// The time is computed from the last reading before the packet, and does not exceed the first reading after it.
    /// Returned times never decrease.
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
