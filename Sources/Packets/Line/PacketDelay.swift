package import SquallCore

/// How much later a packet arrives.
package struct PacketDelay: Hashable, Sendable {
    /// How deviations from the delay are spread.
    package enum Distribution: String, Hashable, Sendable, CaseIterable {
        /// All within the jitter equally likely.
        case uniform
        /// The jitter is the standard deviation, and six of it the most.
        case normal
    }

    package var delay: TimeSpan
    package var jitter: TimeSpan
    /// The share of packets whose deviation is that of the one before.
    package var correlation: Ratio
    package var distribution: Distribution

    package init(
        _ delay: TimeSpan = .zero,
        jitter: TimeSpan = .zero,
        correlation: Ratio = .never,
        distribution: Distribution = .uniform
    ) {
        self.delay = delay
        self.jitter = jitter
        self.correlation = correlation
        self.distribution = distribution
    }
}

/// The draws of one ``PacketDelay``.
struct DelayDraws: Hashable, Sendable {
    private let delay: PacketDelay
    private var generator: SeededGenerator
    private var deviation: TimeSpan?

    init(_ delay: PacketDelay, drawing generator: SeededGenerator) {
        self.delay = delay
        self.generator = generator
    }

    /// Never negative.
    mutating func draw() -> TimeSpan {
        guard delay.jitter > .zero else { return max(.zero, delay.delay) }
        if let deviation, delay.correlation != .never, generator.chance(delay.correlation) {
            return max(.zero, delay.delay + deviation)
        }
        let drawn = drawDeviation()
        deviation = drawn
        return max(.zero, delay.delay + drawn)
    }

    private mutating func drawDeviation() -> TimeSpan {
        switch delay.distribution {
        case .uniform: return generator.span(from: .zero - delay.jitter, through: delay.jitter)
        case .normal:
            // The sum of twelve even draws below 1, less 6: mean 0 and standard deviation 1, in whole numbers everywhere.
            let unit: Int64 = 1 << 20
            var sum = -6 * unit
            for _ in 0..<12 { sum += Int64(generator.below(UInt64(unit))) }
            let product = delay.jitter.nanoseconds.multipliedFullWidth(by: sum)
            // Within 6 jitters, and jitters are an hour at most.
            return TimeSpan(nanoseconds: unit.dividingFullWidth(product).quotient)
        }
    }
}
