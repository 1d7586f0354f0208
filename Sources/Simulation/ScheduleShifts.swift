package import SquallCore

/// Delays the deliveries and timers of a simulated run by seeded random amounts up to a tolerance. The schedule
/// ``none`` delays nothing.
///
/// Shifted runs reveal whether events occur in a certain order by necessity or by chance, because any order that can
/// occur with real sockets also occurs in some shifted run.
package struct ScheduleShifts: Sendable {
    private var generator: SeededGenerator?
    private let shape: Shape
    /// The maximum delay of a delivery or timer.
    private let most: TimeSpan
    /// How long a hop takes, in 1024ths of the time it takes in an ideal run.
    private let hopScale: Int64
    /// The number of the next random draw: even for deliveries, odd for timers.
    private var next = 0
    /// Whether the last random draw takes effect.
    private var lastDrawIsActive = true
    /// The random draws that take effect; nil for all.
    private var activeDraws: ActiveDraws?

    /// The ideal schedule: every delivery takes exactly its hop's latency, and events at the same instant keep the
    /// order in which they were pushed.
    package static let none = ScheduleShifts()

    private init() {
        generator = nil
        shape = .even
        most = .zero
        hopScale = 1024
    }

    /// The distribution of the delays.
    package enum Shape: Hashable, Sendable, CaseIterable {
        /// Delays are very small and hops take no longer than in an ideal run, so that only events that are close
        /// together are reordered. Each schedule chooses the scale of its delays and the speed of its hops at random.
        case slight
        /// The delays are uniformly distributed up to the tolerance, so a path with more hops is slower.
        case even
        /// Most delays are small and a few are large, as on a real machine: a single late delivery can reverse an
        /// order.
        case uneven
    }

    /// Creates a schedule that delays deliveries and timers by up to `tolerance` and permutes events at the same
    /// instant.
    package init(seed: Seed, tolerance: TimeSpan, shape: Shape = .even) {
        var generator = seed.stream("simulation.shifts")
        self.shape = shape
        if shape == .slight {
            // Half of the schedules delay nothing and do not permute events at the same instant, so that only the speed
            // of the hops differs. The other schedules limit delays to between a 32nd and a 4096th of the tolerance.
            let isSteady = generator.below(2) == 0
            let share = Int64(5 + generator.below(8))
            most = isSteady ? .zero : TimeSpan(nanoseconds: tolerance.nanoseconds >> share)
            hopScale = Int64(generator.below(1025))
        } else {
            most = tolerance
            hopScale = 1024
        }
        self.generator = generator
    }

    /// The same schedule for timers, which use the odd-numbered draws.
    var ofTimers: ScheduleShifts {
        var shifts = self
        shifts.next = 1
        return shifts
    }

    /// Returns the same schedule with only these draws in effect; all other deliveries and timers are on time.
    package func keeping(_ activeDraws: ActiveDraws) -> ScheduleShifts {
        var shifts = self
        shifts.activeDraws = activeDraws
        return shifts
    }

    /// Draws the actual duration of a delay whose ideal duration is `delay`.
    mutating func shifted(_ delay: TimeSpan) -> TimeSpan {
        guard generator != nil else { return delay }
        var most = most
        if shape == .uneven, let scale = generator?.below(4) {
            // The delay is limited to the tolerance, or to a 16th, a 256th or a 4096th of it.
            most = TimeSpan(nanoseconds: most.nanoseconds >> (4 * Int64(scale)))
        }
        let delay = hopScale == 1024 ? delay : TimeSpan(nanoseconds: delay.nanoseconds / 1024 * hopScale)
        let late = generator?.span(from: .zero, through: most) ?? .zero
        guard let activeDraws else { return delay + late }
        let limit = activeDraws.limit(of: next)
        next += 2
        lastDrawIsActive = limit != nil
        return delay + min(late, limit ?? .zero)
    }

    /// Draws the value that orders an event among others at the same instant. Returns 0, which preserves the order in
    /// which they were pushed, if the last draw has no effect.
    mutating func tie() -> UInt64 {
        // A schedule without delays changes only the speed of the hops, not the order of events at the same instant.
        guard most > .zero else { return 0 }
        let place = generator?.next() ?? 0
        return lastDrawIsActive ? place : 0
    }

    /// The minimum time between two arrivals in one direction of a pipe. It is 1 ns if events at the same instant are
    /// permuted, so that the arrivals keep their order.
    var order: TimeSpan { TimeSpan(nanoseconds: generator == nil ? 0 : 1) }
}

/// The random draws of a schedule that take effect; everything else in the run is on time.
package struct ActiveDraws: Hashable, Sendable {
    /// All draws with numbers below this value take effect.
    package var below: Int
    /// Further draws that take effect: the maximum delay of each, by draw number.
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
