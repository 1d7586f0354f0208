import ScenarioModel
import SquallCore
import Trace

/// Renders a comparison for a terminal: the verdict, the two suites, the cases grouped by change, and the totals.
package struct ComparisonText: Sendable {
    private let terminal: TerminalShape
    /// Whether to list every case under each kind of change; unchanged cases are never listed.
    private let isVerbose: Bool
    /// The maximum number of cases listed for a change that is not a failure.
    private static let listed = 10
    /// The maximum number of trace lines displayed around the point at which the two traces diverge.
    private static let linesOfTraces = 16

    package init(colour: Bool, width: Int? = nil, verbose: Bool = false) {
        terminal = TerminalShape(colour: colour, width: width)
        isVerbose = verbose
    }

    package func render(_ comparison: SuiteComparison, old: String, new: String) -> String {
        var lines = [headline(comparison), ""]
        lines.append("old: \(old)\(origin(comparison.old), .dim)")
        lines.append("new: \(new)\(origin(comparison.new), .dim)")
        lines += comparison.notes.map { "note: \($0)" }
        for change in CaseChange.allCases where change != .unchanged {
            let cases = comparison.cases(change)
            guard !cases.isEmpty else { continue }
            lines += ["", "\(change.words, .bold)  \(TerminalReport.count(comparison.count(change), "case"), .dim)"]
            lines += isStory(change) ? failures(cases) : list(cases)
        }
        lines += ["", totals(comparison)]
        return terminal.text(of: lines)
    }

    private func headline(_ comparison: SuiteComparison) -> StyledLine {
        let cases = TerminalReport.count(comparison.caseCount, "case")
        let removed = comparison.count(.removed)
        let missing = removed > 0 ? "; \(removed) not in the new suite" : ""
        let failing = comparison.count(.newlyFailing)
        if failing > 0 { return "\("WORSE", .bold, .red)  \(failing) of \(cases) newly failing\(missing)" }
        let doubtful = comparison.count(.newlyInconclusive)
        if doubtful > 0 { return "\("UNSURE", .bold, .yellow)  \(doubtful) of \(cases) newly inconclusive\(missing)" }
        let fixed = comparison.count(.newlyPassing)
        if fixed > 0 {
            return "\("BETTER", .bold, .green)  \(fixed) of \(cases) newly passing, none newly failing\(missing)"
        }
        return "\("NO WORSE", .bold, .green)  none of \(cases) newly failing\(missing)"
    }

    private func origin(_ suite: SuiteResult) -> String {
        guard let origin = suite.origin else { return "" }
        let commit = origin.commit.map { ", commit \($0.prefix(12))" } ?? ""
        return "  squall \(origin.version), \(origin.date)\(commit)"
    }

    private func isStory(_ change: CaseChange) -> Bool {
        switch change {
        case .newlyFailing, .newlyInconclusive, .newlyFlaky, .stillFailing, .stillInconclusive: true
        default: false
        }
    }

    // MARK: - Failures

    /// Returns the lines about the failing cases, grouped by cause; only the first case of each cause is described in
    /// full.
    private func failures(_ cases: [ComparedCase]) -> [StyledLine] {
        let suite = SuiteResult(cases: cases.compactMap { $0.new.map { CaseReport(runs: [$0.run]) } }, wall: .zero)
        let groups = CauseGroup.all(of: suite, with: [.fail, .inconclusive, .flaky])
        return groups.flatMap { group -> [StyledLine] in
            let heading: [StyledLine] =
                groups.count > 1 || group.failures.count > 1
                ? ["  \(group.heading)  \(TerminalReport.count(group.failures.count, "case"), .dim)"] : []
            let keys = group.failures.map(\.run.key)
            let those = cases.filter { compared in
                compared.new.map { CauseGroup.Key($0.run) == CauseGroup.Key(group.failures[0].run) } ?? false
                    && keys.contains(compared.key)
            }
            let listed = isVerbose ? those.count : Self.listed
            let rest: [StyledLine] =
                those.count > listed ? ["        \("\(those.count - listed) more; --verbose lists them", .dim)"] : []
            return heading + those.prefix(listed).enumerated().flatMap { story($1, isBrief: $0 > 0) } + rest
        }
    }

    private func story(_ compared: ComparedCase, isBrief: Bool) -> [StyledLine] {
        guard let run = compared.new?.run else { return [] }
        var lines = [line(compared)]
        let text = FailureText(run, command: "squall run").lines(margin: "        ", isBrief: true)
        lines += text.prefix(1)
        if compared.hasOtherCause, let old = compared.old?.run, let cause = CauseLine(of: old) {
            lines.append("        \("before:", .dim) \(cause.located(in: old))")
        }
        lines += parting(of: compared, isBrief: isBrief)
        return lines + text.dropFirst()
    }

    /// Describes the point at which the two traces of a case diverge, without trace lines if `isBrief` is true.
    private func parting(of compared: ComparedCase, isBrief: Bool) -> [StyledLine] {
        guard let divergence = compared.divergence else {
            guard !isBrief, compared.change == .newlyFailing || compared.change == .newlyInconclusive else { return [] }
            let missing = [("old", compared.old), ("new", compared.new)].filter { _, side in
                side?.run.hasWholeTrace == false
            }
            guard let name = missing.first?.0 else { return [] }
            let obstacle = compared.replayObstacle.map { ", and \($0)" } ?? ""
            let what = "the \(name) report has no trace of it\(obstacle)"
            return ["          \("\(what); 'squall run --traces all' keeps those of passing runs", .dim)"]
        }
        guard !isBrief else { return ["          \("first difference:", .dim) \(divergence.summary)"] }
        let lines = "\(divergence)".split(separator: "\n", omittingEmptySubsequences: false).prefix(Self.linesOfTraces)
        return lines.enumerated().map { index, line in
            let styles: [StyledLine.Style] =
                line.hasPrefix("  -") ? [.red] : line.hasPrefix("  +") ? [.green] : []
            let start: StyledLine = index == 0 ? "          \("first difference:", .dim) " : "          "
            guard let style = styles.first else { return "\(start)\(String(line))" }
            return "\(start)\(String(line), style)"
        }
    }

    // MARK: - Other changes

    private func list(_ cases: [ComparedCase]) -> [StyledLine] {
        let listed = isVerbose ? cases.count : Self.listed
        let rest: [StyledLine] =
            cases.count > listed ? ["  \("\(cases.count - listed) more; --verbose lists them", .dim)"] : []
        return cases.prefix(listed).map(line) + rest
    }

    private func line(_ compared: ComparedCase) -> StyledLine {
        let worlds = compared.worlds.map(\.rawValue).joined(separator: ", ")
        var what = compared.verdicts
        if let slowdown = compared.slowdown {
            let clock = slowdown.isOfRun ? "" : " of real time"
            what = "\(TerminalReport.brief(slowdown.old)) → \(TerminalReport.brief(slowdown.new))\(clock)"
        }
        let other = compared.hasOtherCause ? ", for another cause" : ""
        return "    \(compared.title)  \("\(worlds): \(what)\(other)", .dim)  \(compared.key.file, .dim)"
    }

    private func totals(_ comparison: SuiteComparison) -> StyledLine {
        let counts = CaseChange.allCases.compactMap { change -> String? in
            let count = comparison.count(change)
            return count > 0 ? "\(count.grouped) \(change.words)" : nil
        }
        let cases = TerminalReport.count(comparison.caseCount, "case")
        return "\(cases): \(counts.isEmpty ? "none" : counts.joined(separator: ", "))"
    }
}
