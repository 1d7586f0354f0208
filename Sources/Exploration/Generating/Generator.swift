package import ScenarioModel
package import SquallCore

/// Generates random drafts: a storm of random moves (steps), followed by a fault-free period (calm) in which all faults
/// are healed.
///
/// A draft depends only on the exploration's seed and the run's number.
package struct Generator: Sendable {
    /// A profile, and the name by which scenario files refer to it.
    package struct NamedProfile: Hashable, Sendable {
        package var name: String
        package var profile: Profile

        package init(name: String, profile: Profile) {
            self.name = name
            self.profile = profile
        }
    }

    /// The input of one run: a draft, its profile and a seed.
    package struct Trial: Hashable, Sendable {
        package var draft: Draft
        package var profile: Profile
        /// The seed for the run itself, independent of the seed from which the draft was generated.
        package var seed: Seed
    }

    private let seed: Seed
    private let profiles: [NamedProfile]
    /// Whether several moves may occur at the same instant.
    private let drawsTies: Bool
    private let actions: [ActionEntry]

    private static let storm: ClosedRange<UInt64> = 4...20
    /// The maximum number of attempts to draw a move that is possible in the current situation. If all fail, the move
    /// is skipped.
    private static let tries = 12

    /// Creates a generator.
    ///
    /// - Parameter profiles: The profiles to draw from, at least one; the first one is drawn most often.
    package init(
        seed: Seed,
        profiles: [NamedProfile],
        drawsTies: Bool = true,
        actions: [ActionEntry] = Registry.actions
    ) {
        (self.seed, self.profiles, self.drawsTies, self.actions) = (seed, profiles, drawsTies, actions)
    }

    /// Generates the input of the run with this number, counted from 1.
    package func trial(_ run: Int) -> Trial {
        var generator = seed.stream("explore.\(run)")
        let chosen =
            (generator.below(2) == 0 ? profiles.first : generator.pick(profiles))
            ?? NamedProfile(name: "default", profile: Profile())
        var draft = Draft(profile: chosen.name)
        let theme = Theme.draw(actions, &generator)
        let roster = Roster.draw(&generator)
        draft.settings = Settings.draw(chosen.profile, for: theme, roster, &generator)
        draft.clients = roster.clients
        let tuned = draft.tuned(chosen.profile)
        let swarm = Swarm(actions, theme, &generator)
        let sets = ValueSets(tuned, roster: roster, favourites: Seed(generator.next()))
        var drawing = Drawing(roster: roster, sets: sets, generator: generator)
        draft.opening = drawing.opening()
        if let prologue = theme.prologue { drawing.play(prologue, of: actions, in: &draft) }
        let count = Self.storm.lowerBound + drawing.generator.below(UInt64(Self.storm.count))
        for _ in 0..<count {
            guard let move = drawing.move(swarm, tries: Self.tries) else { continue }
            draft.body.append(move)
            if !drawsTies || drawing.generator.below(8) > 0 {
                draft.body.append(.rest(drawing.sets.pause(&drawing.generator)))
            }
        }
        let seed = Seed(drawing.generator.below(Self.runSeeds) + 1)
        let legal = draft.legalised(chosen.profile)
        return Trial(draft: drawsTies ? legal : legal.withoutTies, profile: chosen.profile, seed: seed)
    }

    /// The highest run seed. It is small so that users can easily type any seed.
    static let runSeeds: UInt64 = 999_999
}

extension Draft {
    /// The draft with a pause inserted between consecutive actions.
    ///
    /// Actions that prepare the run only affect its initial state, so no pauses are needed between them.
    var withoutTies: Draft {
        var draft = self
        let begin = body.firstIndex { !Situation.preparations.contains($0.name ?? "") } ?? body.endIndex
        draft.body = body[begin...].reduce(into: Array(body[..<begin])) { moves, move in
            if move.rest == .zero { return }
            if move.name != nil, moves.count > begin, moves.last?.name != nil { moves.append(.rest(.milliseconds(1))) }
            moves.append(move)
        }
        return draft
    }
}
