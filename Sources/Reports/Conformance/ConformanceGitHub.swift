package import Conformance
import SquallCore

/// Renders conformance results as workflow commands, which GitHub displays on the page of the workflow run.
package enum ConformanceGitHub {
    package static func render(_ report: ConformanceReport) -> String {
        let bad =
            report.failures.map { result in
                let testCase = report.cases[result.id]
                let sections = testCase?.sections.joined(separator: ", ") ?? ""
                return WorkflowCommand.error(
                    "\(result.id), \(result.agent)",
                    "\(result.why) (\(sections)). \(testCase?.title ?? "")"
                )
            }
            + report.stale.map { entry in
                WorkflowCommand.error(
                    "known failures, line \(entry.line)",
                    "\(entry.pattern)\(entry.agent.map { " of \($0)" } ?? "") did not fail; remove the entry"
                )
            }
        let title = "squall conformance"
        var lines = WorkflowCommand.limited(bad, title: title, rest: "see the report")
        if let interruption = report.interruption { lines.append(WorkflowCommand.error(title, interruption)) }
        var totals =
            "\(report.results.count) \(report.results.count == 1 ? "case" : "cases"), \(report.failures.count) failed"
        for (count, word) in [(report.knownFailures.count, "known to fail"), (report.skipped.count, "skipped")]
        where count > 0 { totals += ", \(count) \(word)" }
        return (lines + [totals]).joined(separator: "\n")
    }
}
