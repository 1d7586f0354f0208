package import ScenarioModel
package import SquallCore

/// Generates the drafts of a guided exploration: half of them at random, and half as variations of drafts in the
/// corpus.
///
/// A draft depends only on the exploration's seed, the run's number and the corpus. The corpus therefore changes only
/// between generations of runs.
package struct GuidedGenerator: Sendable {
    package var corpus: Corpus
    private let generator: Generator
    private let seed: Seed
    private let profiles: [String: Profile]
    private let drawsTies: Bool

    /// The number of runs between updates of the corpus.
    package static let generation = 256

    /// Creates a generator.
    ///
    /// - Parameters:
    ///   - generator: The generator for drafts that are not variations.
    ///   - profiles: The profiles that drafts can name.
    ///   - drawsTies: Whether several moves may occur at the same instant.
    package init(_ generator: Generator, seed: Seed, profiles: [String: Profile], drawsTies: Bool, corpus: Corpus) {
        (self.generator, self.seed, self.profiles) = (generator, seed, profiles)
        (self.drawsTies, self.corpus) = (drawsTies, corpus)
    }

    /// Generates the input of the run with this number, counted from 1.
    package func trial(_ run: Int) -> Generator.Trial {
        var random = seed.stream("explore.guided.\(run)")
        guard random.below(2) == 0, let entry = random.pick(corpus.entries), let profile = profiles[entry.draft.profile]
        else { return generator.trial(run) }
        var variation = Variation(of: entry, profile, generator: random)
        let count = 1 + variation.generator.below(4)
        for _ in 0..<count { variation.change(among: corpus.entries) }
        var draft = variation.draft.legalised(profile)
        if !drawsTies { draft = draft.withoutTies }
        let seed = Seed(variation.generator.below(Generator.runSeeds) + 1)
        return Generator.Trial(draft: draft, profile: profile, seed: seed)
    }
}
