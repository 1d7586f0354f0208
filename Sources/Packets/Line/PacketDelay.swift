package import SquallCore

/// A packet delay with random jitter.
package struct PacketDelay: Hashable, Sendable {
    /// The distribution of the deviation from the delay.
    package enum Distribution: String, Hashable, Sendable, CaseIterable {
        /// Every deviation within ±jitter is equally likely.
        case uniform
        /// Deviations are approximately normally distributed. The jitter is the standard deviation, and no deviation
        /// exceeds six times the jitter.
        case normal
    }

    package var delay: TimeSpan
    package var jitter: TimeSpan
    /// The fraction of packets that repeat the previous packet's deviation.
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

/// The random number generator for one ``PacketDelay``, along with the previous deviation.
struct DelayDraws: Hashable, Sendable {
    private let delay: PacketDelay
    private var generator: SeededGenerator
    private var deviation: TimeSpan?

    init(_ delay: PacketDelay, drawing generator: SeededGenerator) {
        self.delay = delay
        self.generator = generator
    }

    /// Returns a random delay for the next packet; it is never negative.
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
            // The sum of twelve uniform draws from [0, 1), minus 6, has mean 0 and standard deviation 1. Integer
            // arithmetic gives the same result on every machine.
            let unit: Int64 = 1 << 20
            var sum = -6 * unit
            for _ in 0..<12 { sum += Int64(generator.below(UInt64(unit))) }
            let product = delay.jitter.nanoseconds.multipliedFullWidth(by: sum)
            // The result fits in 64 bits, because it is at most six times the jitter, which is at most an hour.
            return TimeSpan(nanoseconds: unit.dividingFullWidth(product).quotient)
        }
    }
}
