package import Foundations

/// How a run departs from the ideal schedule: not at all, or by seeded amounts that stay within a tolerance.
///
/// Shifted runs answer whether an order of events was caused or only happened: what live may show is one of them.
package struct ScheduleShifts: Sendable {
    private var generator: SeededGenerator?
    private let tolerance: TimeSpan
    private let shape: Shape

    /// Every delivery takes exactly its hop's latency; ties keep their order.
    package static let none = ScheduleShifts()

    private init() {
        generator = nil
        tolerance = .zero
        shape = .even
    }

    /// How late each delivery and each timer is.
    package enum Shape: Hashable, Sendable, CaseIterable {
        /// Anything up to the tolerance, one as likely as another: whoever has more hops is slower.
        case even
        /// Most by little and few by much, as on a machine: a single late delivery turns an order round.
        case uneven
    }

    /// Deliveries and timers come up to `tolerance` late; what falls on one instant comes in any order.
    package init(seed: Seed, tolerance: TimeSpan, shape: Shape = .even) {
        generator = seed.stream("simulation.shifts")
        self.tolerance = tolerance
        self.shape = shape
    }

    mutating func shifted(_ delay: TimeSpan) -> TimeSpan {
        guard generator != nil else { return delay }
        var most = tolerance
        if shape == .uneven, let scale = generator?.below(4) {
            // The tolerance, or a 16th, a 256th or a 4096th of it.
            most = TimeSpan(nanoseconds: tolerance.nanoseconds >> (4 * Int64(scale)))
        }
        return delay + (generator?.span(from: .zero, through: most) ?? .zero)
    }

    mutating func tie() -> UInt64 {
        generator?.next() ?? 0
    }

    /// What keeps two arrivals of one lane apart where ties are permuted.
    var order: TimeSpan { TimeSpan(nanoseconds: generator == nil ? 0 : 1) }
}
