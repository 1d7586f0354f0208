import Exploration
import ScenarioLanguage
import ScenarioModel
import Simulation
import SquallCore
import TemporalLogic
import Trace

/// Runs drafts (generated scenarios) and returns their violations.
struct TrialPlayer: Sendable {
    let options: ExploreOptions
    let profiles: [String: Profile]
    /// The assumed path of a draft's scenario file; paths in the draft are relative to that file's folder.
    var file = "draft.yaml"

    /// The result of one run.
    struct Played: Sendable {
        var violations: [Violation]
        var features: Set<Feature>
        /// The time at which the run ended, on the run's clock.
        var end: Instant
        var isInterrupted = false
        /// The recording of the run; nil if the case was not executed.
        var recording: Recording?
        /// The processor time of the run if it was executed in virtual time; otherwise zero.
        var spent = TimeSpan.zero

        /// The violations that become findings. Of several differences between two clients, only the first is included,
        /// because further differences usually result from the first.
        var leading: [Violation] {
            let first = violations.firstIndex { $0.cause.judge == Cause.against }
            return violations.enumerated().filter { $1.cause.judge != Cause.against || $0 == first }.map(\.element)
        }
    }

    /// How far a run is executed: up to its first violation, or to its end.
    enum Extent {
        case firstViolation, whole
    }

    // MARK: - Running

    /// Runs a scenario with the client and, if there is one, with the other client, and compares them.
    ///
    /// Violations that also occur without the planted defects are ignored.
    func play(_ scenario: Scenario, seed: Seed, _ extent: Extent) async throws -> Played {
        var played = try await playOnce(scenario, options.suite, seed: seed, extent)
        if played.violations.isEmpty, let recording = played.recording, !played.isInterrupted {
            let differences = try await comparison?.differences(of: recording, in: scenario, seed: seed) ?? []
            played.violations = differences.map { Violation($0, at: recording.end) }
            return played
        }
        guard !options.defects.isEmpty, !played.violations.isEmpty else { return played }
        var suite = options.suite
        suite.defects = []
        let sound = try await playOnce(scenario, suite, seed: seed, .whole)
        let own = Set(sound.violations.map(\.cause.judge))
        played.violations.removeAll { own.contains($0.cause.judge) }
        return played
    }

    /// The comparison with the other client; nil if there is none.
    var comparison: ClientComparison? {
        options.comparedClient.map { ClientComparison(player: self, comparedClient: $0) }
    }

    /// Runs a scenario once with the client and defects from `suite`, either to its end or up to the first violation.
    func playOnce(_ scenario: Scenario, _ suite: SuiteOptions, seed: Seed, _ extent: Extent) async throws -> Played {
        var single = suite
        single.seed = seed
        guard suite.client == .reference, !options.isInBothWorlds else {
            let suite = try await Suite.play([scenario], single)
            guard let report = suite.cases.first, let run = report.runs.first(where: \.wasPlayed), !suite.interrupted
            else { return Played(violations: [], features: [], end: .zero, isInterrupted: suite.interrupted) }
            var played = Self.played(run)
            if case .differs(let why)? = report.parity { played.violations.append(run.violation(byParity: why)) }
            return played
        }
        var plan = try Suite.plan(scenario, single, seed: seed)
        plan.endsAtViolation = extent == .firstViolation
        let (result, spent) = ThreadTime.measure { SimulatedWorld.play(plan) { Task.isCancelled } }
        var played = Self.played(CaseResult(result, of: plan, world: .sim, wall: .zero))
        played.spent = spent
        return played
    }

    /// Runs a scenario to its end in virtual time, with the defects given in the options.
    func play(again scenario: Scenario, seed: Seed) throws -> Played {
        let plan = try Suite.plan(scenario, options.suite, seed: seed)
        let result = SimulatedWorld.play(plan) { Task.isCancelled }
        return Self.played(CaseResult(result, of: plan, world: .sim, wall: .zero))
    }

    private static func played(_ run: CaseResult) -> Played {
        Played(
            violations: run.violations,
            features: Feature.all(in: run.recording),
            end: run.recording.end,
            isInterrupted: run.recording.ending.isInterrupted,
            recording: run.recording
        )
    }

    // MARK: - Drafts as files

    /// Returns the text of a draft's scenario file, which begins with the name and the comments in `head`.
    func text(of draft: Draft, _ head: ScenarioWriter.Head) -> String {
        ScenarioWriter.text(of: draft, profiles[draft.profile] ?? Profile(), head)
    }

    /// Returns the scenario that a draft's file describes; nil if the file would be rejected.
    func read(_ draft: Draft) -> Scenario? {
        let source = SourceText(file: file, text: text(of: draft, ScenarioWriter.Head(name: "draft")))
        return (try? Suite.load(source))?.first
    }
}
