import Exploration
import ScenarioModel
import SquallCore
import Trace

/// Compares what a client shows and does in a run with the behaviour of another client, without planted defects, in
/// the same scenario.
struct ClientComparison {
    let player: TrialPlayer
    let opponent: ClientChoice

    /// The number of opponent runs at first, and again after a difference, each with another seed. If the opponent
    /// differs from itself, the difference depends on chance and says nothing about the client.
    private var plays: (first: Int, again: Int) { isInVirtualTime ? (2, 8) : (2, 2) }

    private var isInVirtualTime: Bool { opponent == .reference && player.options.client == .reference }

    private var suite: SuiteOptions {
        var suite = player.options.suite(for: opponent)
        suite.defects = []
        return suite
    }

    /// The differences in a scenario; nil if the opponent's run cannot serve as a reference because it has a violation.
    ///
    /// - Parameter recording: A run of the client in which nothing was violated.
    func differences(of recording: Recording, in scenario: Scenario, seed: Seed) async throws -> [BehaviourDifference]?
    {
        try await differences(of: Behaviour(recording)) { number in
            behaviour(of: try await played(in: scenario, seed: seed, number: number))
        }
    }

    /// Compares a run with as many opponent runs as necessary.
    ///
    /// - Parameter other: Returns the opponent's run with a given number.
    func differences(
        of tested: Behaviour,
        from other: (Int) async throws -> Behaviour?
    ) async throws -> [BehaviourDifference]? {
        var others: [Behaviour] = []
        var found: [BehaviourDifference] = []
        for number in 0..<plays.first + plays.again {
            guard let next = try await other(number) else { return nil }
            others.append(next)
            guard others.count >= plays.first else { continue }
            found = BehaviourDifference.all(of: tested, from: others, areAlike: isInVirtualTime)
            if found.isEmpty { return [] }
        }
        return found
    }

    /// Plays the opponent's run with this number. Run 0 has the client's own seed.
    func played(in scenario: Scenario, seed: Seed, number: Int) async throws -> TrialPlayer.Played {
        let seed = Seed(seed.value &+ UInt64(number) &* Self.stride)
        return try await player.playOnce(scenario, suite, seed: seed, .whole)
    }

    /// What the opponent did in a run; nil if it violated something itself.
    func behaviour(of played: TrialPlayer.Played) -> Behaviour? {
        guard played.violations.isEmpty, !played.isInterrupted else { return nil }
        return played.recording.map { Behaviour($0) }
    }

    /// Seeds of explored runs are below a million.
    private static let stride: UInt64 = 1_000_003
}
