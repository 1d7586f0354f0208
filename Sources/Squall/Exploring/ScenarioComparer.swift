package import Exploration
import ScenarioModel
import SquallCore
import TemporalLogic
import Trace

/// Compares the behaviour of two clients in scenario files.
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

    private let options: ExploreOptions
    private let paths: [String]

    /// Creates a comparison of the scenarios at `paths`.
    ///
    /// - Parameter options: The clients, the defects and the seed.
    package init(_ paths: [String], _ options: ExploreOptions) {
        (self.paths, self.options) = (paths, options)
    }

    /// Runs every case in the files with both clients. If the task is cancelled, the comparisons made so far are
    /// returned.
    ///
    /// - Throws: ``SquallError`` if a file is invalid or a client cannot be started.
    package func compare(finished: @escaping @Sendable (Case) -> Void = { _ in }) async throws -> Result {
        let scenarios = try Suite.load(SuiteSelection(paths: paths))
        _ = try Suite.plan(Scenario(file: "", name: ""), options.suite, seed: options.seed)
        let player = TrialPlayer(options: options, profiles: [:])
        let outcomes = await Parallel.map(scenarios.count, jobs: options.jobs) { index in
            let outcome: Swift.Result<Case?, any Error>
            do { outcome = .success(try await compare(scenarios[index], player)) } catch { outcome = .failure(error) }
            if case .success(let compared?) = outcome { finished(compared) }
            return outcome
        }
        var result = Result()
        for outcome in outcomes {
            if let compared = try outcome.get() { result.cases.append(compared) } else { result.isInterrupted = true }
        }
        return result
    }

    /// Compares the clients in one case of a scenario file; returns nil if the task was cancelled.
    private func compare(_ scenario: Scenario, _ player: TrialPlayer) async throws -> Case? {
        guard !Task.isCancelled, let comparison = player.comparison else { return nil }
        let title = scenario.variant.map { "\(scenario.file) (\($0))" } ?? scenario.file
        func obstacle(_ why: String) -> Case { Case(title: title, differences: [], obstacle: why) }
        if options.client == .reference || options.comparedClient == .reference, !scenario.allows(.sim) {
            return obstacle("it is not played in virtual time")
        }
        if options.client == .reference, RunPlan(scenario).upstream != nil {
            return obstacle("its server is not Squall's own")
        }
        let played = try await player.playOnce(scenario, options.suite, seed: options.seed, .whole)
        guard !played.isInterrupted else { return nil }
        if let violation = played.violations.first {
            return obstacle("the client fails: \(violation.cause.judge): \(violation.why)")
        }
        guard let recording = played.recording else { return obstacle("the client cannot play it") }
        guard let found = try await comparison.differences(of: recording, in: scenario, seed: options.seed)
        else { return Task.isCancelled ? nil : obstacle("the other client fails or cannot play it") }
        return Case(title: title, differences: found, obstacle: nil)
    }
}
