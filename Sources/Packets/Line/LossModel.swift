package import SquallCore

/// A model of random packet loss.
package enum LossModel: Hashable, Sendable {
    /// Every packet is lost with the same probability.
    case random(PacketChance)
    /// The Gilbert-Elliott model: the line is in a good or a bad state, and may change its state before each packet.
    ///
    /// If `lossInBad` is 1 and `lossInGood` is 0, this is the Gilbert model: losses come in bursts of 1 / `toGood`
    /// packets on average, and `toBad / (toBad + toGood)` of all packets are lost.
    case gilbertElliott(toBad: Ratio, toGood: Ratio, lossInBad: Ratio, lossInGood: Ratio)

    package static let none = LossModel.random(.never)
}

/// The random number generator for one ``LossModel``, along with the model's current state.
enum LossDraws: Hashable, Sendable {
    case random(ChanceDraws)
    case gilbertElliott(GilbertElliottDraws)

    init(_ model: LossModel, drawing generator: SeededGenerator) {
        switch model {
        case .random(let chance): self = .random(ChanceDraws(chance, drawing: generator))
        case .gilbertElliott(let toBad, let toGood, let lossInBad, let lossInGood):
            self = .gilbertElliott(
                GilbertElliottDraws(
                    toBad: toBad,
                    toGood: toGood,
                    lossInBad: lossInBad,
                    lossInGood: lossInGood,
                    generator: generator
                )
            )
        }
    }

    /// Decides at random whether the next packet is lost.
    mutating func draw() -> Bool {
        switch self {
        case .random(var draws):
            defer { self = .random(draws) }
            return draws.draw()
        case .gilbertElliott(var draws):
            defer { self = .gilbertElliott(draws) }
            return draws.draw()
        }
    }
}

struct GilbertElliottDraws: Hashable, Sendable {
    let toBad: Ratio
    let toGood: Ratio
    let lossInBad: Ratio
    let lossInGood: Ratio
    var generator: SeededGenerator
    var isBad = false

    /// Changes the state at random, then decides at random whether the next packet is lost.
    mutating func draw() -> Bool {
        if generator.chance(isBad ? toGood : toBad) { isBad.toggle() }
        return generator.chance(isBad ? lossInBad : lossInGood)
    }
}
