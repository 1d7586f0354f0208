import Exploration
import ScenarioLanguage
import ScenarioModel
import Simulation
import SquallCore
import TemporalLogic
import Trace

/// Runs a recorded session's draft scenarios in virtual time, exactly as their scenario files would be run.
struct SessionReplay: Sendable {
    /// The path of the file for which the drafts are generated; paths in the drafts are relative to its folder.
    let file: String
    let seed: Seed

    /// A draft that was run.
    struct Played: Sendable {
        var plan: RunPlan
        var run: RunResult
        var result: CaseResult

        /// The line numbers of the steps, in ascending order. A line's index in this array is the index of its step in
        /// the draft.
        private var lines: [Int] { Set(plan.scenario.script.map(\.location.line)).sorted() }

        /// Returns the index of the draft's step at this location; nil if there is no step.
        func move(at location: SourceLocation) -> Int? { lines.firstIndex(of: location.line) }

        /// The index of the step whose wait timed out; nil if no wait timed out.
        var blockedMove: Int? {
            guard case .stuck(let location, _, _) = run.recording.ending.script else { return nil }
            return move(at: location)
        }

        /// The verdicts on the expectations, in file order.
        var verdicts: [CaseVerdict] { run.judgements.prefix(plan.scenario.expectations.count).map(\.verdict) }

        /// The first problem other than a failed expectation: an early end of the run, a step without effect, or a
        /// violated invariant.
        var failure: String? {
            let others = result.expectations.filter { part in
                part.verdict == .fail || part.verdict == .inconclusive
            }
            .filter { part in !plan.scenario.expectations.contains { $0.location == part.location } }
            return others.first.map { "\($0.heading): \($0.why ?? "")" }
        }
    }

    func text(of draft: Draft, _ head: ScenarioWriter.Head = .init(name: "recorded")) -> String {
        ScenarioWriter.text(of: draft, Profile(), head)
    }

    /// Returns the scenario that a draft's file describes.
    ///
    /// - Throws: ``SquallError`` with the errors in the file.
    func read(_ draft: Draft) throws(SquallError) -> Scenario {
        guard let scenario = try Suite.load(SourceText(file: file, text: text(of: draft))).first else {
            throw .failed("the recorded scenario has no case")
        }
        return scenario
    }

    func play(_ draft: Draft) throws(SquallError) -> Played {
        let plan = RunPlan(try read(draft), seed: seed)
        let run = SimulatedWorld.play(plan) { Task.isCancelled }
        return Played(plan: plan, run: run, result: CaseResult(run, of: plan, world: .sim, wall: .zero))
    }
}
