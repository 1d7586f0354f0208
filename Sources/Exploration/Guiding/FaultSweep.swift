package import ScenarioModel
package import SquallCore

/// Generates the drafts of a sweep. The first drafts cover, in random order, every combination of an entry, the time of
/// one of its events, and a disturbance to inject then. All later drafts inject two random disturbances.
///
/// Because of the random order, even a sweep that ends early covers all parts of all entries.
package struct FaultSweep: Sendable {
    private let entries: [Corpus.Entry]
    private let seed: Seed
    private let profiles: [String: Profile]
    /// For each entry, the total number of single-disturbance drafts up to and including that entry.
    private let ends: [Int]
    /// Run `n` injects disturbance number `first + (n - 1) * stride`, modulo the number of disturbances.
    private let first: Int
    private let stride: Int

    /// Creates a sweep.
    ///
    /// - Parameters:
    ///   - entries: At least one entry, each with at least one event.
    ///   - profiles: The profiles that the drafts name.
    package init(_ entries: [Corpus.Entry], seed: Seed, profiles: [String: Profile]) {
        (self.entries, self.seed, self.profiles) = (entries, seed, profiles)
        var sum = 0
        ends = entries.map { entry in
            sum += entry.instants.count * Disturbance.all.count
            return sum
        }
        var generator = seed.stream("explore.sweep")
        first = Int(generator.below(UInt64(max(sum, 1))))
        var stride = Int(generator.below(UInt64(max(sum, 1)))) + 1
        // The stride is coprime to the number of disturbances, so that each disturbance is drawn exactly once.
        while Self.divisor(stride, sum) > 1 { stride += 1 }
        self.stride = stride
    }

    /// The number of single-disturbance drafts.
    package var singles: Int { ends.last ?? 0 }

    /// Generates the input of the run with this number, counted from 1.
    package func trial(_ run: Int) -> Generator.Trial {
        var random = seed.stream("explore.sweep.\(run)")
        let isSingle = run <= singles
        let number = isSingle ? disturbance(run) : Int(random.below(UInt64(max(singles, 1))))
        let index = ends.firstIndex { number < $0 } ?? 0
        let entry = entries[index]
        let profile = profiles[entry.draft.profile] ?? Profile()
        let place = number - (index > 0 ? ends[index - 1] : 0)
        let kinds = Disturbance.all
        var variation = Variation(of: entry, profile, generator: random)
        variation.insert(kinds[place % kinds.count], at: entry.instants[place / kinds.count])
        if !isSingle { variation.disturb() }
        let seed = Seed(variation.generator.below(Generator.runSeeds) + 1)
        return Generator.Trial(draft: variation.draft.legalised(profile), profile: profile, seed: seed)
    }

    /// Returns the number of the disturbance that a single-disturbance run injects, counted from 0.
    func disturbance(_ run: Int) -> Int { (first + (run - 1) * stride % singles) % singles }

    private static func divisor(_ left: Int, _ right: Int) -> Int {
        right == 0 ? left : divisor(right, left % right)
    }
}
