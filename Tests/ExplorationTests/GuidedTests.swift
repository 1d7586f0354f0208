import Foundation
import ScenarioLanguage
import ScenarioModel
import SquallCore
import Testing

@testable import Exploration
@testable import Squall

@Suite("Exploration that begins with given scenarios")
struct GuidedTests {
    private static func draft(steps: Int) -> Draft {
        var draft = Draft()
        draft.body = (0..<steps).map { _ in .rest(.seconds(1)) }
        return draft
    }

    private static func entry(steps: Int) -> Corpus.Entry {
        Corpus.Entry(draft(steps: steps))
    }

    private static func features(_ names: String...) -> Set<Feature> {
        Set(names.map { Feature(state: "", event: $0) })
    }

    // MARK: - Corpus

    @Test("the corpus keeps the smallest draft for each feature, and drops drafts that no feature needs")
    func smallest() {
        var corpus = Corpus()
        func inserts(_ steps: Int, _ shown: Set<Feature>) -> Bool {
            corpus.insert(Self.entry(steps: steps), showing: shown)
        }
        #expect(inserts(5, Self.features("a", "b")))
        #expect(inserts(3, Self.features("a")))
        #expect(corpus.entries.map(\.draft.size) == [5, 3])
        #expect(!inserts(4, Self.features("a")))
        #expect(!inserts(3, Self.features("a")))
        #expect(inserts(2, Self.features("b")))
        #expect(corpus.entries.map(\.draft.size) == [3, 2])
        #expect(corpus.owned.map { $0.features.map(\.event) } == [["a"], ["b"]])
    }

    // MARK: - Drafts

    /// Returns the suite's scenarios at `paths` as corpus entries.
    private static func starts(_ paths: [String]) async throws -> [Corpus.Entry] {
        var options = ExploreOptions()
        options.starts = paths.map { "Scenarios/\($0)" }
        let profiles = try Profiles.all(with: try Profiles.named(ProfileReader.names))
        let folder = CorpusFolder(options: options, player: TrialPlayer(options: options, profiles: profiles))
        return try await folder.read { _, _ in }.map(\.entry)
    }

    private static func guided(_ entries: [Corpus.Entry], ties: Bool = true) throws -> GuidedGenerator {
        var corpus = Corpus()
        for (number, entry) in entries.enumerated() { corpus.insert(entry, showing: features("\(number)")) }
        let named = try Profiles.named(["default"])
        let profiles = try Profiles.all(with: try Profiles.named(ProfileReader.names))
        let generator = Generator(seed: Seed(5), profiles: named, drawsTies: ties)
        return GuidedGenerator(generator, seed: Seed(5), profiles: profiles, drawsTies: ties, corpus: corpus)
    }

    @Test("a run's draft depends only on the seed, its number and the corpus, and its file is a valid scenario")
    func variations() async throws {
        let entries = try await Self.starts(["sending", "wire", "many"])
        #expect(entries.count > 70)
        let (first, second) = (try Self.guided(entries), try Self.guided(entries))
        var varied = 0
        for run in 1...400 {
            let trial = first.trial(run)
            #expect(trial == second.trial(run))
            #expect(trial.draft.scenario(trial.profile) != nil)
            let head = ScenarioWriter.Head(name: "draft")
            let text = ScenarioWriter.text(of: trial.draft, trial.profile, head)
            if case .failure(let mistakes) = ScenarioReader.read(SourceText(file: "draft.yaml", text: text)) {
                Issue.record("run \(run): \(mistakes)\n\(text)")
            }
            if trial.draft.opening.isEmpty { varied += 1 }
        }
        #expect((150...250).contains(varied))
    }

    @Test("in drafts for both worlds, no two actions have the same time")
    func withoutTies() async throws {
        let guided = try Self.guided(try await Self.starts(["sending"]), ties: false)
        for run in 1...200 {
            let moves = guided.trial(run).draft.body.drop { Situation.preparations.contains($0.name ?? "") }
            let tie = zip(moves, moves.dropFirst()).first { $0.name != nil && $1.name != nil }
            #expect(tie == nil, "run \(run)")
        }
    }

    @Test("a scenario's entry performs its actions at the times at which the scenario has performed them")
    func times() async throws {
        let entry = try #require(try await Self.starts(["sending/dropped-between-send-and-confirm.yaml"]).first)
        let draft = entry.draft
        #expect(draft.skeleton == ["user.open", "server.swallow", "user.send", "network.drop"])
        let named = try Profiles.named([draft.profile])
        let scenario = try #require(named.first.flatMap { draft.scenario($0.profile) })
        #expect(scenario.expectations.isEmpty)
        #expect(entry.instants.count > 3)
        #expect(entry.instants == entry.instants.sorted())
    }

    @Test("a pause is split at the time of an insertion, and the length of the draft stays the same")
    func split() {
        for time in [0, 1, 1_500, 2_000, 7_000] as [Int64] {
            var draft = Self.draft(steps: 3)
            let index = draft.splitBody(at: .zero + .milliseconds(time))
            let before = draft.body[..<index].reduce(TimeSpan.zero) { $0 + ($1.rest ?? .zero) }
            let whole = draft.body.reduce(TimeSpan.zero) { $0 + ($1.rest ?? .zero) }
            #expect(before == .milliseconds(time))
            #expect(whole == .milliseconds(max(time, 3_000)))
        }
    }

    // MARK: - Sweep

    @Test("a sweep plays each fault at each event once before it plays two faults in one run")
    func sweep() async throws {
        let entries = try await Self.starts([
            "sending/dropped-between-send-and-confirm.yaml", "sending/killed-between-send-and-confirm.yaml",
        ])
        let profiles = try Profiles.all(with: try Profiles.named(ProfileReader.names))
        let sweep = FaultSweep(entries, seed: Seed(3), profiles: profiles)
        let places = entries.reduce(0) { $0 + $1.instants.count }
        #expect(sweep.singles == places * Disturbance.all.count)
        #expect(Set((1...sweep.singles).map(sweep.disturbance)) == Set(0..<sweep.singles))
        let sizes = entries.map { $0.draft.moves.count { $0.name != nil } }
        for run in [1, 2, 3, sweep.singles] {
            let added = sweep.trial(run).draft.moves.count { $0.name != nil }
            // The sweep omits a fault that is impossible at the chosen position, so a draft may contain no additional
            // fault.
            #expect(sizes.contains(added) || sizes.contains(added - 1))
        }
        let pairs = (1...40).map { sweep.trial(sweep.singles + $0).draft.moves.count { $0.name != nil } }
        #expect(pairs.contains { count in sizes.contains(count - 2) })
    }

    // MARK: - Explorations

    private static func options(jobs: Int, corpus: String) -> ExploreOptions {
        var options = ExploreOptions()
        options.starts = ["Scenarios/sending"]
        (options.limit, options.jobs, options.corpus) = (.runs(GuidedGenerator.generation + 60), jobs, corpus)
        return options
    }

    private static func texts(_ folder: String) throws -> [String: String] {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
        return try Dictionary(
            uniqueKeysWithValues: names.map { ($0, try String(contentsOfFile: "\(folder)/\($0)", encoding: .utf8)) }
        )
    }

    @Test("the corpus does not depend on the number of parallel runs, and no file of it fails")
    func corpusFiles() async throws {
        let folder = NSTemporaryDirectory() + "corpus-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let (first, second) = ("\(folder)/one", "\(folder)/three")
        let result = try await Explorer(Self.options(jobs: 1, corpus: first)).explore()
        #expect(result.found.isEmpty, "\(result.found.map(\.title))")
        _ = try await Explorer(Self.options(jobs: 3, corpus: second)).explore()
        let texts = try Self.texts(first)
        #expect(texts.count > 50)
        #expect(texts == (try Self.texts(second)))
        let kept = try Suite.load(SuiteSelection(paths: [first]))
        var suite = SuiteOptions()
        suite.worlds = [.sim]
        let runs = try await Suite.play(Array(kept.prefix(40)), suite).runs
        #expect(runs.count == 40)
        // A run whose fault had no effect is inconclusive, which is allowed here.
        #expect(runs.allSatisfy { $0.verdict != .fail })
    }

    @Test("a corpus that is read again begins with the features that it has shown")
    func readAgain() async throws {
        let folder = NSTemporaryDirectory() + "corpus-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        var options = Self.options(jobs: 2, corpus: folder)
        options.limit = .runs(32)
        let first = try await Explorer(options).explore()
        options.starts = []
        options.limit = .runs(1)
        let second = try await Explorer(options).explore()
        // The feature counts may differ slightly, because some features occur only with the seed of their original run.
        #expect(Double(second.features) > 0.95 * Double(first.features))
    }

    @Test("a sweep that is interrupted before its first run ends without a finding")
    func interrupted() async throws {
        var options = ExploreOptions()
        options.starts = ["Scenarios/sending"]
        (options.isSweep, options.limit) = (true, .runs(100))
        let chosen = options
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            return try await Explorer(chosen).explore()
        }
        task.cancel()
        let result = try await task.value
        #expect(result.isInterrupted)
        #expect(result.runs == 0)
    }

    @Test("a file that no draft can express is refused as the only start")
    func nothingToVary() async throws {
        var options = ExploreOptions()
        options.starts = ["Scenarios/many/crowd-dropped-together.yaml"]
        options.limit = .runs(1)
        await #expect(throws: SquallError.self) { try await Explorer(options).explore() }
    }
}
