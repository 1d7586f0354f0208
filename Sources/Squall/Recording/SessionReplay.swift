import Exploration
import ScenarioLanguage
import ScenarioModel
import Simulation
import SquallCore
import TemporalLogic
import Trace

/// Plays drafts of a recorded session in virtual time, each in the same way as its file.
struct SessionReplay: Sendable {
    /// The file that the drafts are for; paths in them are relative to its folder.
    let file: String
    let seed: Seed

    /// A draft that was played.
    struct Played: Sendable {
        var plan: RunPlan
        var run: RunResult
        var result: CaseResult

        /// The numbers of the draft's moves by the lines of their steps.
        private var lines: [Int] { Set(plan.scenario.script.map(\.location.line)).sorted() }

        /// The move that a step at this place was written for.
        func move(at location: SourceLocation) -> Int? { lines.firstIndex(of: location.line) }

        /// The move whose wait was not met; nil if the script finished.
        var stuckMove: Int? {
            guard case .stuck(let location, _, _) = run.recording.ending.script else { return nil }
            return move(at: location)
        }

        /// The verdicts on the expectations, in the order of the file.
        var verdicts: [CaseVerdict] { run.judgements.prefix(plan.scenario.expectations.count).map(\.verdict) }

        /// The problems besides the expectations: the end of the run, a step without effect, a broken invariant.
        var flaw: String? {
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

    /// Reads a draft in the same way as its file will be read.
    ///
    /// - Throws: ``SquallError`` with the mistakes.
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
