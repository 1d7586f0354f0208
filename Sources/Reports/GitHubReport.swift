package import ScenarioModel
import SquallCore

/// A suite as workflow commands that GitHub shows beside the scenarios' lines, and below them as a person reads it.
package enum GitHubReport {
    /// Points to the report for what there is no room for, where there is one.
    package static func render(_ suite: SuiteResult, hasReport: Bool = false) -> String {
        let errors = Violation.all(of: suite).map { violation in
            WorkflowCommand.error(violation.title, at: (violation.file, violation.line, nil), violation.text)
        }
        let rest = hasReport ? "see the report" : "see the step's log"
        var lines = WorkflowCommand.limited(errors, title: "squall", rest: rest)
        if let shortfall = suite.shortfall {
            lines.append("::\(suite.interrupted ? "error" : "notice") title=squall::\(shortfall)")
        }
        lines.append(ShownText(lines: TerminalReport(colour: false).render(suite)).workflowLog)
        return lines.joined(separator: "\n")
    }

    /// Diagnostics of scenario files, each beside its line: what `FILE:LINE:COLUMN: error: TEXT` says at the start of a line.
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
