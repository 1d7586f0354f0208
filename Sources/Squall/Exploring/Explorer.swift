package import Exploration
import ScenarioLanguage
import ScenarioModel
package import SquallCore
import TemporalLogic

/// What an exploration has done and found.
package struct ExploreResult: Sendable {
    package struct Found: Sendable {
        package var finding: Finding
        package var count: Int
        /// A sentence about what is violated by which actions.
        package var title: String
        /// The file, if files are written.
        package var path: String?
        /// Whether the file fails for the same cause when it is read and played.
        package var isConfirmed: Bool
        package var replay: String
    }

    package var found: [Found] = []
    package var runs = 0
    package var features = 0
    package var wall = TimeSpan.zero
    package var isInterrupted = false
}

/// Plays random drafts, makes those that fail small, and writes them to files.
package actor Explorer {
    private let options: ExploreOptions
    private let player: TrialPlayer
    private let generator: Generator
    private let progress: @Sendable (ExploreProgress) -> Void
    private var ledger = Ledger()
    private var features: Set<Feature> = []
    private var result = ExploreResult()
    private var lastNews = 0
    private let started = ContinuousClock.now

    /// How many drafts are played before their results are taken in, in order.
    private static let batch = 32

    /// - Throws: ``SquallError`` if there is no profile or no defect of a name.
    package init(
        _ options: ExploreOptions,
        progress: @escaping @Sendable (ExploreProgress) -> Void = { _ in }
    ) throws(SquallError) {
        let profiles = try Profiles.named(options.profiles.isEmpty ? ProfileReader.names : options.profiles)
        self.options = options
        self.progress = progress
        player = TrialPlayer(options: options, profiles: try Profiles.all(with: profiles))
        generator = Generator(seed: options.seed, profiles: profiles)
        // A mistake in the options is reported before anything is played.
        _ = try Suite.plan(Scenario(file: "", name: ""), options.suite, seed: options.seed)
    }

    // MARK: - The loop

    /// Plays until the limit is reached or the task is cancelled. What was found until then is kept.
    ///
    /// - Throws: ``SquallError`` when files cannot be written or the client cannot be played with.
    package func explore() async throws -> ExploreResult {
        if let folder = options.folder { try ReportFolder.makeFolder(folder) }
        while !isDone {
            let first = result.runs + 1
            let count = batchSize
            let (generator, player) = (generator, player)
            let outcomes = await Parallel.map(count, jobs: options.jobs) { place in
                await Self.outcome(generator.trial(first + place), player)
            }
            for (place, outcome) in outcomes.enumerated() {
                guard let played = try outcome.get() else {
                    result.isInterrupted = true
                    break
                }
                try await take(played, run: first + place)
                if options.untilFail, !result.found.isEmpty { break }
            }
            if Task.isCancelled { result.isInterrupted = true }
        }
        result.features = features.count
        result.wall = elapsed
        return result
    }

    private static func outcome(
        _ trial: Generator.Trial,
        _ player: TrialPlayer
    ) async -> Result<TrialPlayer.Played?, any Error> {
        do {
            guard !Task.isCancelled else { return .success(nil) }
            guard let scenario = trial.draft.scenario(trial.profile) else {
                throw SquallError.failed("a draft cannot be made into a scenario: \(trial.draft.skeleton)")
            }
            let played = try await player.play(scenario, seed: trial.seed, .firstViolation)
            return .success(played.isInterrupted ? nil : played)
        } catch {
            return .failure(error)
        }
    }

    private var elapsed: TimeSpan { TimeSpan(ContinuousClock.now - started) }

    private var batchSize: Int {
        guard case .runs(let count) = options.limit else { return Self.batch }
        return min(Self.batch, count - result.runs)
    }

    private var isDone: Bool {
        if result.isInterrupted || options.untilFail && !result.found.isEmpty { return true }
        switch options.limit {
        case .runs(let count): return result.runs >= count
        case .time(let span): return elapsed >= span
        case .dry(let count): return result.runs - lastNews >= count
        }
    }

    private func report(shrinking judge: String? = nil) {
        progress(
            ExploreProgress(
                runs: result.runs,
                elapsed: elapsed,
                features: features.count,
                findings: result.found.count,
                shrinking: judge
            )
        )
    }

    // MARK: - One run's violations

    private struct Suspect {
        var violation: Violation
        var draft: Draft
        var seed: Seed
        var isSideFind: Bool
    }

    private func take(_ played: TrialPlayer.Played, run: Int) async throws {
        result.runs = run
        if !played.features.isSubset(of: features) {
            features.formUnion(played.features)
            lastNews = run
        }
        report()
        guard !played.violations.isEmpty else { return }
        let trial = generator.trial(run)
        var suspects = played.violations.filter { ledger.note($0) }.map {
            Suspect(violation: $0, draft: trial.draft, seed: trial.seed, isSideFind: false)
        }
        while !suspects.isEmpty {
            let suspect = suspects.removeFirst()
            lastNews = run
            let others = try await examine(suspect, run: run, foundSize: trial.draft.size)
            suspects += others
            if options.untilFail, !result.found.isEmpty { return }
        }
    }

    /// Makes a failing draft small and keeps it. Returns what smaller drafts have violated for other causes.
    private func examine(_ suspect: Suspect, run: Int, foundSize: Int) async throws -> [Suspect] {
        var others: [Suspect] = []
        var shrinking = Shrinking(suspect.draft, suspect.violation, seed: suspect.seed, player)
        report(shrinking: suspect.violation.cause.judge)
        try await shrinking.shrink { violation, draft, seed in
            guard ledger.note(violation) else { return }
            others.append(Suspect(violation: violation, draft: draft, seed: seed, isSideFind: true))
        }
        var finding = Finding(
            violation: shrinking.violation,
            draft: shrinking.best,
            seed: shrinking.seed,
            run: run,
            foundSize: foundSize,
            tries: shrinking.tries,
            isMinimal: shrinking.isMinimal
        )
        finding.isSideFind = suspect.isSideFind
        if let place = ledger.add(finding) { try await keep(finding, place) }
        return others
    }

    // MARK: - Files

    private func keep(_ finding: Finding, _ place: Int) async throws {
        let judge = finding.violation.cause.judge.split(separator: " ").last.map(String.init) ?? "run"
        let number = result.found.count { $0.finding.violation.cause.judge == finding.violation.cause.judge } + 1
        let name = "\(judge)-\(number).yaml"
        let path = options.folder.map { "\($0)/\(name)" }
        let text = FindingText(
            finding: finding,
            count: ledger.count(of: finding),
            options: options,
            path: path ?? name
        )
        if let path { try WholeFile.write(player.text(of: finding.draft, text.head), to: path) }
        let isConfirmed = try await confirms(finding, path)
        result.found.append(
            ExploreResult.Found(
                finding: finding,
                count: ledger.count(of: finding),
                title: text.name,
                path: path,
                isConfirmed: isConfirmed,
                replay: text.replay
            )
        )
        report()
    }

    /// Reads the file and plays it, as a user would.
    private func confirms(_ finding: Finding, _ path: String?) async throws -> Bool {
        let scenario =
            try path.map { path throws(SquallError) in try Suite.load(SuiteSelection(paths: [path])).first }
            ?? player.read(finding.draft)
        guard let scenario else { return false }
        let played = try await player.play(scenario, seed: finding.seed, .whole)
        return played.violations.contains { $0.cause.isLike(finding.violation.cause) }
    }
}
