import Foundations
import ScenarioModel
import Simulation
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

    /// Nil where one of the runs is missing, inconclusive or skipped: then there is nothing to compare.
    static func verdict(on runs: [CaseResult], of plan: RunPlan) -> ParityVerdict? {
        guard let sim = runs.first(where: { $0.world == .sim }), let live = runs.first(where: { $0.world == .live }),
            sim.verdict != .inconclusive, live.verdict != .inconclusive,
            sim.verdict != .skipped, !live.recording.events.isEmpty
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
        /// The place of an expectation.
        case judged(Int)

        /// What has to be explained together: all that is shown.
        var part: Int? {
            switch self {
            case .shown: nil
            case .judged(let place): place
            }
        }
    }

    private static func differences(_ sim: CaseResult, _ live: CaseResult, _ shown: ParityProjection) -> [Difference] {
        let names = ParityProjection(of: sim.recording, rule: Registry.parity).differing(
            from: shown,
            ends: (sim.recording.end, live.recording.end),
            grace: live.tolerance.fixed
        )
        let judged = zip(sim.expectations, live.expectations).enumerated()
            .filter { $0.element.0.verdict != $0.element.1.verdict }
        return names.map(Difference.shown) + judged.map { .judged($0.offset) }
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
        guard case .judged(let place)? = differences.first else { return "the two do not show the same" }
        let (mine, theirs) = (sim.expectations[place], live.expectations[place])
        return "\(mine.location) \(mine.word) is \(mine.verdict.rawValue) in sim and \(theirs.verdict.rawValue) in live"
    }
}
