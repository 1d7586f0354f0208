import ScenarioModel
import SquallCore
import TemporalLogic

/// A failed case in a scenario file, with all of its failed runs. Runs with other seeds, and runs in the other world
/// (simulated or live), usually repeat the same violation.
struct Violation: Hashable, Sendable {
    var file: String
    var line: Int
    var title: String
    /// A text that states what was expected, what happened instead, and in which runs, followed by the command that
    /// replays the first of these runs.
    var text: String

    /// Returns the violations of a suite: cases whose simulated and live runs differ, failing cases, inconclusive cases
    /// and stale known failures.
    ///
    /// Each case has one violation, for the cause of its first failed run, because GitHub displays only ten annotations
    /// and a run's other violations usually follow from the first.
    static func all(of suite: SuiteResult) -> [Violation] {
        let groups = suite.groups
        // Failing cases are listed before inconclusive cases.
        let failing = [CaseVerdict.fail, .inconclusive].flatMap { verdict in
            groups.filter { $0.verdict == verdict }.compactMap { violation($0, verdict) }
        }
        let differing = suite.differing.map { run, how in
            Violation(file: run.file, line: 1, title: run.title, text: how)
        }
        let stale = suite.staleKnownFailures.map { part in
            let (file, line) = (part.location.file, part.location.line)
            return Violation(file: file, line: line, title: part.word, text: part.why ?? part.word)
        }
        return differing + failing + stale
    }

    /// Returns the flaky cases of a suite, which are reported as warnings.
    static func flaky(of suite: SuiteResult) -> [Violation] {
        suite.groups.filter { $0.verdict == .flaky }.compactMap { violation($0, .flaky) }
    }

    /// The maximum number of runs, and of further violations, that are listed.
    private static let named = 6

    /// Returns the violation of the case in `group` for its runs with the given verdict; nil if there are none.
    private static func violation(_ group: CaseGroup, _ verdict: CaseVerdict) -> Violation? {
        let bad = group.runs.filter { $0.verdict == verdict }
        guard let run = bad.first, let cause = run.cause else { return nil }
        let line = CauseLine(of: run)
        let others = FurtherViolations(of: run, line).items
        var runs = bad.prefix(named).map { "\($0.world.rawValue) seed \($0.seed.value)" }.joined(separator: ", ")
        if bad.count > named { runs += " and \(bad.count - named) more" }
        let also = others.prefix(named).map { item in
            "also line \(item.location.line): \(item.text)\(item.isOfSameCause ? " (of the same cause)" : "")"
        }
        let text =
            [line?.sentence ?? "\(cause.heading): \(cause.why ?? verdict.rawValue)"]
            + (line.flatMap { run.expectations[$0.expectation].observedText }.map { [$0] } ?? [])
            + ["in \(bad.count) of \(group.runs.count) runs: \(runs)"] + also
            + ["replay: \(ReplayCommand.of(run, command: "squall run"))"]
        return Violation(
            file: cause.location.file,
            line: cause.location.line,
            title: run.title,
            text: text.joined(separator: "\n")
        )
    }
}
