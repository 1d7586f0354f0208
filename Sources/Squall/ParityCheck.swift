import ScenarioModel
import Simulation
import SquallCore
import TemporalLogic
import Trace

/// Whether two worlds showed the same of one case; where they did not, whether another schedule explains it.
///
/// Each observable is compared by itself. What differs in a run of one client must be explained by one schedule: an answer
/// that was lost is in none of them neither given nor missed. Where several clients race each other no few schedules hit all
/// their orders at once, and each observable may have one of its own.
enum ParityCheck {
    /// How many other schedules of each shape are asked what a live run may show.
    private static let shiftedRuns: UInt64 = 32

    /// What makes a run inconclusive from outside: it was stopped, the machine was too busy, somebody else's server is not there.
    private static let outside: Set = ["run", "lateness", "upstream"]

    /// Nil where one of the runs is missing, was skipped, or is inconclusive for a reason from outside: then there is nothing
    /// to compare.
    ///
    /// A run that is inconclusive for a reason of its own is compared: a fault that met nothing in one world is to meet
    /// nothing in the other.
    static func verdict(on runs: [CaseResult], of plan: RunPlan) -> ParityVerdict? {
        guard let sim = runs.first(where: { $0.world == .sim }), let live = runs.first(where: { $0.world == .live }),
            sim.verdict != .skipped, live.verdict != .skipped, !live.recording.events.isEmpty,
            !(sim.expectations + live.expectations).contains(where: {
                $0.verdict == .inconclusive && outside.contains($0.word)
            })
        else { return nil }
        let shown = ParityProjection(of: live.recording, rule: Registry.parity)
        var open = differences(sim, live, shown)
        guard !open.isEmpty else { return .equal }
        let text = description(of: open, sim, live, shown)
        // What live is forgiven by its tolerance, the schedules that are to explain it are forgiven too.
        var plan = plan
        plan.tolerance = live.tolerance
        let isAlone = plan.scenario.clients.count == 1
        let schedules = ScheduleShifts.Shape.allCases.flatMap { shape in (0..<shiftedRuns).map { (shape, $0) } }
        for (shape, number) in schedules {
            let shifts = ScheduleShifts(
                seed: Seed(plan.seed.value &+ number),
                tolerance: Tolerance.live.fixed,
                shape: shape
            )
            let shifted = CaseResult(SimulatedWorld.play(plan, shifts: shifts), of: plan, world: .sim, wall: .zero)
            let remaining = differences(shifted, live, shown)
            if isAlone {
                let unexplained = Set(remaining.map(\.part))
                open = open.filter { unexplained.contains($0.part) }
            } else {
                open = open.filter(remaining.contains)
            }
            if open.isEmpty { return .scheduleDependent(text) }
        }
        return .differs(description(of: open, sim, live, shown))
    }

    /// One thing that two runs show differently.
    private enum Difference: Hashable {
        case shown(ObservedName)
        case judged(Part)

        /// What has to be explained together: all that is shown.
        var part: Part? {
            switch self {
            case .shown: nil
            case .judged(let part): part
            }
        }
    }

    /// What a run was judged by: an expectation, the script, a fault that met nothing, an invariant that was broken.
    private struct Part: Hashable {
        var location: SourceLocation
        var word: String
        /// Of several of this word at one place, which; from 0.
        var number: Int
    }

    /// What each part of a run came to; one that a run does not name has nothing to say.
    private static func verdicts(_ run: CaseResult) -> [(part: Part, verdict: CaseVerdict)] {
        var known: [Part: Int] = [:]
        return run.expectations.map { result in
            var part = Part(location: result.location, word: result.word, number: 0)
            let number = known[part, default: 0]
            known[part] = number + 1
            part.number = number
            return (part, result.verdict)
        }
    }

    private static func differences(_ sim: CaseResult, _ live: CaseResult, _ shown: ParityProjection) -> [Difference] {
        let names = ParityProjection(of: sim.recording, rule: Registry.parity).differing(
            from: shown,
            ends: (sim.recording.end, live.recording.end),
            grace: live.tolerance.fixed
        )
        let (mine, theirs) = (verdicts(sim), verdicts(live))
        let known = Dictionary(uniqueKeysWithValues: mine)
        let shared = Set(theirs.filter { $0.verdict == known[$0.part] }.map(\.part))
        var judged: [Part] = []
        for part in (mine + theirs).map(\.part) where !shared.contains(part) && !judged.contains(part) {
            judged.append(part)
        }
        return names.map(Difference.shown) + judged.map(Difference.judged)
    }

    private static func description(
        of differences: [Difference],
        _ sim: CaseResult,
        _ live: CaseResult,
        _ shown: ParityProjection
    ) -> String {
        let names = differences.compactMap { if case .shown(let name) = $0 { name } else { nil } }
        let left = ParityProjection(of: sim.recording, rule: Registry.parity)
        if let first = left.firstDifference(from: shown, sim.recording, live.recording, among: names) {
            return "\(first)"
        }
        guard case .judged(let part)? = differences.first else { return "the two do not show the same" }
        func word(_ run: CaseResult) -> String {
            verdicts(run).first { $0.part == part }?.verdict.rawValue ?? "not an issue"
        }
        return "\(part.location) \(part.word) is \(word(sim)) in sim and \(word(live)) in live"
    }
}
