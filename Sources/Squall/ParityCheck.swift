import ScenarioModel
import Simulation
import SquallCore
import TemporalLogic
import Trace

/// Determines whether a case behaved the same in the two worlds (simulated and live) and, if not, whether a different
/// schedule of the simulation explains the difference.
///
/// Each observable is compared separately. In a run with one client, a single schedule must explain the differences in
/// all observables, because a live run is possible only if one schedule produces it as a whole. If several clients run
/// concurrently, a few schedules cannot reproduce all orders at once, so each observable may be explained by a
/// different schedule.
enum ParityCheck {
    /// The number of schedules that are tried for each way of shifting the delays.
    private static let shiftedRuns: UInt64 = 32
    /// The number of additional schedules, with slightly shifted delays, that are tried before a difference is
    /// reported. Some event orders occur in few schedules, such as a fault that begins within a millisecond after bytes
    /// have passed.
    private static let furtherRuns: UInt64 = 256

    /// The keywords for inconclusive results with external causes: the run was stopped, the machine was too busy, or
    /// the upstream server was unreachable.
    private static let outside: Set = ["run", "lateness", "upstream"]

    /// Compares a case's simulated and live runs.
    ///
    /// Returns nil if there is nothing to compare: a run is missing, was skipped, or is inconclusive for an external
    /// reason. All other inconclusive runs are compared: for example, a fault without effect in one world must have no
    /// effect in the other.
    static func verdict(on runs: [CaseResult], of plan: RunPlan) -> WorldComparison? {
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
        // The live run's tolerance also applies to the shifted schedules, so that all runs are evaluated in the same
        // way.
        var plan = plan
        plan.tolerance = live.tolerance
        let isAlone = plan.scenario.clients.count == 1
        let schedules =
            ScheduleShifts.Shape.allCases.flatMap { shape in (0..<shiftedRuns).map { (shape, $0) } }
            + (shiftedRuns..<shiftedRuns + furtherRuns).map { (.slight, $0) }
        for (shape, number) in schedules {
            // An interrupted suite must not wait for hundreds of schedules to run; without a verdict, nothing is
            // reported.
            if Task.isCancelled { return nil }
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

    /// A difference between two runs in the values of an observable, or in the verdict on a part of the result.
    private enum Difference: Hashable {
        case shown(ObservedName)
        case judged(Part)

        /// The part of the result whose verdict differs; nil for an observable.
        ///
        /// Each part may be explained by a different schedule, but a single schedule must explain the differences in
        /// all observables.
        var part: Part? {
            switch self {
            case .shown: nil
            case .judged(let part): part
            }
        }
    }

    /// A part of a run's result: an expectation, the script, a fault without effect, or a violated invariant.
    private struct Part: Hashable {
        var location: SourceLocation
        var word: String
        /// The index, from 0, of this part among the parts with the same keyword and location.
        var number: Int
    }

    /// Returns the verdict on each part of a run.
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
            return first.text(left: sim.world.rawValue, right: live.world.rawValue)
        }
        guard case .judged(let part)? = differences.first else { return "the observables of the two runs differ" }
        func word(_ run: CaseResult) -> String {
            verdicts(run).first { $0.part == part }?.verdict.rawValue ?? "not reported"
        }
        return "\(part.location) \(part.word) is \(word(sim)) in sim and \(word(live)) in live"
    }
}
