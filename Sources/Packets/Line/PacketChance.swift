package import SquallCore

/// The probability of a packet fault, with correlation between successive packets.
package struct PacketChance: Hashable, Sendable {
    /// The fraction of packets that are affected, regardless of the correlation.
    package var ratio: Ratio
    /// The fraction of draws that repeat the previous outcome. At 0, packets are independent; higher values produce
    /// bursts.
    ///
    /// It is the correlation coefficient of successive outcomes, and it does not change the overall ``ratio``.
    package var correlation: Ratio

    package init(_ ratio: Ratio, correlation: Ratio = .never) {
        self.ratio = ratio
        self.correlation = correlation
    }

    package static let never = PacketChance(.never)
}

/// The random number generator for one ``PacketChance``, along with the previous outcome.
struct ChanceDraws: Hashable, Sendable {
    private let chance: PacketChance
    private var generator: SeededGenerator
    private var previous: Bool?

    init(_ chance: PacketChance, drawing generator: SeededGenerator) {
        self.chance = chance
        self.generator = generator
    }

    mutating func draw() -> Bool {
        guard chance.ratio != .never else { return false }
        if let previous, chance.correlation != .never, generator.chance(chance.correlation) { return previous }
        let outcome = generator.chance(chance.ratio)
        previous = outcome
        return outcome
    }
}
