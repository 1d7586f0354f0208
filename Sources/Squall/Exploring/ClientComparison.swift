import Exploration
import ScenarioModel
import SquallCore
import Trace

/// Compares a client's observed behaviour in a scenario with that of another client, which has no planted defects.
struct ClientComparison {
    let player: TrialPlayer
    let comparedClient: ClientChoice

    /// The number of initial runs of the other client, and of additional runs if a difference is found. Each run has a
    /// different seed: a value that also differs between the other client's runs depends on the seed, not on the
    /// client.
    private var plays: (first: Int, again: Int) { isInVirtualTime ? (2, 8) : (2, 2) }

    private var isInVirtualTime: Bool { comparedClient == .reference && player.options.client == .reference }

    private var suite: SuiteOptions {
        var suite = player.options.suite(for: comparedClient)
        suite.defects = []
        return suite
    }

    /// Returns the differences between the two clients in a scenario; nil if a run of the other client has a violation
    /// and therefore cannot serve as a reference.
    ///
    /// - Parameter recording: A run of the client without violations.
    func differences(of recording: Recording, in scenario: Scenario, seed: Seed) async throws -> [BehaviourDifference]?
    {
        try await differences(of: Behaviour(recording)) { number in
            behaviour(of: try await played(in: scenario, seed: seed, number: number))
        }
    }

    /// Compares a run of the client with as many runs of the other client as necessary.
    ///
    /// - Parameter other: Returns the behaviour in the other client's run with a given number; nil if it cannot serve
    ///   as a reference.
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
            found = BehaviourDifference.all(of: tested, from: BehaviourBaseline(others), areAlike: isInVirtualTime)
            if found.isEmpty { return [] }
        }
        return found
    }

    /// Returns what the other client does in all of its runs of a scenario; nil if one of them has a violation.
    func baseline(in scenario: Scenario, seed: Seed) async throws -> BehaviourBaseline? {
        var runs: [Behaviour] = []
        for number in 0..<plays.first + plays.again {
            guard let run = behaviour(of: try await played(in: scenario, seed: seed, number: number)) else {
                return nil
            }
            runs.append(run)
        }
        return BehaviourBaseline(runs)
    }

    /// Executes run `number` of the other client. Run 0 has the same seed as the run of the client under test.
    func played(in scenario: Scenario, seed: Seed, number: Int) async throws -> TrialPlayer.Played {
        let seed = Seed(seed.value &+ UInt64(number) &* Self.stride)
        return try await player.playOnce(scenario, suite, seed: seed, .whole)
    }

    /// Returns the other client's behaviour in a run; nil if the run has a violation or was interrupted.
    func behaviour(of played: TrialPlayer.Played) -> Behaviour? {
        guard played.violations.isEmpty, !played.isInterrupted else { return nil }
        return played.recording.map { Behaviour($0) }
    }

    /// The seed increment between consecutive runs of the other client. It is larger than the seed of any explored run,
    /// which is below a million.
    private static let stride: UInt64 = 1_000_003
}
