package import SquallCore

/// How often something happens to a packet.
package struct PacketChance: Hashable, Sendable {
    /// The share of packets that it happens to, whatever the correlation.
    package var ratio: Ratio
    /// The share of draws that repeat the one before: 0 makes every packet's fate its own, more makes bursts.
    ///
    /// The outcomes of neighbours then correlate by exactly this much, and the share of all stays ``ratio``.
    package var correlation: Ratio

    package init(_ ratio: Ratio, correlation: Ratio = .never) {
        self.ratio = ratio
        self.correlation = correlation
    }

    package static let never = PacketChance(.never)
}

/// The draws of one ``PacketChance``, one after the other.
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
