package import Foundations

/// How a run departs from the ideal schedule: not at all, or by seeded amounts that stay within a tolerance.
///
/// Shifted runs answer whether an order of events was caused or only happened: what live may show is one of them.
package struct ScheduleShifts: Sendable {
    private var generator: SeededGenerator?
    private let tolerance: TimeSpan

    /// Every delivery takes exactly its hop's latency; ties keep their order.
    package static let none = ScheduleShifts()

    private init() {
        generator = nil
        tolerance = .zero
    }

    /// Deliveries and timers come up to `tolerance` late; what falls on one instant comes in any order.
    package init(seed: Seed, tolerance: TimeSpan) {
        generator = seed.stream("simulation.shifts")
        self.tolerance = tolerance
    }

    mutating func shifted(_ delay: TimeSpan) -> TimeSpan {
        delay + (generator?.span(from: .zero, through: tolerance) ?? .zero)
    }

    mutating func tie() -> UInt64 {
        generator?.next() ?? 0
    }

    /// What keeps two arrivals of one lane apart where ties are permuted.
    var order: TimeSpan { TimeSpan(nanoseconds: generator == nil ? 0 : 1) }
}
