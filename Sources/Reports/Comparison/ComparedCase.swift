package import ScenarioModel
package import SquallCore
package import Trace

/// One case of two suites: the worlds in which it has changed in the same way, and a run of each suite to look at.
package struct ComparedCase: Sendable {
    /// The runs of a case in one suite and world.
    package struct Side: Sendable {
        /// The run to show: one with the worst verdict.
        package var run: CaseResult
        /// How many of the runs have that verdict.
        package var count: Int
        package var total: Int

        package var verdict: CaseVerdict { run.verdict }
    }

    package var key: CaseKey
    package var worlds: [World]
    package var change: CaseChange
    /// The old runs; nil if the case is new.
    package var old: Side?
    /// The new runs; nil if the case was not played again.
    package var new: Side?
    package var slowdown: Slowdown?
    /// Where the traces of the two runs diverge; nil if one is missing or they are equal.
    package var divergence: TraceDivergence?

    /// The pair of runs if both have a trace and can be compared event by event.
    package var pair: (old: CaseResult, new: CaseResult)? {
        guard let old = old?.run, let new = new?.run, old.hasWholeTrace, new.hasWholeTrace else { return nil }
        return (old, new)
    }

    package var title: String { (new ?? old)?.run.title ?? key.file }

    /// Whether the case fails in both suites, for different causes.
    package var hasOtherCause: Bool {
        guard change == .stillFailing || change == .stillInconclusive, let old = old?.run, let new = new?.run else {
            return false
        }
        return CauseGroup.Key(old) != CauseGroup.Key(new)
    }

    /// `pass → fail`, `2 of 6 fail → 4 of 6 fail`, `new → fail`.
    package var verdicts: String {
        func words(_ side: Side?, absent: String) -> String {
            guard let side else { return absent }
            let verdict = side.verdict.rawValue.split(separator: "_").joined(separator: " ")
            return side.total > 1 ? "\(side.count) of \(side.total) \(verdict)" : verdict
        }
        let absent = change == .notPlayed ? "not played" : "gone"
        let (before, after) = (words(old, absent: "new"), words(new, absent: absent))
        return before == after ? after : "\(before) → \(after)"
    }
}

/// A case that takes clearly longer than before, on the clock of the run or in real time.
package struct Slowdown: Hashable, Sendable {
    package var isOfRun: Bool
    package var old: TimeSpan
    package var new: TimeSpan

    /// The smallest difference that counts; shorter ones are noise of the machine.
    private static let least = TimeSpan.seconds(1)

    /// Compares the mean times of the runs; nil unless the run's clock shows at least a second and a fifth more,
    /// or real time a second more and twice as much.
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
