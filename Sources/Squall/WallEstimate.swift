import FakeServer
import ScenarioModel
import Simulation
import SquallCore
import TemporalLogic
import Trace

/// An estimate of how long runs take in real time. For example, ten minutes of backoff take ten minutes in real time,
/// but hardly any in virtual time.
struct WallEstimate: Sendable {
    /// The duration of a case when Squall's own client runs it in virtual time.
    struct Length: Sendable {
        var title: String
        var span: TimeSpan
    }

    private let lengths: [Length]
    /// The number of cases whose duration is unknown because they cannot be run in virtual time.
    private let unknown: Int
    private let times: Int
    private let jobs: Int

    /// The minimum duration for which an estimate is printed.
    private static let least = TimeSpan.seconds(30)

    init(_ lengths: [Length], unknown: Int = 0, times: Int = 1, jobs: Int) {
        self.lengths = lengths
        self.unknown = unknown
        self.times = times
        self.jobs = max(1, jobs)
    }

    /// Estimates the duration of the real-time runs among `plans` by running their scenarios in virtual time, if
    /// possible.
    static func of(_ plans: [RunPlan], times: Int, jobs: Int) async -> WallEstimate {
        let plans = plans.filter { $0.clock != .leaping }
        let known = plans.filter { $0.scenario.allows(.sim) }
        let lengths = await Parallel.map(known.count, jobs: jobs) { index in
            Length(title: known[index].scenario.title, span: span(of: known[index]))
        }
        return WallEstimate(lengths, unknown: plans.count - known.count, times: times, jobs: jobs)
    }

    /// Returns the estimated real-time duration of a run, which is its duration in virtual time.
    static func span(of plan: RunPlan) -> TimeSpan {
        var scenario = plan.scenario
        // A run of the client under test does not end with the fault-free period (calm) for the invariant
        // `convergence`, so the estimate does not include that period.
        scenario.waivers.append(Scenario.Waiver(invariant: InvariantName.convergence.rawValue, reason: "estimate"))
        scenario.profile.server.upstream = ""
        let result = SimulatedWorld.play(RunPlan(scenario, seed: plan.seed), isCancelled: { Task.isCancelled })
        return result.recording.end - .zero
    }

    /// The estimated wall time for all runs: the total divided among the jobs, but no less than the longest run.
    var span: TimeSpan {
        let sum = lengths.reduce(Int64(0)) { $0.addingClamped($1.span.nanoseconds) }
        let all = sum.multipliedReportingOverflow(by: Int64(times))
        let share = (all.overflow ? Int64.max : all.partialValue) / Int64(jobs)
        return TimeSpan(nanoseconds: max(share, longest?.span.nanoseconds ?? 0))
    }

    private var longest: Length? { lengths.max { $0.span < $1.span } }

    /// The estimate as a sentence; nil if it is below ``least``.
    var sentence: String? {
        guard span >= Self.least, let longest else { return nil }
        let runs = lengths.count * times
        let others = unknown > 0 ? ", and \(unknown) whose duration is unknown" : ""
        let alone = lengths.count > 1 ? " ('\(longest.title)' alone takes \(Self.words(longest.span)))" : ""
        return """
            squall: \(runs) run\(runs == 1 ? "" : "s") at wall time, \(jobs) at a time\(others): about \
            \(Self.words(span))\(alone). --budget 5m plays a part of them
            """
    }

    /// Formats a duration in seconds, minutes, or hours and minutes.
    private static func words(_ span: TimeSpan) -> String {
        let seconds = (span.nanoseconds + 500_000_000) / 1_000_000_000
        if seconds < 120 { return "\(seconds) s" }
        let minutes = (seconds + 30) / 60
        return minutes < 120 ? "\(minutes) min" : "\(minutes / 60) h \(minutes % 60) min"
    }
}

extension Int64 {
    fileprivate func addingClamped(_ other: Int64) -> Int64 {
        let sum = addingReportingOverflow(other)
        return sum.overflow ? .max : sum.partialValue
    }
}
