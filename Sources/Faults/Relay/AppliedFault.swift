package import SquallCore

/// A fault as it applies to a link, with its random source.
package struct AppliedFault: Sendable {
    /// Orders the faults of a link: bytes pass lower numbers first.
    package let number: Int
    package let fault: Fault
    let seed: Seed
    /// The name of the fault's random streams, to which the link's number is added.
    let chance: String

    package init(number: Int, fault: Fault, seed: Seed, chance: String) {
        self.number = number
        self.fault = fault
        self.seed = seed
        self.chance = chance
    }

    var behaviour: any LinkFault { fault.behaviour }

    /// Draws whether the link is among the share of connections that the fault hits.
    func hits(_ link: LinkID) -> Bool {
        var generator = seed.stream("\(chance).\(link.number).toxicity", for: link.client)
        return generator.chance(fault.toxicity)
    }

    /// The random source of the fault's shaper in one direction of the link.
    func generator(for link: LinkID, _ direction: Direction) -> SeededGenerator {
        seed.stream("\(chance).\(link.number).\(direction.rawValue)", for: link.client)
    }
}
