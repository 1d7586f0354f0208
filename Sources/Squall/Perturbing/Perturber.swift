import Exploration
import ScenarioLanguage
package import ScenarioModel
import SquallCore
import TemporalLogic

/// Runs cases with one perturbation (an additional fault or action) per run, and writes failing runs to scenario files.
package struct Perturber: Sendable {
    private let scenarios: [Scenario]
    private let options: PerturbOptions
    private let progress: @Sendable (SuiteProgress) -> Void

    package init(
        _ scenarios: [Scenario],
        _ options: PerturbOptions,
        progress: @escaping @Sendable (SuiteProgress) -> Void = { _ in }
    ) {
        (self.scenarios, self.options, self.progress) = (scenarios, options, progress)
    }

    private typealias Outcome = Result<PerturbedCase.Outcome, any Error>

    /// Executes the perturbed runs of all cases. If the task is cancelled, the failures found so far are returned.
    ///
    /// - Throws: ``SquallError`` if an option is invalid or a file cannot be written.
    package func play() async throws -> PerturbResult {
        let started = ContinuousClock.now
        if let folder = options.folder { try ReportFolder.makeFolder(folder) }
        let cases = cases()
        let meter = Meter(total: cases.count, emit: progress)
        let outcomes = await Parallel.map(cases.count, jobs: options.jobs) { index -> Outcome in
            guard !Task.isCancelled else { return .success(PerturbedCase.Outcome(isInterrupted: true)) }
            defer { meter.step(cases[index].scenario.name) }
            return Result { try cases[index].play() }
        }
        var result = PerturbResult()
        var places: [PerturbedCause: Int] = [:]
        for (played, outcome) in zip(cases, outcomes) {
            let outcome = try outcome.get()
            if outcome.isInterrupted { result.isInterrupted = true }
            result.runs += outcome.runs
            if let why = outcome.skipped {
                result.skipped.append(PerturbResult.Skipped(title: played.title, why: why))
            } else {
                result.cases += 1
            }
            for failure in outcome.failures {
                if let known = places[failure.cause] {
                    result.found[known].count += failure.count
                } else {
                    places[failure.cause] = result.found.count
                    result.found.append(try found(failure, of: played, number: result.found.count + 1))
                }
            }
        }
        result.wall = TimeSpan(ContinuousClock.now - started)
        return result
    }

    /// Returns all cases, or a random sample of the cases if only a sample of the runs is executed.
    private func cases() -> [PerturbedCase] {
        guard let sample = options.sample else {
            return scenarios.map { PerturbedCase(scenario: $0, options: options, quota: nil) }
        }
        var generator = options.seed.stream("perturbed cases")
        let most = PerturbOptions.sampledPerCase
        let small = scenarios.indices.filter { scenarios[$0].clients.count <= PerturbOptions.maximumSampledClients }
        let drawn = small.shuffled(using: &generator).prefix((sample + most - 1) / most)
        return drawn.enumerated().map { place, index in
            PerturbedCase(scenario: scenarios[index], options: options, quota: min(most, sample - place * most))
        }
    }

    // MARK: - Files

    private func found(
        _ failure: PerturbedCase.Failure,
        of played: PerturbedCase,
        number: Int
    ) throws -> PerturbResult.Found {
        var found = PerturbResult.Found(
            cause: failure.cause,
            why: failure.why,
            title: played.title,
            place: "\(failure.place)",
            count: failure.count
        )
        guard let folder = options.folder else { return found }
        let judge = failure.cause.judge.split(separator: " ").last.map(String.init) ?? "run"
        let path = "\(folder)/\(number)-\(failure.cause.kind.rawValue)-\(judge).yaml"
        var replaying = ExploreOptions()
        replaying.defects = options.defects
        let replay = FindingText.replay(path, replaying, seed: options.seed)
        let defects = options.defects.map { " --defect \($0)" }.joined()
        let comments =
            [
                "Found by squall \(SquallVersion.current) run \(played.title) --perturb \(failure.cause.kind.rawValue)"
                    + "\(defects) --seed \(options.seed.value), \(failure.place).", "",
                "\(failure.cause.judge): \(failure.why)",
            ] + failure.evidence.map { "  \($0)" } + ["", "Replay: \(replay)"]
        let name = "\(played.scenario.name), perturbed by \(failure.cause.kind.rawValue) \(failure.place)"
        let head = ScenarioWriter.Head(name: name, comments: comments)
        let player = try PerturbedCase.player(for: path, options)
        try WholeFile.write(player.text(of: failure.draft, head), to: path)
        (found.path, found.replay) = (path, replay)
        found.isConfirmed = try confirms(path, failure, player)
        return found
    }

    /// Returns whether the scenario file fails with the same cause when it is read and run as a user would run it.
    ///
    /// Returns false if the file cannot be read. A finding that no scenario can express is therefore still reported, as
    /// unconfirmed.
    private func confirms(_ path: String, _ failure: PerturbedCase.Failure, _ player: TrialPlayer) throws -> Bool {
        guard let scenario = try? Suite.load(SuiteSelection(paths: [path])).first else { return false }
        let violations = try player.play(again: scenario, seed: options.seed).violations
        return violations.contains { violation in
            if failure.cause.judge == PerturbedCause.end {
                return ["eventually", "count"].contains(violation.cause.judge)
            }
            return violation.cause.judge == failure.cause.judge && violation.cause.sentence == failure.cause.what
        }
    }
}
