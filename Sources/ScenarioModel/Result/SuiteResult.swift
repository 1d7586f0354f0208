package import SquallCore
import Trace

/// The result of comparing the simulated and the live run of one case.
package enum WorldComparison: Hashable, Sendable {
    case equal
    /// The live run differs from the simulated run, but each difference disappears in a simulated run in which events
    /// are delayed within the tolerance.
    case scheduleDependent(String)
    /// The live run differs from the simulated run in a way that no timing of events explains. This is a bug in Squall.
    case differs(String)
}

/// One case of a suite: its runs, and the comparison of the simulated and the live run.
package struct CaseReport: Sendable {
    package var runs: [CaseResult]
    /// The result of comparing the simulated and the live run. Nil if the case was run in only one of these worlds, or
    /// if a run was stopped or is inconclusive for an external reason.
    package var parity: WorldComparison?

    package init(runs: [CaseResult], parity: WorldComparison? = nil) {
        self.runs = runs
        self.parity = parity
    }

    /// The report without the events of passing runs, except for their metrics. If the simulated and the live run
    /// differ, the report is unchanged.
    package var withoutTracesOfPasses: CaseReport {
        guard parity == nil || parity == .equal else { return self }
        var report = self
        for index in report.runs.indices where report.runs[index].verdict == .pass {
            report.runs[index].hasWholeTrace = false
            report.runs[index].recording.events.removeAll { !$0.isMetric }
        }
        return report
    }
}

/// The results of a suite.
package struct SuiteResult: Sendable {
    package var cases: [CaseReport]
    package var wall: TimeSpan
    package var interrupted: Bool
    /// The number of runs that were not executed because the suite was stopped.
    package var unplayed: Int
    /// Whether the suite is divided among several machines and this machine's part is empty. This is not a failure.
    package var isEmptyPart: Bool

    /// The number of failed cases after which the suite was stopped; nil if the suite was not stopped for that reason.
    package var failureLimit: Int?
    /// The titles of the cases that were not run because the time budget was used up.
    package var leftOut: [String] = []

    /// How the suite was selected and run; nil if it was not started by a command.
    package var origin: SuiteOrigin?

    /// A failure for each known-failures entry whose file or case does not exist. Each of these failures fails the
    /// suite.
    package var staleKnownFailures: [ExpectationResult] = []

    package init(
        cases: [CaseReport],
        wall: TimeSpan,
        interrupted: Bool = false,
        unplayed: Int = 0,
        isEmptyPart: Bool = false
    ) {
        self.cases = cases
        self.wall = wall
        self.interrupted = interrupted
        self.unplayed = unplayed
        self.isEmptyPart = isEmptyPart
    }

    /// The reason why a suite was stopped early.
    package enum StopReason: String, Hashable, Sendable {
        /// The suite was interrupted by a signal.
        case signal
        /// The maximum number of failed cases was reached.
        case failure
        /// The time budget was used up.
        case budget
    }

    /// The reason why the suite was stopped early; nil if the whole suite was run.
    package var stopReason: StopReason? {
        interrupted ? .signal : unplayed == 0 ? nil : leftOut.isEmpty ? .failure : .budget
    }

    /// Returns the number of cases that have at least one run with this verdict.
    package func caseCount(_ verdict: CaseVerdict) -> Int {
        Set(runs.filter { $0.verdict == verdict }.map(\.key)).count
    }

    /// A sentence about the runs that were not executed; nil if the whole suite was run.
    package var stopDescription: String? {
        let rest = "\(unplayed.grouped) \(unplayed == 1 ? "run was" : "runs were") not played"
        return switch stopReason {
        case .signal: "interrupted: \(rest)"
        case .failure where (failureLimit ?? 1) > 1: "stopped after \(failureLimit ?? 1) failed cases: \(rest)"
        case .failure: "stopped at the first failure: \(rest)"
        case .budget: "the budget is spent: \(rest) (\(Self.list(leftOut)))"
        case nil: nil
        }
    }

    /// Returns the first few names, followed by how many more there are.
    private static func list(_ names: [String]) -> String {
        let shown = names.prefix(5).joined(separator: "; ")
        return names.count > 5 ? "\(shown); and \(names.count - 5) more" : shown
    }

    /// The cases whose simulated and live runs differ, each with a description of the difference.
    package var differing: [(first: CaseResult, how: String)] {
        cases.compactMap { report in
            guard case .differs(let how)? = report.parity, let first = report.runs.first else { return nil }
            return (first, "\(Self.whyWorldsDiffer)\n\(how)")
        }
    }

    /// The sentence that introduces a difference between the simulated and the live run.
    package static let whyWorldsDiffer = "the worlds differ: this is a bug in Squall; please report it"

    package var runs: [CaseResult] { cases.flatMap(\.runs) }

    package func count(_ verdict: CaseVerdict) -> Int {
        runs.count { $0.verdict == verdict }
    }

    package struct Parity: Hashable, Sendable {
        package var compared = 0
        package var equal = 0
        package var scheduleDependent = 0
        package var differs = 0
    }

    package var parity: Parity {
        var totals = Parity()
        for verdict in cases.compactMap(\.parity) {
            totals.compared += 1
            switch verdict {
            case .equal: totals.equal += 1
            case .scheduleDependent: totals.scheduleDependent += 1
            case .differs: totals.differs += 1
            }
        }
        return totals
    }

    /// The exit status of `squall run`. If there are several problems, the one that makes the result least reliable
    /// determines the status.
    package var exitStatus: ExitStatus {
        if interrupted { return .interrupted }
        if parity.differs > 0 { return .internalError }
        if count(.fail) > 0 || !staleKnownFailures.isEmpty { return .failed }
        if isEmptyPart { return .passed }
        if count(.inconclusive) > 0 || count(.skipped) == runs.count { return .inconclusive }
        return .passed
    }
}
