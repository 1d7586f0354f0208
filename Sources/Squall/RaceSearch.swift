import ScenarioModel
import Simulation
import SquallCore
import TemporalLogic
import Trace

/// Searches, within the tolerance for live runs, for a schedule that changes a case's verdict, and for the two events
/// whose order determines the verdict.
struct RaceSearch {
    /// The number of schedules with shifted delays under which a case is run.
    private static let shiftedRuns: UInt64 = 32
    /// The maximum number of random delays that are retained. A verdict that requires more delays does not depend on
    /// the order of two events.
    private static let maximumDraws = 16

    private let plan: RunPlan
    private let ideal: CaseResult

    init(_ plan: RunPlan, ideal: CaseResult) {
        var plan = plan
        plan.tolerance = .live
        self.plan = plan
        self.ideal = ideal
    }

    /// Returns the race exposed by the first schedule that changes the verdict; nil if no schedule changes it.
    func race() -> Race? {
        for number in 0..<Self.shiftedRuns {
            let schedule = ScheduleShifts(seed: Seed(plan.seed.value &+ number), tolerance: Tolerance.live.fixed)
            guard let shifted = changed(schedule) else { continue }
            let cause = shifted.cause.map { "\($0.location): \($0.why ?? $0.word)" } ?? ""
            let runs = closest(in: schedule)
            let order =
                runs.map(Self.divergence)
                ?? "It depends on no single order: more than \(Self.maximumDraws) deliveries and timers must be late"
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

    /// Runs the case under a schedule. Returns the result, or nil if its verdict is the same as that of the run without
    /// shifted delays.
    private func changed(_ schedule: ScheduleShifts) -> CaseResult? {
        let run = played(schedule)
        return run.verdict == ideal.verdict ? nil : run
    }

    private func played(_ schedule: ScheduleShifts) -> CaseResult {
        CaseResult(SimulatedWorld.play(plan, shifts: schedule), of: plan, world: .sim, wall: .zero)
    }

    // MARK: - From a schedule to two runs that differ in one delay

    /// Returns two runs that differ in one delay: in the second run, the delay is just large enough to change the
    /// verdict; in the first run, it is one nanosecond smaller. Returns nil if more than ``maximumDraws`` delays are
    /// needed.
    ///
    /// The search repeatedly finds the shortest prefix of the schedule that, together with the retained draws (random
    /// delays), changes the verdict. The last draw of that prefix is necessary, so it is retained. The search ends when
    /// the retained draws alone change the verdict.
    private func closest(in schedule: ScheduleShifts) -> Race.Runs? {
        var kept = ActiveDraws(below: 0)
        var newest: Int?
        while changed(schedule.keeping(kept)) == nil {
            guard kept.limits.count < Self.maximumDraws, let draw = lastNeeded(beside: kept, in: schedule) else {
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

    /// Finds the shortest prefix of the schedule that, together with the draws in `kept`, changes the verdict. Returns
    /// the index of the last draw in that prefix; nil if no prefix changes the verdict.
    private func lastNeeded(beside kept: ActiveDraws, in schedule: ScheduleShifts) -> Int? {
        func changes(_ count: Int) -> Bool {
            changed(schedule.keeping(ActiveDraws(below: count, limits: kept.limits))) != nil
        }
        var (short, long) = (0, 64)
        while !changes(long) {
            (short, long) = (long, long * 4)
            // No run has this many random delays. If the search gets this far, the retained delays have altered the
            // run, so the remaining draws no longer apply to the same events.
            guard long < 1 << 30 else { return nil }
        }
        while long - short > 1 {
            let middle = (short + long) / 2
            if changes(middle) { long = middle } else { short = middle }
        }
        return long - 1
    }

    // MARK: - From two runs to two events

    /// The properties that identify an event in a message: its name and, unless it is a measurement, its value.
    private struct Shown: Hashable {
        var name: ObservedName
        var value: String

        init(_ event: TraceEvent) {
            name = ObservedName(client: event.client, name: event.name, key: event.key)
            let isValue = event.fields == nil && Registry.parity(event.name).parity != .measured
            value = isValue ? event.observation.change.tail : ""
        }
    }

    /// Returns a sentence that describes the first difference between two runs.
    private static func divergence(_ runs: Race.Runs) -> String {
        let (early, late) = (runs.early.events, runs.late.events)
        let (before, after) = (early.map(Shown.init), late.map(Shown.init))
        guard let place = zip(before, after).enumerated().first(where: { $0.element.0 != $0.element.1 })?.offset else {
            return "It depends on when an event happens, not on the order of events"
        }
        let (one, other) = (described(before[place]), described(after[place]))
        let time = early[place].time
        guard let turned = before[place...].firstIndex(of: after[place]) else {
            return "The runs diverge at \(time): \(one) when on time, \(other) when late"
        }
        let gap = early[turned].time - time
        return
            """
            It depends on the order of two events: \(one) at \(time), and \(other) \
            \(gap == .zero ? "at the same time" : "\(gap) later"): wait for one before the other, put them farther \
            apart, or do not expect an order
            """
    }

    private static func described(_ event: Shown) -> String { "\(event.name)\(event.value)" }
}

/// A verdict that depends on the schedule, with two runs that demonstrate it.
package struct Race: Sendable {
    typealias Runs = (early: Recording, late: Recording)

    /// A one-line message about the race, beginning with the path of the scenario file.
    let text: String
    /// The name of the folder for the traces of the two runs.
    let folder: String
    /// Two runs with different verdicts that differ in as few delays as the search could achieve.
    let runs: Runs

    /// Writes the traces of both runs to a folder in `path`, for `squall trace diff`.
    func write(to path: String) throws(SquallError) {
        try ReportFolder.makeFolder("\(path)/\(folder)")
        try WholeFile.write(TraceCodec.encode(runs.early), to: "\(path)/\(folder)/as-meant.jsonl")
        try WholeFile.write(TraceCodec.encode(runs.late), to: "\(path)/\(folder)/otherwise.jsonl")
    }
}
