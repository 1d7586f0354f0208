package import Exploration
import ScenarioModel
import SquallCore
import TemporalLogic
import Trace

/// Compares the behaviour of two clients in scenario files, or saves a client's behaviour for later comparisons.
package struct ScenarioComparer: Sendable {
    package struct Case: Sendable {
        package var title: String
        package var differences: [BehaviourDifference]
        /// The reason why the clients could not be compared; nil if they were compared.
        package var obstacle: String?
    }

    package struct Result: Sendable {
        package var cases: [Case] = []
        package var isInterrupted = false

        package var differing: Int { cases.count { !$0.differences.isEmpty } }
        package var compared: Int { cases.count { $0.obstacle == nil } }
    }

    private var options: ExploreOptions
    private let paths: [String]
    /// The saved behaviour to compare with; nil to compare with the other client.
    private let saved: SavedBehaviour?

    /// Creates a comparison of the scenarios at `paths`.
    ///
    /// - Parameters:
    ///   - options: The clients, the defects and the seed.
    ///   - saved: The saved behaviour of the other client, which is then not run.
    package init(_ paths: [String], _ options: ExploreOptions, against saved: SavedBehaviour? = nil) {
        (self.paths, self.options, self.saved) = (paths, options, saved)
        if let saved { self.options.seed = saved.seed }
    }

    /// Runs every case in the files with both clients. If the task is cancelled, the comparisons made so far are
    /// returned.
    ///
    /// - Throws: ``SquallError`` if a file is invalid or a client cannot be started.
    package func compare(finished: @escaping @Sendable (Case) -> Void = { _ in }) async throws -> Result {
        let (cases, isInterrupted) = try await forEachCase { scenario, player in
            let compared = try await compare(scenario, player)
            if let compared { finished(compared) }
            return compared
        }
        return Result(cases: cases, isInterrupted: isInterrupted)
    }

    /// Runs every case in the files with the other client, and returns its behaviour. If the task is cancelled, the
    /// behaviour in the cases played so far is returned.
    ///
    /// - Throws: ``SquallError`` if a file is invalid or the client cannot be started.
    package func save(
        finished: @escaping @Sendable (_ title: String) -> Void = { _ in }
    ) async throws -> (saved: SavedBehaviour, isInterrupted: Bool) {
        var saved = SavedBehaviour(client: options.comparedClient?.command ?? "reference", seed: options.seed)
        let (cases, isInterrupted) = try await forEachCase { scenario, player in
            let outcome = try await behaviour(in: scenario, player)
            if outcome != nil { finished(Self.title(scenario)) }
            return outcome.map { (Self.title(scenario), $0) }
        }
        for (title, outcome) in cases { saved.cases[title] = outcome }
        return (saved, isInterrupted)
    }

    /// Calls `play` with each case in the files, several at a time, and returns the results. `play` returns nil if the
    /// task was cancelled.
    private func forEachCase<Played: Sendable>(
        _ play: @escaping @Sendable (Scenario, TrialPlayer) async throws -> Played?
    ) async throws -> (results: [Played], isInterrupted: Bool) {
        let scenarios = try Suite.load(SuiteSelection(paths: paths))
        _ = try Suite.plan(Scenario(file: "", name: ""), options.suite, seed: options.seed)
        let player = TrialPlayer(options: options, profiles: [:])
        let outcomes = await Parallel.map(scenarios.count, jobs: options.jobs) { index in
            let outcome: Swift.Result<Played?, any Error>
            do { outcome = .success(try await play(scenarios[index], player)) } catch { outcome = .failure(error) }
            return outcome
        }
        let results = try outcomes.compactMap { try $0.get() }
        return (results, results.count < outcomes.count)
    }

    private static func title(_ scenario: Scenario) -> String {
        scenario.variant.map { "\(scenario.file) (\($0))" } ?? scenario.file
    }

    /// Returns the reason why a case cannot be played with these clients; nil if it can.
    private func obstacle(to scenario: Scenario) -> String? {
        if options.client == .reference || options.comparedClient == .reference, !scenario.allows(.sim) {
            return "it is not played in virtual time"
        }
        if options.client == .reference, RunPlan(scenario).upstream != nil { return "its server is not Squall's own" }
        return nil
    }

    /// Returns the other client's behaviour in a case; nil if the task was cancelled.
    private func behaviour(in scenario: Scenario, _ player: TrialPlayer) async throws -> SavedBehaviour.Outcome? {
        guard !Task.isCancelled, let comparison = player.comparison else { return nil }
        if let why = obstacle(to: scenario) { return .unusable(why) }
        if let baseline = try await comparison.baseline(in: scenario, seed: options.seed) { return .behaved(baseline) }
        return Task.isCancelled ? nil : .unusable("the client fails or cannot play it")
    }

    /// Compares the clients in one case of a scenario file; returns nil if the task was cancelled.
    private func compare(_ scenario: Scenario, _ player: TrialPlayer) async throws -> Case? {
        guard !Task.isCancelled else { return nil }
        let title = Self.title(scenario)
        func obstacle(_ why: String) -> Case { Case(title: title, differences: [], obstacle: why) }
        if let why = self.obstacle(to: scenario) { return obstacle(why) }
        let played = try await player.playOnce(scenario, options.suite, seed: options.seed, .whole)
        guard !played.isInterrupted else { return nil }
        if let violation = played.violations.first {
            return obstacle("the client fails: \(violation.cause.judge): \(violation.why)")
        }
        guard let recording = played.recording else { return obstacle("the client cannot play it") }
        if let saved {
            switch saved.cases[title] {
            case .behaved(let baseline):
                let areAlike = options.client == .reference && saved.client == "reference"
                let found = BehaviourDifference.all(of: Behaviour(recording), from: baseline, areAlike: areAlike)
                return Case(title: title, differences: found, obstacle: nil)
            case .unusable(let why): return obstacle("when the behaviour was saved: \(why)")
            case nil: return obstacle("the saved behaviour does not include it")
            }
        }
        guard let comparison = player.comparison else { return nil }
        guard let found = try await comparison.differences(of: recording, in: scenario, seed: options.seed)
        else { return Task.isCancelled ? nil : obstacle("the other client fails or cannot play it") }
        return Case(title: title, differences: found, obstacle: nil)
    }
}
