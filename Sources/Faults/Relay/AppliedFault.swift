package import SquallCore

/// A fault that applies to a link, with its source of random numbers.
package struct AppliedFault: Sendable {
    /// The position of the fault on its link. Bytes pass through faults with lower numbers first.
    package let number: Int
    package let fault: Fault
    let seed: Seed
    /// The name prefix of the fault's random number streams. The link's number is appended to it.
    let randomStreamPrefix: String

    package init(number: Int, fault: Fault, seed: Seed, randomStreamPrefix: String) {
        self.number = number
        self.fault = fault
        self.seed = seed
        self.randomStreamPrefix = randomStreamPrefix
    }

    var behaviour: any LinkFault { fault.behaviour }

    /// Returns whether the fault affects the link. The result is drawn from the fault's seed, with the fault's toxicity
    /// as the probability.
    func affects(_ link: LinkID) -> Bool {
        var generator = seed.stream("\(randomStreamPrefix).\(link.number).toxicity", for: link.client)
        return generator.chance(fault.toxicity)
    }

    /// Returns the random number generator for the fault's shaper in one direction of the link.
    func generator(for link: LinkID, _ direction: Direction) -> SeededGenerator {
        seed.stream("\(randomStreamPrefix).\(link.number).\(direction.rawValue)", for: link.client)
    }
}
