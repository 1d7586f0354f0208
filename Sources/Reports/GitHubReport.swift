package import ScenarioModel
import SquallCore

/// Renders a suite as GitHub workflow commands, which GitHub displays next to the lines of the scenario files, followed
/// by the terminal report.
package enum GitHubReport {
    /// Renders the suite. Violations beyond GitHub's limit are only counted, with a reference to the report, or to the
    /// log if there is no report.
    package static func render(
        _ suite: SuiteResult,
        hasReport: Bool = false,
        text: TerminalReport = TerminalReport(colour: false)
    ) -> String {
        let errors = Violation.all(of: suite).map { violation in
            WorkflowCommand.error(violation.title, at: (violation.file, violation.line, nil), violation.text)
        }
        let rest = hasReport ? "see the report" : "see the step's log"
        var lines = WorkflowCommand.limited(errors, title: "squall", rest: rest)
        lines += Violation.flaky(of: suite).prefix(WorkflowCommand.limit).map { violation in
            WorkflowCommand.warning("flaky: \(violation.title)", at: (violation.file, violation.line), violation.text)
        }
        if let shortfall = suite.stopDescription {
            lines.append("::\(suite.interrupted ? "error" : "notice") title=squall::\(shortfall)")
        }
        lines.append(SanitizedText(lines: text.render(suite)).workflowLog)
        return lines.joined(separator: "\n")
    }

    /// Renders the errors of a suite that was not run as annotations. The errors of scenario files are annotated at
    /// their lines.
    package static func annotations(of suite: UnplayedSuite) -> String {
        switch suite.subject {
        case .files: annotations(of: suite.message)
        case .client: WorkflowCommand.error(suite.heading, suite.message)
        }
    }

    /// Renders the errors of scenario files as annotations of their lines. `diagnostics` consists of lines of the form
    /// `FILE:LINE:COLUMN: error: TEXT`; other lines are ignored.
    package static func annotations(of diagnostics: String) -> String {
        diagnostics.split(whereSeparator: \.isNewline).compactMap { line -> String? in
            guard let mark = line.firstRange(of: ": error: ") else { return nil }
            let place = line[..<mark.lowerBound].split(separator: ":")
            guard place.count >= 3, let row = Int(place[place.count - 2]), let column = Int(place[place.count - 1])
            else {
                return nil
            }
            let file = place.dropLast(2).joined(separator: ":")
            return WorkflowCommand.error(nil, at: (file, row, column), String(line[mark.upperBound...]))
        }.joined(separator: "\n")
    }
}
