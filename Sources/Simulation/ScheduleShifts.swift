package import SquallCore

/// How a run departs from the ideal schedule: not at all, or by seeded amounts that stay within a tolerance.
///
/// Shifted runs answer whether an order of events was caused or only happened: what live may show is one of them.
package struct ScheduleShifts: Sendable {
    private var generator: SeededGenerator?
    private let shape: Shape
    /// How late anything is at most.
    private let most: TimeSpan
    /// How long a hop takes, of 1024 parts of what it takes in an ideal run.
    private let pace: Int64
    /// The number of the next draw: those of deliveries are even, those of timers odd.
    private var next = 0
    /// Whether the last draw counts.
    private var counts = true
    /// Which draws count; nil for all.
    private var kept: KeptDraws?

    /// Every delivery takes exactly its hop's latency; ties keep their order.
    package static let none = ScheduleShifts()

    private init() {
        generator = nil
        shape = .even
        most = .zero
        pace = 1024
    }

    /// How late each delivery and each timer is.
    package enum Shape: Hashable, Sendable, CaseIterable {
        /// Everything by very little, and every hop as quick as a machine at rest is: where many race each other, the order of
        /// two near things changes and all else stays as it was. By how little, and how quick, each schedule draws for itself.
        case slight
        /// Anything up to the tolerance, one as likely as another: whoever has more hops is slower.
        case even
        /// Most by little and few by much, as on a machine: a single late delivery turns an order round.
        case uneven
    }

    /// Deliveries and timers come up to `tolerance` late; what falls on one instant comes in any order.
    package init(seed: Seed, tolerance: TimeSpan, shape: Shape = .even) {
        var generator = seed.stream("simulation.shifts")
        self.shape = shape
        if shape == .slight {
            // Every second schedule shifts nothing by chance; the others from a 32nd of the tolerance to a 4096th.
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

    /// The same schedule for timers, whose draws have numbers of their own.
    var ofTimers: ScheduleShifts {
        var shifts = self
        shifts.next = 1
        return shifts
    }

    /// The same schedule with everything on time but for what these draws make late.
    package func keeping(_ kept: KeptDraws) -> ScheduleShifts {
        var shifts = self
        shifts.kept = kept
        return shifts
    }

    mutating func shifted(_ delay: TimeSpan) -> TimeSpan {
        guard generator != nil else { return delay }
        var most = most
        if shape == .uneven, let scale = generator?.below(4) {
            // That, or a 16th, a 256th or a 4096th of it.
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

    /// Where what comes late is put among what falls on its instant; behind what was put there before it, where it does not count.
    mutating func tie() -> UInt64 {
        guard most > .zero else { return 0 }
        let place = generator?.next() ?? 0
        return counts ? place : 0
    }

    /// What keeps two arrivals of one lane apart where ties are permuted.
    var order: TimeSpan { TimeSpan(nanoseconds: generator == nil ? 0 : 1) }
}

/// A few draws of a schedule, so that a run can be late in these and in nothing else.
package struct KeptDraws: Hashable, Sendable {
    /// All draws with smaller numbers count.
    package var below: Int
    /// And these, at most so late.
    package var limits: [Int: TimeSpan]

    package init(below: Int, limits: [Int: TimeSpan] = [:]) {
        self.below = below
        self.limits = limits
    }

    func limit(of draw: Int) -> TimeSpan? {
        draw < below ? .forever : limits[draw]
    }
}
