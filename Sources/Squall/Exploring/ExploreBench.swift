import Exploration
import FakeServer
import ReferenceClient
import ScenarioModel
package import SquallCore
import TemporalLogic
import Trace

/// The parameters of an exploration benchmark.
package struct BenchOptions: Sendable {
    package var seed = Seed(1)
    /// The maximum number of runs per defect.
    package var runs = 40
    /// The number of runs of the client without planted defects.
    package var soundRuns = 200
    /// The time after which no more rounds of runs are started.
    package var limit = TimeSpan.seconds(180)
    /// The names of the defects to plant, one at a time; nil for all.
    package var defects: [String]?
    package var profiles: [String] = []
    /// The scenario files and folders. Every second run is a variation of one of these scenarios; if the list is empty,
    /// all runs are random drafts.
    package var starts: [String] = []
    package var jobs: Int?
    package var progress: @Sendable (String) -> Void = { _ in }

    package init() {}
}

/// The results of an exploration benchmark, for each planted defect and for the client without defects.
package struct BenchResult: Sendable {
    package struct Find: Hashable, Sendable {
        package var run: Int
        /// The processor time of all runs with the defect, up to and including the run with the violation.
        package var spent: TimeSpan
        package var judge: String
    }

    package struct Tally: Sendable {
        package var defect: String
        /// The first violation of an invariant other than `convergence` in a run with the defect.
        package var byInvariant: Find?
        package var byConvergence: Find?
        package var byComparison: Find?
        /// The number of the first run in which at least one event differs from the same run without the defect.
        package var reached: Int?
        var spent = TimeSpan.zero

        /// The first violation of any invariant in a run with the defect.
        package var byAnyInvariant: Find? { Self.earlier(byInvariant, byConvergence) }

        /// The first violation of any invariant or, if it was found earlier, the first difference between clients.
        package var first: Find? { Self.earlier(byAnyInvariant, byComparison) }

        private static func earlier(_ one: Find?, _ other: Find?) -> Find? {
            [one, other].compactMap(\.self).min { $0.run < $1.run }
        }
    }

    /// A violation reported in a run of the client without planted defects.
    package struct FalseAlarm: Hashable, Sendable {
        package var run: Int
        package var why: String
    }

    package var tallies: [Tally] = []
    /// The number of runs for each defect that was not found. Once a defect is found, it gets no further runs.
    package var runs = 0
    package var soundRuns = 0
    /// The runs in which the client without defects was reported to violate an invariant.
    package var blamed: [FalseAlarm] = []
    /// The number of runs of the defect-free client that were compared with its runs under other seeds; ``differing``
    /// lists the runs that differed.
    package var compared = 0
    package var differing: [FalseAlarm] = []
    /// The registry's actions, events and observables that occurred in no run of the client without defects.
    package var unmetActions: [String] = []
    package var unmetEvents: [String] = []
    package var unmetObservables: [String] = []
    package var played = 0
    package var spent = TimeSpan.zero
    package var isInterrupted = false
}

/// Measures how many planted defects exploration finds, and how often it reports violations by a client without
/// defects.
package actor ExploreBench {
    private let options: BenchOptions
    private var source: TrialSource
    private let player: TrialPlayer
    private let jobs: Int
    private let started = ContinuousClock.now
    private var result = BenchResult()
    private var metActions: Set<String> = []
    private var metNames: Set<String> = []

    /// Creates a benchmark.
    ///
    /// - Throws: ``SquallError`` if a profile or a defect does not exist.
    package init(_ options: BenchOptions) throws(SquallError) {
        let profiles = try Profiles.named(options.profiles.isEmpty ? Profiles.explored : options.profiles)
        var explored = ExploreOptions()
        (explored.comparedClient, explored.starts) = (.reference, options.starts)
        jobs = options.jobs ?? explored.jobs
        self.options = options
        player = TrialPlayer(options: explored, profiles: try Profiles.all(with: profiles))
        source = .random(Generator(seed: options.seed, profiles: profiles))
        let all = (Defect.all.map(\.name) + ServerDefect.all.map(\.name)).sorted()
        for name in options.defects ?? all {
            var suite = SuiteOptions()
            suite.defects = [name]
            _ = try Suite.plan(Scenario(file: "", name: ""), suite, seed: options.seed)
            result.tallies.append(BenchResult.Tally(defect: name))
        }
    }

    private var elapsed: TimeSpan { TimeSpan(ContinuousClock.now - started) }
    private var isLate: Bool { elapsed >= options.limit }

    /// Executes runs until all are complete, the time limit is reached or the task is cancelled.
    package func measure() async throws -> BenchResult {
        try await readStarts()
        var run = 1
        while !Task.isCancelled, !isLate, run <= max(options.runs, options.soundRuns) {
            let hasDefects = run <= options.runs && result.tallies.contains { $0.byInvariant == nil }
            guard hasDefects || run <= options.soundRuns else { break }
            try await play(run, withDefects: hasDefects)
            let found = result.tallies.count { $0.first != nil }
            options.progress("run \(run): \(found) of \(result.tallies.count) defects found")
            run += 1
        }
        result.isInterrupted = Task.isCancelled
        let actions = Registry.actions.map { "\($0.actor.rawValue).\($0.verb)" }
        result.unmetActions = actions.filter { !metActions.contains($0) }
        result.unmetEvents = Registry.events.map(\.name).filter { !metNames.contains($0) && !actions.contains($0) }
        result.unmetObservables = Registry.observables.map(\.name).filter { !metNames.contains($0) }
        return result
    }

    /// Makes every second run a variation of one of the given scenarios. All defects are measured with the same runs,
    /// so no run depends on the results of earlier runs.
    private func readStarts() async throws {
        guard !options.starts.isEmpty, case .random(let generator) = source else { return }
        let progress = options.progress
        let read = try await CorpusFolder(options: player.options, player: player).read { done, total in
            progress("\(done) of \(total) scenarios read")
        }
        var corpus = Corpus()
        for (entry, shown) in read { corpus.insert(entry, showing: shown) }
        let profiles = player.profiles
        source = .guided(
            GuidedGenerator(generator, seed: options.seed, profiles: profiles, drawsTies: true, corpus: corpus)
        )
    }

    /// Executes the run with the given number without defects and, if `withDefects` is true, once with each defect that
    /// has not been found yet.
    private func play(_ run: Int, withDefects: Bool) async throws {
        let trial = source.trial(run)
        guard let scenario = trial.draft.scenario(trial.profile), let comparison = player.comparison else { return }
        let sound = try await player.playOnce(scenario, player.options.suite, seed: trial.seed, .whole)
        guard let recording = sound.recording, !sound.isInterrupted else { return }
        result.played += 1
        result.spent = result.spent + sound.spent
        result.soundRuns += 1
        metActions.formUnion(trial.draft.script(trial.draft.tuned(trial.profile)).compactMap(\.name))
        metNames.formUnion(recording.events.map(\.name))
        if let violation = sound.violations.first {
            result.blamed.append(.init(run: run, why: "\(violation.cause.judge): \(violation.why)"))
        }
        let others = OtherRuns(comparison, scenario, trial.seed)
        if sound.violations.isEmpty { try await compareSound(run, scenario, trial.seed, comparison, others) }
        if withDefects { try await playDefects(run, scenario, trial.seed, sound, comparison, others) }
        let (count, spent) = await others.played
        result.played += count
        result.spent = result.spent + spent
    }

    /// Compares the client without defects with itself under other seeds, as if it were two clients.
    private func compareSound(
        _ run: Int,
        _ scenario: Scenario,
        _ seed: Seed,
        _ comparison: ClientComparison,
        _ others: OtherRuns
    ) async throws {
        guard let own = try await others.behaviour(Self.soundNumber) else { return }
        guard let found = try await comparison.differences(of: own, from: others.behaviour) else { return }
        result.compared += 1
        if let first = found.first { result.differing.append(.init(run: run, why: first.why)) }
    }

    /// The run number for the tested side when the client without defects is compared with itself; no other run has
    /// this number.
    private static let soundNumber = 1000

    private func playDefects(
        _ run: Int,
        _ scenario: Scenario,
        _ seed: Seed,
        _ sound: TrialPlayer.Played,
        _ comparison: ClientComparison,
        _ others: OtherRuns
    ) async throws {
        let places = result.tallies.indices.filter { result.tallies[$0].byInvariant == nil }
        let (player, tallies) = (player, result.tallies)
        let outcomes = await Parallel.map(places.count, jobs: jobs) { number -> Result<Trial?, any Error> in
            let tally = tallies[places[number]]
            var suite = player.options.suite
            suite.defects = [tally.defect]
            do {
                guard !Task.isCancelled else { return .success(nil) }
                let played = try await player.playOnce(scenario, suite, seed: seed, .firstViolation)
                guard let recording = played.recording, !played.isInterrupted else { return .success(nil) }
                let own = Set(sound.violations.map(\.cause.judge))
                let violation = played.violations.first { !own.contains($0.cause.judge) }
                var difference: BehaviourDifference?
                let isReached = recording.events != sound.recording?.events
                if violation == nil, isReached, tally.first == nil {
                    difference = try await comparison.differences(of: Behaviour(recording), from: others.behaviour)?
                        .first
                }
                return .success(
                    Trial(violation: violation, difference: difference, isReached: isReached, spent: played.spent)
                )
            } catch {
                return .failure(error)
            }
        }
        for (index, outcome) in zip(places, outcomes) {
            guard let trial = try outcome.get() else { return }
            result.played += 1
            result.spent = result.spent + trial.spent
            result.tallies[index].take(trial, run: run)
        }
        result.runs = run
    }

    fileprivate struct Trial: Sendable {
        var violation: Violation?
        var difference: BehaviourDifference?
        var isReached: Bool
        var spent: TimeSpan
    }
}

extension BenchResult.Tally {
    fileprivate mutating func take(_ trial: ExploreBench.Trial, run: Int) {
        spent = spent + trial.spent
        if trial.isReached, reached == nil { reached = run }
        if let judge = trial.violation?.cause.judge {
            let find = BenchResult.Find(run: run, spent: spent, judge: judge)
            if judge == "invariant \(InvariantName.convergence.rawValue)" {
                byConvergence = byConvergence ?? find
            } else {
                byInvariant = find
            }
        }
        if byComparison == nil, let difference = trial.difference {
            let judge = "\(difference.kind.rawValue) \(difference.name.name)"
            byComparison = BenchResult.Find(run: run, spent: spent, judge: judge)
        }
    }
}

/// The behaviours of the client without defects in one scenario under different seeds. Each run is executed only once,
/// when its behaviour is first requested.
private actor OtherRuns {
    private let comparison: ClientComparison
    private let scenario: Scenario
    private let seed: Seed
    private var behaviours: [Int: Task<(Behaviour?, TimeSpan), any Error>] = [:]

    init(_ comparison: ClientComparison, _ scenario: Scenario, _ seed: Seed) {
        (self.comparison, self.scenario, self.seed) = (comparison, scenario, seed)
    }

    /// Returns the behaviour in the run with a given number; nil if the run cannot serve as a reference for a
    /// comparison.
    func behaviour(_ number: Int) async throws -> Behaviour? {
        let (comparison, scenario, seed) = (comparison, scenario, seed)
        let task =
            behaviours[number]
            ?? Task {
                let played = try await comparison.played(in: scenario, seed: seed, number: number)
                return (comparison.behaviour(of: played), played.spent)
            }
        behaviours[number] = task
        return try await task.value.0
    }

    /// The number of runs that were executed, and their total processor time.
    var played: (count: Int, spent: TimeSpan) {
        get async {
            var spent = TimeSpan.zero
            for task in behaviours.values { spent = spent + ((try? await task.value.1) ?? .zero) }
            return (behaviours.count, spent)
        }
    }
}
