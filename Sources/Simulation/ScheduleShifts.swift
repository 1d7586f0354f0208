package import SquallCore

/// Shifts the deliveries and timers of a simulated run by seeded amounts within a tolerance, or not at all.
///
/// Shifted runs reveal whether an order of events is caused or accidental: any order that can occur in the live world
/// also appears in one of them.
package struct ScheduleShifts: Sendable {
    private var generator: SeededGenerator?
    private let shape: Shape
    /// The maximum delay of a delivery or timer.
    private let most: TimeSpan
    /// The duration of a hop, in 1024ths of its duration in an ideal run.
    private let pace: Int64
    /// The number of the next random draw; draws for deliveries have even numbers, those for timers odd ones.
    private var next = 0
    /// Whether the last random draw takes effect.
    private var counts = true
    /// The random draws that take effect; nil for all.
    private var kept: KeptDraws?

    /// The ideal schedule: every delivery takes exactly its hop's latency, and events at the same instant keep their
    /// order.
    package static let none = ScheduleShifts()

    private init() {
        generator = nil
        shape = .even
        most = .zero
        pace = 1024
    }

    /// The distribution of the delays.
    package enum Shape: Hashable, Sendable, CaseIterable {
        /// Very small delays and hops as fast as on an idle machine: among many racing events, only events that are
        /// close together change places. Each schedule draws the scale of its delays and the speed of its hops.
        case slight
        /// Delays uniformly distributed up to the tolerance: a path with more hops is slower.
        case even
        /// Mostly small delays and a few large ones, as on a real machine: a single late delivery reverses an order.
        case uneven
    }

    /// Creates a schedule that delays deliveries and timers by up to `tolerance` and permutes the events of one
    /// instant.
    package init(seed: Seed, tolerance: TimeSpan, shape: Shape = .even) {
        var generator = seed.stream("simulation.shifts")
        self.shape = shape
        if shape == .slight {
            // Half of the schedules delay nothing and keep the order of each instant, so that only the speed of the
            // hops differs; the others delay by at most a 32nd to a 4096th of the tolerance.
            let isSteady = generator.below(2) == 0
            let share = Int64(5 + generator.below(8))
            most = isSteady ? .zero : TimeSpan(nanoseconds: tolerance.nanoseconds >> share)
            pace = Int64(generator.below(1025))
        } else {
            most = tolerance
            pace = 1024
        }
        self.generator = generator
    }

    /// The same schedule for timers, whose draws have odd numbers.
    var ofTimers: ScheduleShifts {
        var shifts = self
        shifts.next = 1
        return shifts
    }

    /// Returns the same schedule in which only these draws take effect and everything else is on time.
    package func keeping(_ kept: KeptDraws) -> ScheduleShifts {
        var shifts = self
        shifts.kept = kept
        return shifts
    }

    /// Draws the actual duration of a delay that takes `delay` in an ideal run.
    mutating func shifted(_ delay: TimeSpan) -> TimeSpan {
        guard generator != nil else { return delay }
        var most = most
        if shape == .uneven, let scale = generator?.below(4) {
            // The delay is at most the tolerance, or a 16th, a 256th or a 4096th of it.
            most = TimeSpan(nanoseconds: most.nanoseconds >> (4 * Int64(scale)))
        }
        let delay = pace == 1024 ? delay : TimeSpan(nanoseconds: delay.nanoseconds / 1024 * pace)
        let late = generator?.span(from: .zero, through: most) ?? .zero
        guard let kept else { return delay + late }
        let limit = kept.limit(of: next)
        next += 2
        counts = limit != nil
        return delay + min(late, limit ?? .zero)
    }

    /// Draws the position of an event among the events of the same instant; returns 0, which keeps the order in which
    /// they were pushed, if the last draw has no effect.
    mutating func tie() -> UInt64 {
        // A steady schedule changes only the speed of the hops.
        guard most > .zero else { return 0 }
        let place = generator?.next() ?? 0
        return counts ? place : 0
    }

    /// The minimum time between two arrivals in one direction of a pipe. It is 1 ns if events of the same instant are
    /// permuted, so that the arrivals keep their order.
    var order: TimeSpan { TimeSpan(nanoseconds: generator == nil ? 0 : 1) }
}

/// The random draws of a schedule that take effect; everything else in the run is on time.
package struct KeptDraws: Hashable, Sendable {
    /// All draws with smaller numbers take effect.
    package var below: Int
    /// The further draws that take effect, by number, with the maximum delay of each.
    package var limits: [Int: TimeSpan]

    package init(below: Int, limits: [Int: TimeSpan] = [:]) {
        self.below = below
        self.limits = limits
    }

    /// Returns the maximum delay of a draw; nil if the draw has no effect.
    func limit(of draw: Int) -> TimeSpan? {
        draw < below ? .forever : limits[draw]
    }
}
