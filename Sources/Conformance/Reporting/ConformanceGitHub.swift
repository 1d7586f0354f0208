import SquallCore

/// Results as workflow commands that GitHub shows on the run's page.
package enum ConformanceGitHub {
    /// GitHub shows ten of a kind for each step; the last of ours says how many there are more.
    private static let most = 9

    package static func render(_ report: ConformanceReport) -> String {
        let bad =
            report.failures.map { result in
                let subject = report.cases[result.id]
                let sections = subject?.sections.joined(separator: ", ") ?? ""
                return annotation(
                    "\(result.id), \(result.agent)",
                    "\(result.why) (\(sections)). \(subject?.title ?? "")"
                )
            }
            + report.stale.map { entry in
                annotation(
                    "known failures, line \(entry.line)",
                    "\(entry.pattern)\(entry.agent.map { " of \($0)" } ?? "") did not fail; take it out"
                )
            }
        var lines = Array(bad.prefix(most))
        if bad.count > most {
            lines.append(annotation("squall conformance", "\(bad.count - most) more; see the report"))
        }
        if let interruption = report.interruption { lines.append(annotation("squall conformance", interruption)) }
        var totals =
            "\(report.results.count) \(report.results.count == 1 ? "case" : "cases"), \(report.failures.count) failed"
        for (count, word) in [(report.knownFailures.count, "known to fail"), (report.skipped.count, "skipped")]
        where count > 0 { totals += ", \(count) \(word)" }
        return (lines + [totals]).joined(separator: "\n")
    }

    private static func annotation(_ title: String, _ text: String) -> String {
        "::error title=\(ShownText(title).workflowProperty)::\(ShownText(lines: text).workflowMessage)"
    }
}
