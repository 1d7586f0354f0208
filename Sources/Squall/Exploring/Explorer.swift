package import Exploration
import ScenarioLanguage
import ScenarioModel
package import SquallCore
import TemporalLogic

/// The statistics and the findings of an exploration.
package struct ExploreResult: Sendable {
    package struct Found: Sendable {
        package var finding: Finding
        package var count: Int
        /// A sentence that names the violation and the actions that lead to it.
        package var title: String
        /// The path of the scenario file; nil if no files are written.
        package var path: String?
        /// Whether the scenario still fails for the same reason when it is read back from its file and run.
        package var isConfirmed: Bool
        package var replay: String
    }

    package var found: [Found] = []
    package var runs = 0
    package var features = 0
    /// The number of drafts in the corpus; nil if the exploration has none.
    package var corpus: Int?
    /// The registry's actions and events that occurred in no run.
    package var unmet = Unexercised(features: [])
    package var wall = TimeSpan.zero
    package var isInterrupted = false
}

/// Runs randomly generated scenarios (drafts), shrinks those that fail, and writes the results to scenario files.
package actor Explorer {
    private let options: ExploreOptions
    private let player: TrialPlayer
    private var source: TrialSource
    /// The corpus. The results of the current generation become visible to the generator when the generation ends.
    private var corpus = Corpus()
    private let progress: @Sendable (ExploreProgress) -> Void
    private var ledger = FindingLedger()
    private var features: Set<Feature> = []
    private var result = ExploreResult()
    private var lastNews = 0
    private let started = ContinuousClock.now

    /// The number of drafts that are run concurrently; their results are processed in run order.
    private static let batch = 32

    /// Creates an exploration.
    ///
    /// - Throws: ``SquallError`` if a profile or a defect does not exist.
    package init(
        _ options: ExploreOptions,
        progress: @escaping @Sendable (ExploreProgress) -> Void = { _ in }
    ) throws(SquallError) {
        let profiles = try Profiles.named(options.profiles.isEmpty ? Profiles.explored : options.profiles)
        self.options = options
        self.progress = progress
        player = TrialPlayer(options: options, profiles: try Profiles.all(with: profiles))
        // Steps at the same instant may run in a different order in simulated and live runs, so a draft that is run in
        // both must never have two steps at the same instant.
        source = .random(Generator(seed: options.seed, profiles: profiles, drawsTies: !options.isInBothWorlds))
        // Planning an empty scenario reports invalid options before any run is executed.
        _ = try Suite.plan(Scenario(file: "", name: ""), options.suite, seed: options.seed)
    }

    // MARK: - Main loop

    /// Executes runs until the limit is reached or the task is cancelled; either way, returns the findings so far.
    ///
    /// - Throws: ``SquallError`` if files cannot be written or the client cannot be started.
    package func explore() async throws -> ExploreResult {
        if let folder = options.folder { try ReportFolder.makeFolder(folder) }
        if options.isGuided { try await readCorpus() }
        while !isDone {
            let first = result.runs + 1
            for (run, outcome) in await outcomes(of: Array(first..<first + batchSize)) {
                guard let played = try outcome.get() else {
                    result.isInterrupted = true
                    break
                }
                keep(played, run: run)
                try await take(played.leading.map(\.sighting), played.features, run: run)
                if options.untilFail, !result.found.isEmpty { break }
            }
            if Task.isCancelled { result.isInterrupted = true }
            try endGeneration()
        }
        return finished
    }

    /// Executes one part of the runs without shrinking; ``take(_:)`` shrinks the failures once all parts are merged.
    ///
    /// - Throws: ``CancellationError`` if the task is cancelled, because an incomplete part is useless.
    package func part(_ shard: Shard) async throws -> Part {
        guard case .runs(let count) = options.limit else {
            throw SquallError.usage("a part of an exploration needs the number of all runs: --runs N")
        }
        let header = Part.Header(
            version: SquallVersion.current,
            seed: options.seed.value,
            runs: count,
            parts: shard.count,
            defects: options.defects,
            profiles: options.profiles
        )
        var part = Part(header, index: shard.index)
        let runs = Array(stride(from: shard.index, through: count, by: shard.count))
        for start in stride(from: 0, to: runs.count, by: Self.batch) {
            for (run, outcome) in await outcomes(of: Array(runs[start..<min(start + Self.batch, runs.count)])) {
                guard let played = try outcome.get() else { throw CancellationError() }
                result.runs += 1
                part.features.formUnion(played.features)
                features = part.features
                if !played.violations.isEmpty { part.failures[run] = played.violations.map(\.sighting) }
            }
            report()
        }
        return part
    }

    /// Shrinks the failures of all parts; the result is the same as that of an exploration on a single machine.
    package func take(_ whole: Part) async throws -> ExploreResult {
        if let folder = options.folder { try ReportFolder.makeFolder(folder) }
        features = whole.features
        for (run, sightings) in whole.failures.sorted(by: { $0.key < $1.key }) where !Task.isCancelled {
            try await take(sightings, [], run: run)
        }
        result.runs = whole.header.runs
        result.isInterrupted = Task.isCancelled
        return finished
    }

    private var finished: ExploreResult {
        var finished = result
        for place in finished.found.indices {
            finished.found[place].count = ledger.count(of: finished.found[place].finding)
        }
        finished.features = features.count
        finished.corpus = options.isGuided ? corpus.entries.count : nil
        finished.unmet = Unexercised(features: features)
        finished.wall = elapsed
        return finished
    }

    private typealias Outcome = Result<TrialPlayer.Played?, any Error>

    private func outcomes(of runs: [Int]) async -> [(run: Int, outcome: Outcome)] {
        let (source, player) = (source, player)
        let outcomes = await Parallel.map(runs.count, jobs: options.jobs) { place in
            await Self.outcome(source.trial(runs[place]), player)
        }
        return zip(runs, outcomes).map { ($0, $1) }
    }

    private static func outcome(
        _ trial: Generator.Trial,
        _ player: TrialPlayer
    ) async -> Outcome {
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
        // Live runs are executed in small batches: each run takes seconds, and the time limit is checked and the
        // progress reported only after each batch.
        let isLive = options.client != .reference || options.isInBothWorlds
        var size = isLive ? options.jobs : Self.batch
        if case .guided = source { size = min(size, Self.generation - result.runs % Self.generation) }
        switch options.limit {
        case .runs(let count): return min(size, count - result.runs)
        case .sweep: return min(size, singleFaults - result.runs)
        case .time, .dry: return size
        }
    }

    /// The number of single-fault runs in a sweep; 0 if the exploration is not a sweep.
    private var singleFaults: Int {
        if case .sweep(let sweep) = source { sweep.singles } else { 0 }
    }

    private var isDone: Bool {
        if result.isInterrupted || options.untilFail && !result.found.isEmpty { return true }
        switch options.limit {
        case .runs(let count): return result.runs >= count
        case .time(let span): return elapsed >= span
        case .dry(let count): return result.runs - lastNews >= count
        case .sweep: return result.runs >= singleFaults
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

    // MARK: - Corpus

    private static let generation = GuidedGenerator.generation

    private var corpusFolder: CorpusFolder { CorpusFolder(options: options, player: player) }

    private func readCorpus() async throws {
        let progress = progress
        let read = try await corpusFolder.read { done, total in
            progress(ExploreProgress(runs: 0, elapsed: .zero, features: 0, findings: 0, reading: (done, total)))
        }
        guard !Task.isCancelled else {
            result.isInterrupted = true
            return
        }
        for (entry, shown) in read {
            corpus.insert(entry, showing: shown)
            features.formUnion(shown)
        }
        guard case .random(let generator) = source else { return }
        if options.isSweep {
            let entries = read.map(\.entry)
            source = .sweep(FaultSweep(entries, seed: options.seed, profiles: player.profiles))
        } else {
            source = .guided(
                GuidedGenerator(
                    generator,
                    seed: options.seed,
                    profiles: player.profiles,
                    drawsTies: !options.isInBothWorlds,
                    corpus: corpus
                )
            )
        }
    }

    /// Inserts a run's draft into the corpus if the run showed a new feature and had no violations.
    private func keep(_ played: TrialPlayer.Played, run: Int) {
        guard options.isGuided, played.violations.isEmpty, let recording = played.recording else { return }
        let entry = Corpus.Entry(source.trial(run).draft, recording)
        corpus.insert(entry, showing: played.features)
    }

    /// Makes the corpus visible to the generator if a generation has ended, and writes it to disk.
    private func endGeneration() throws {
        guard options.isGuided, isDone || result.runs % Self.generation == 0 else { return }
        if case .guided(var generator) = source, result.runs % Self.generation == 0 {
            generator.corpus = corpus
            source = .guided(generator)
        }
        try corpusFolder.write(corpus)
    }

    // MARK: - Handling a run's violations

    private struct Suspect {
        var violation: Violation
        var draft: Draft
        var seed: Seed
        var isSideFind: Bool
    }

    private func take(_ sightings: [ObservedViolation], _ shown: Set<Feature>, run: Int) async throws {
        result.runs = run
        if !shown.isSubset(of: features) {
            features.formUnion(shown)
            lastNews = run
        }
        report()
        let new = Set(sightings.filter { ledger.note($0) })
        guard !new.isEmpty else { return }
        let trial = source.trial(run)
        guard let played = try await Self.outcome(trial, player).get() else { return }
        var suspects = played.leading.filter { new.contains($0.sighting) }.map {
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

    /// Shrinks the failing draft of `suspect` and stores the finding. Returns any violations with other causes that
    /// smaller drafts exposed.
    ///
    /// `run` is the number of the run that failed, and `foundSize` the number of steps in its draft.
    private func examine(_ suspect: Suspect, run: Int, foundSize: Int) async throws -> [Suspect] {
        var others: [Suspect] = []
        var shrinking = Shrinking(suspect.draft, suspect.violation, seed: suspect.seed, player)
        report(shrinking: suspect.violation.cause.judge)
        try await shrinking.shrink { violation, draft, seed in
            guard ledger.note(violation.sighting) else { return }
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
            options: options,
            path: path ?? name
        )
        if let path { try WholeFile.write(player.text(of: finding.draft, text.head), to: path) }
        let isConfirmed = try await confirms(finding, path)
        result.found.append(
            ExploreResult.Found(
                finding: finding,
                count: 1,
                title: text.name,
                path: path,
                isConfirmed: isConfirmed,
                replay: text.replay
            )
        )
        report()
    }

    /// Returns whether the scenario file fails with the same cause when it is read and run as a user would run it.
    private func confirms(_ finding: Finding, _ path: String?) async throws -> Bool {
        let scenario =
            try path.map { path throws(SquallError) in try Suite.load(SuiteSelection(paths: [path])).first }
            ?? player.read(finding.draft)
        guard let scenario else { return false }
        let played = try await player.play(scenario, seed: finding.seed, .whole)
        return played.violations.contains { $0.cause.isLike(finding.violation.cause) }
    }
}
