package import ScenarioModel
import SquallCore

/// Renders a suite as the summary of a GitHub Actions job, in Markdown for `$GITHUB_STEP_SUMMARY`.
///
/// GitHub limits a summary to 1 MiB, so only some failures are listed, and the rest are only counted. All text from
/// files and clients is escaped and placed in HTML elements, in which GitHub does not interpret Markdown.
package enum JobSummary {
    /// The maximum number of failing cases listed for each cause.
    private static let listed = 20
    /// The maximum number of causes that are listed.
    private static let causes = 20

    package static func render(_ suite: SuiteResult, command: String = "squall run") -> String {
        let report = TerminalReport(colour: false)
        var lines = ["### Squall: \(text(report.headlineText(suite)))", ""]
        if let shortfall = suite.stopDescription { lines += ["\(text(shortfall))", ""] }
        let verdicts = CaseVerdict.allCases.filter { suite.count($0) > 0 }
        if !verdicts.isEmpty {
            lines.append("| verdict | runs | cases |")
            lines.append("|---|---|---|")
            lines += verdicts.map { verdict in
                let word = verdict.rawValue.split(separator: "_").joined(separator: " ")
                return "| \(word) | \(suite.count(verdict)) | \(suite.caseCount(verdict)) |"
            }
        }
        let groups = CauseGroup.all(of: suite, with: [.fail, .inconclusive, .flaky])
        for (index, cause) in groups.prefix(causes).enumerated() {
            lines += ["", block(cause, command)]
            // Include a diagram for the first failure only: GitHub draws each diagram in its own frame, and a summary
            // should be readable at a glance.
            if index == 0, let issue = IssueText(cause.failures[0].run, command: command) {
                lines += ["", "<p>What happened around the first failure:</p>", "", issue.diagram]
            }
        }
        if groups.count > causes { lines += ["", "\(groups.count - causes) more causes are in the report."] }
        for (run, how) in suite.differing {
            let first = how.split(separator: "\n").prefix(2).joined(separator: ": ")
            lines += ["", "<p><b>\(text(run.title))</b>: \(text(first))</p>"]
        }
        for part in suite.staleKnownFailures {
            lines += ["", "<p>\(text("\(part.location): \(part.why ?? part.word)"))</p>"]
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// Renders the error messages of a suite that was not run, up to the size limit.
    package static func render(_ suite: UnplayedSuite) -> String {
        let lines = suite.message.split(separator: "\n", omittingEmptySubsequences: false)
        let shown = lines.prefix(mistakeLines).map { text(String($0)) }
        let rest = lines.count > shown.count ? ["", "\(lines.count - shown.count) more lines are in the log."] : []
        return (["### \(suite.heading)", "", "<pre>"] + shown + ["</pre>"] + rest)
            .joined(separator: "\n") + "\n"
    }

    /// The maximum number of error message lines.
    private static let mistakeLines = 200

    private static func block(_ cause: CauseGroup, _ command: String) -> String {
        let cases = TerminalReport.count(cause.failures.count, "case")
        let runs = TerminalReport.count(cause.runCount, "run")
        let verdict = cause.failures[0].run.verdict.rawValue
        let counts = "\(verdict), \(cases), \(runs)"
        var lines = ["<details open><summary><b>\(text(cause.heading))</b>: \(counts)</summary><ul>"]
        for failure in cause.failures.prefix(listed) {
            let sentence = CauseLine(of: failure.run)?.located(in: failure.run) ?? ""
            let replay = ReplayCommand.of(failure.run, command: command)
            lines.append(
                """
                <li>\(text(failure.run.title))<br>\(text(sentence))<br><code>\(text(replay))</code></li>
                """
            )
        }
        if cause.failures.count > listed { lines.append("<li>\(cause.failures.count - listed) more</li>") }
        return (lines + ["</ul></details>"]).joined(separator: "\n")
    }

    private static func text(_ text: String) -> String { SanitizedText(text).markup }
}
