package import ScenarioModel
package import SquallCore
package import Trace

/// Compares one case across two suites: the worlds (simulated or live) in which its result changed in the same way, and
/// one example run from each suite.
package struct ComparedCase: Sendable {
    /// The runs of a case in one suite and world.
    package struct Side: Sendable {
        /// The example run, which has the worst verdict of all runs.
        package var run: CaseResult
        /// The number of runs that have the same verdict as the example run.
        package var count: Int
        package var total: Int

        package var verdict: CaseVerdict { run.verdict }
    }

    package var key: CaseKey
    package var worlds: [World]
    package var change: CaseChange
    /// The runs in the old suite; nil if the case is new.
    package var old: Side?
    /// The runs in the new suite; nil if the case was not run again.
    package var new: Side?
    package var slowdown: Slowdown?
    /// The point at which the traces of the two example runs diverge; nil if a trace is missing or the traces are
    /// equal.
    package var divergence: TraceDivergence?
    /// Why a run with a missing trace could not be replayed; nil if no replay was attempted, or if it succeeded.
    package var replayObstacle: String?

    /// The two example runs, if both have a complete trace and can be compared event by event; otherwise nil.
    package var pair: (old: CaseResult, new: CaseResult)? {
        guard let old = old?.run, let new = new?.run, old.hasWholeTrace, new.hasWholeTrace else { return nil }
        return (old, new)
    }

    package var title: String { (new ?? old)?.run.title ?? key.file }

    /// Whether the case fails in both suites, but for different causes.
    package var hasOtherCause: Bool {
        guard change == .stillFailing || change == .stillInconclusive, let old = old?.run, let new = new?.run else {
            return false
        }
        return CauseGroup.Key(old) != CauseGroup.Key(new)
    }

    /// The change in the verdict, such as `pass → fail`, `2 of 6 fail → 4 of 6 fail` or `new → fail`.
    package var verdicts: String {
        func words(_ side: Side?, absent: String) -> String {
            guard let side else { return absent }
            let verdict = side.verdict.rawValue.split(separator: "_").joined(separator: " ")
            return side.total > 1 ? "\(side.count) of \(side.total) \(verdict)" : verdict
        }
        let absent = change == .notPlayed ? "not played" : "removed"
        let (before, after) = (words(old, absent: "new"), words(new, absent: absent))
        return before == after ? after : "\(before) → \(after)"
    }
}

/// A significant increase in a case's duration, either on the run's clock or in real time.
package struct Slowdown: Hashable, Sendable {
    package var isOfRun: Bool
    package var old: TimeSpan
    package var new: TimeSpan

    /// The minimum increase; anything smaller is treated as measurement noise.
    private static let least = TimeSpan.seconds(1)

    /// Compares the mean durations of the old and the new runs. Returns nil unless the duration on the run's clock
    /// increased by at least one second and by a fifth, or the real duration increased by at least one second and
    /// doubled.
    init?(from old: [CaseResult], to new: [CaseResult]) {
        func mean(_ runs: [CaseResult], _ time: (CaseResult) -> TimeSpan) -> TimeSpan {
            let sum = runs.reduce(TimeSpan.zero) { $0 + time($1) }
            return TimeSpan(nanoseconds: sum.nanoseconds / Int64(max(1, runs.count)))
        }
        let played = (mean(old, \.simulated), mean(new, \.simulated))
        let real = (mean(old, \.wall), mean(new, \.wall))
        func isLonger(_ times: (TimeSpan, TimeSpan), by percent: Int64) -> Bool {
            let more = times.1 - times.0
            return more >= Self.least && more.nanoseconds / percent >= times.0.nanoseconds / 100
        }
        if isLonger(played, by: 20) {
            self.init(isOfRun: true, old: played.0, new: played.1)
        } else if isLonger(real, by: 100) {
            self.init(isOfRun: false, old: real.0, new: real.1)
        } else {
            return nil
        }
    }

    private init(isOfRun: Bool, old: TimeSpan, new: TimeSpan) {
        self.isOfRun = isOfRun
        self.old = old
        self.new = new
    }
}
