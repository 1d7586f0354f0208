package import SquallCore
import Trace

/// How the two worlds' runs of one case compare.
package enum ParityVerdict: Hashable, Sendable {
    case equal
    /// Live showed what sim shows under some other schedule within the tolerance.
    case scheduleDependent(String)
    /// Live showed what no schedule explains: a bug in Squall.
    case differs(String)
}

/// One case of a suite: its runs and how they compare.
package struct CaseReport: Sendable {
    package var runs: [CaseResult]
    /// Nil where only one world played, or where one of the runs was stopped, or inconclusive for a reason from outside.
    package var parity: ParityVerdict?

    package init(runs: [CaseResult], parity: ParityVerdict? = nil) {
        self.runs = runs
        self.parity = parity
    }

    /// The same without the events of the runs that passed, but for what clients measured, where the worlds agree.
    package var withoutTracesOfPasses: CaseReport {
        guard parity == nil || parity == .equal else { return self }
        var report = self
        for index in report.runs.indices where report.runs[index].verdict == .pass {
            report.runs[index].recording.events.removeAll { !$0.isMetric }
        }
        return report
    }
}

/// All that a suite has shown.
package struct SuiteResult: Sendable {
    package var cases: [CaseReport]
    package var wall: TimeSpan
    package var interrupted: Bool
    /// How many runs had not been begun when it was broken off; zero where it was not.
    package var unplayed: Int
    /// Whether it is a part, of a suite that several machines share, to which no scenario fell: nothing is amiss with that.
    package var isEmptyPart: Bool

    /// Entries of the list of known failures for which there is no file or no case: each fails the suite.
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

    /// Why a suite was not played to its end.
    package enum Break: String, Hashable, Sendable {
        /// Somebody wanted it to end.
        case signal
        /// It was to be played until something fails.
        case failure
    }

    /// Nil where all of it was played.
    package var brokenOffBy: Break? {
        interrupted ? .signal : unplayed > 0 ? .failure : nil
    }

    /// What a suite that was broken off says of the rest; nil where it is whole.
    package var shortfall: String? {
        let rest = "\(unplayed) \(unplayed == 1 ? "run was" : "runs were") not played"
        return switch brokenOffBy {
        case .signal: "interrupted: \(rest)"
        case .failure: "stopped at the first failure: \(rest)"
        case nil: nil
        }
    }

    /// The cases of which live showed what no schedule explains, each with what that was.
    package var differing: [(first: CaseResult, how: String)] {
        cases.compactMap { report in
            guard case .differs(let how)? = report.parity, let first = report.runs.first else { return nil }
            return (first, "the worlds differ: this is a bug in Squall; please report it\n\(how)")
        }
    }

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

    /// The exit status of `squall run`: of all that is wrong, the one that leaves the least to rely on.
    package var exitStatus: ExitStatus {
        if interrupted { return .interrupted }
        if parity.differs > 0 { return .internalError }
        if count(.fail) > 0 || !staleKnownFailures.isEmpty { return .failed }
        if isEmptyPart { return .passed }
        if count(.inconclusive) > 0 || count(.skipped) == runs.count { return .inconclusive }
        return .passed
    }
}
