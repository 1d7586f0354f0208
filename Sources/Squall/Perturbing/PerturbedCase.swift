import Exploration
import ScenarioLanguage
import ScenarioModel
import Simulation
import SquallCore
import TemporalLogic
import Trace

/// A case from a scenario file. It is run once unperturbed, and then with perturbations (additional faults or actions).
struct PerturbedCase: Sendable {
    /// A perturbed run that failed.
    struct Failure: Sendable {
        var cause: PerturbedCause
        var why: String
        var evidence: [String]
        var draft: Draft
        var place: BaselineRun.Place
        /// The number of the case's perturbed runs that failed with `cause`.
        var count = 1
    }

    struct Outcome: Sendable {
        var runs = 0
        /// The first failure for each cause, in run order.
        var failures: [Failure] = []
        /// The reason why the case was not perturbed; nil if it was perturbed.
        var skipped: String?
        var isInterrupted = false
    }

    let scenario: Scenario
    let options: PerturbOptions
    /// The number of runs to sample at random; nil to execute all.
    let quota: Int?

    var title: String { scenario.variant.map { "\(scenario.file) (\($0))" } ?? scenario.file }

    private struct Run {
        var place: BaselineRun.Place
        var kind: PerturbationKind
    }

    /// The outcome of the case's run without perturbations.
    enum Undisturbed: Sendable {
        case played(BaselineRun, Scenario)
        /// The case is not perturbed, for the given reason.
        case skipped(String)
        case interrupted
    }

    func play() throws -> Outcome {
        var outcome = Outcome()
        let player = try Self.player(for: scenario.file, options)
        switch try undisturbed(player) {
        case .skipped(let why): outcome.skipped = why
        case .interrupted: outcome.isInterrupted = true
        case .played(let baseline, let scenario):
            for run in runs(of: baseline) where !outcome.isInterrupted {
                try play(run, of: baseline, scenario, player, &outcome)
            }
        }
        return outcome
    }

    func undisturbed(_ player: TrialPlayer) throws -> Undisturbed {
        guard scenario.allows(.sim) else { return .skipped("it is not played in virtual time") }
        guard RunPlan(scenario).upstream == nil else { return .skipped("its server is not Squall's own") }
        let source = try ScenarioFiles.read(scenario.file)
        guard let read = ScenarioReader.draft(source, variant: scenario.variant) else {
            return .skipped("it cannot be split into its steps")
        }
        let draft = BaselineRun.draft(of: read)
        guard let same = player.read(draft), let script = BaselineRun.script(draft, same) else {
            return .skipped("its steps cannot be written again")
        }
        let (result, judged) = try play(script, player, goesOn: false)
        if result.recording.ending.isInterrupted { return .interrupted }
        if let broken = judged.violations.first {
            return .skipped("without a perturbation, \(broken.cause.judge): \(broken.why)")
        }
        guard let baseline = BaselineRun(draft, script, result) else {
            return .skipped("not all of its steps are played")
        }
        return .played(baseline, script.scenario)
    }

    /// Returns a player for drafts (editable scenarios) that were read from a file.
    static func player(for file: String, _ options: PerturbOptions) throws -> TrialPlayer {
        var explored = ExploreOptions()
        (explored.seed, explored.defects) = (options.seed, options.defects)
        let profiles = try Profiles.all(with: try Profiles.named(ProfileReader.names))
        return TrialPlayer(options: explored, profiles: profiles, file: file)
    }

    private func runs(of baseline: BaselineRun) -> [Run] {
        let all = baseline.places.flatMap { place in options.kinds.map { Run(place: place, kind: $0) } }
        guard let quota else { return all }
        // The file's path depends on where the suite is stored, so the random stream is derived only from the names of
        // the scenario and its variant.
        var generator = options.seed.stream("perturbations of \(scenario.name) \(scenario.variant ?? "")")
        let drawn = all.indices.shuffled(using: &generator).prefix(quota).sorted()
        return drawn.map { all[$0] }
    }

    private func play(
        _ run: Run,
        of baseline: BaselineRun,
        _ undisturbed: Scenario,
        _ player: TrialPlayer,
        _ outcome: inout Outcome
    ) throws {
        guard let added = run.kind.moves(run.place.device, undisturbed) else { return }
        guard let perturbed = baseline.perturbed(at: run.place, by: added) else {
            throw SquallError.failed("\(title) cannot be perturbed by \(run.kind.rawValue) \(run.place)")
        }
        let (result, judged) = try play(perturbed, player, goesOn: true)
        if result.recording.ending.isInterrupted {
            outcome.isInterrupted = true
            return
        }
        outcome.runs += 1
        func note(_ judge: String, _ what: String, _ why: String, _ evidence: [String], _ expectation: String?) {
            let cause = PerturbedCause(kind: run.kind, judge: judge, what: what)
            if let known = outcome.failures.firstIndex(where: { $0.cause == cause }) {
                outcome.failures[known].count += 1
                return
            }
            var draft = baseline.draft(of: perturbed, at: run.place, result)
            draft.expectations = expectation.map { [$0] } ?? []
            let failure = Failure(cause: cause, why: why, evidence: evidence, draft: draft, place: run.place)
            outcome.failures.append(failure)
        }
        for violation in judged.violations {
            note(violation.cause.judge, violation.cause.sentence, violation.why, violation.story, nil)
        }
        // If an invariant is violated, the final state differs for the same reason, so it is not compared.
        guard judged.violations.isEmpty else { return }
        var noted: Set<String> = []
        for difference in baseline.differences(of: result.recording, after: run.kind, at: run.place)
        where noted.insert(difference.name.name).inserted {
            note(PerturbedCause.end, difference.name.name, "\(difference)", [], difference.expectation)
        }
    }

    private func play(_ script: PlayableScript, _ player: TrialPlayer, goesOn: Bool) throws -> (RunResult, CaseResult) {
        var plan = try Suite.plan(script.scenario, player.options.suite, seed: options.seed)
        plan.continuesAfterWaitTimeout = goesOn
        let result = SimulatedWorld.play(plan) { Task.isCancelled }
        return (result, CaseResult(result, of: plan, world: .sim, wall: .zero))
    }
}

extension EndDifference {
    /// An expectation, in YAML, that requires the final value to be consistent with the unperturbed run.
    fileprivate var expectation: String {
        func text(_ json: JSON) -> String { String(decoding: json.encode(), as: UTF8.self) }
        // `count` is used because `eventually` without a bound would end 30 s after the start, and the event may occur
        // later.
        guard let expected else { return "count: { of: \(text(.string("\(name)"))), at_least: 1 }" }
        // The items may be IDs of unlabelled messages, and a scenario cannot refer to those.
        if rule == .some, expected.arrayValue != nil {
            return "eventually: { \(text(.string("\(name)"))): { length: { at_least: 1 } }, at: end }"
        }
        let isDuration = Registry.entry(named: name.name)?.value == .duration
        let value = isDuration ? expected.intValue.map { "\(TimeSpan(nanoseconds: $0))" } : nil
        return "eventually: { \(text(.string("\(name)"))): \(value ?? text(expected)), at: end }"
    }
}
