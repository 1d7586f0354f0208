import ScenarioModel
import Simulation
import SquallCore
import TemporalLogic
import Trace

/// Looks for a schedule within the live tolerance under which a case's verdict is another, and for the two events whose order
/// the verdict hangs on.
struct RaceSearch {
    /// How many other schedules a case is played under.
    private static let shiftedRuns: UInt64 = 32
    /// More late things than a reader would follow: a verdict that needs them all hangs on no two events.
    private static let mostDraws = 16

    private let plan: RunPlan
    private let ideal: CaseResult

    init(_ plan: RunPlan, ideal: CaseResult) {
        var plan = plan
        plan.tolerance = .live
        self.plan = plan
        self.ideal = ideal
    }

    /// The first schedule that changes the verdict; nil where none does.
    func race() -> Race? {
        for number in 0..<Self.shiftedRuns {
            let schedule = ScheduleShifts(seed: Seed(plan.seed.value &+ number), tolerance: Tolerance.live.fixed)
            guard let shifted = changed(schedule) else { continue }
            let cause = shifted.cause.map { "\($0.location): \($0.why ?? $0.word)" } ?? ""
            let runs = closest(in: schedule)
            let order =
                runs.map(Self.parting)
                ?? "It hangs on no single order: more than \(Self.mostDraws) deliveries and timers have to be late for it"
            return Race(
                text:
                    "\(plan.scenario.file): racy: \(shifted.title) is \(shifted.verdict.rawValue) when deliveries and "
                    + "timers shift within \(Tolerance.live.fixed) (schedule \(number)): \(cause). \(order)",
                folder: RunFolder.name(of: shifted),
                runs: runs ?? (ideal.recording, shifted.recording)
            )
        }
        return nil
    }

    /// The run under a schedule, where its verdict is not the ideal run's.
    private func changed(_ schedule: ScheduleShifts) -> CaseResult? {
        let run = played(schedule)
        return run.verdict == ideal.verdict ? nil : run
    }

    private func played(_ schedule: ScheduleShifts) -> CaseResult {
        CaseResult(SimulatedWorld.play(plan, shifts: schedule), of: plan, world: .sim, wall: .zero)
    }

    // MARK: - From a schedule to two runs that part in one order

    /// Two runs that are the same but for one thing, which comes so late in the second as to change the verdict, and a nanosecond
    /// earlier in the first; nil where too much is late at once.
    ///
    /// What is late is left out as long as the verdict is still another: the draw that ends the shortest beginning of the schedule
    /// which changes it is needed, given those that were found before. It is taken for good, and the rest asked again.
    private func closest(in schedule: ScheduleShifts) -> Race.Runs? {
        var kept = KeptDraws(below: 0)
        var newest: Int?
        while changed(schedule.keeping(kept)) == nil {
            guard kept.limits.count < Self.mostDraws, let draw = lastNeeded(beside: kept, in: schedule) else {
                return nil
            }
            kept.limits[draw] = Tolerance.live.fixed
            newest = draw
        }
        guard let newest else { return nil }
        var without = kept
        without.limits[newest] = nil
        var (early, late) = (without, kept)
        var (harmless, harmful) = (TimeSpan(nanoseconds: -1), Tolerance.live.fixed)
        while harmful - harmless > TimeSpan(nanoseconds: 1) {
            let middle = TimeSpan(nanoseconds: (harmless.nanoseconds + harmful.nanoseconds) / 2)
            var tried = kept
            tried.limits[newest] = middle
            if changed(schedule.keeping(tried)) == nil {
                (harmless, early) = (middle, tried)
            } else {
                (harmful, late) = (middle, tried)
            }
        }
        return (played(schedule.keeping(early)).recording, played(schedule.keeping(late)).recording)
    }

    /// The draw without which the shortest beginning of the schedule that changes the verdict would not.
    private func lastNeeded(beside kept: KeptDraws, in schedule: ScheduleShifts) -> Int? {
        func changes(_ count: Int) -> Bool {
            changed(schedule.keeping(KeptDraws(below: count, limits: kept.limits))) != nil
        }
        var (short, long) = (0, 64)
        while !changes(long) {
            (short, long) = (long, long * 4)
            // More draws than any run has: what others make late changes what these mean.
            guard long < 1 << 30 else { return nil }
        }
        while long - short > 1 {
            let middle = (short + long) / 2
            if changes(middle) { long = middle } else { short = middle }
        }
        return long - 1
    }

    // MARK: - From two runs to two events

    /// What a reader tells one event from another by: what it says, without what is only measured.
    private struct Shown: Hashable {
        var name: ObservedName
        var value: String

        init(_ event: TraceEvent) {
            name = ObservedName(client: event.client, name: event.name, key: event.key)
            let isValue = event.fields == nil && Registry.parity(event.name).parity != .measured
            value = isValue ? event.observation.change.tail : ""
        }
    }

    /// Where two runs part, in a sentence.
    private static func parting(_ runs: Race.Runs) -> String {
        let (early, late) = (runs.early.events, runs.late.events)
        let (before, after) = (early.map(Shown.init), late.map(Shown.init))
        guard let place = zip(before, after).enumerated().first(where: { $0.element.0 != $0.element.1 })?.offset else {
            return "It hangs on when something happens, not on any order"
        }
        let (one, other) = (told(before[place]), told(after[place]))
        let time = early[place].time
        guard let turned = before[place...].firstIndex(of: after[place]) else {
            return "What parts the runs: \(one) at \(time) as it is meant, or else \(other)"
        }
        let gap = early[turned].time - time
        return
            "It hangs on the order of two events: \(one) at \(time), and \(other) \(gap == .zero ? "at once" : "within \(gap)") "
            + "behind it: wait for one before the other, put them farther apart, or expect nothing of their order"
    }

    private static func told(_ event: Shown) -> String { "\(event.name)\(event.value)" }
}

/// A verdict that hangs on chance.
package struct Race: Sendable {
    typealias Runs = (early: Recording, late: Recording)

    /// In a line that begins with its place.
    let text: String
    /// What a folder of its traces is called.
    let folder: String
    /// One run of either verdict, as like each other as could be found.
    let runs: Runs

    /// Leaves both runs in a folder, for `squall trace diff`.
    func write(to path: String) throws(SquallError) {
        try ReportFolder.makeFolder("\(path)/\(folder)")
        try WholeFile.write(TraceCodec.encode(runs.early), to: "\(path)/\(folder)/as-meant.jsonl")
        try WholeFile.write(TraceCodec.encode(runs.late), to: "\(path)/\(folder)/otherwise.jsonl")
    }
}
