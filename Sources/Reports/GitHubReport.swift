package import ScenarioModel
import SquallCore

/// A suite as workflow commands that GitHub shows beside the scenarios' lines, and below them as a person reads it.
package enum GitHubReport {
    /// GitHub shows ten of a kind for each step; the last of ours says how many there are more.
    private static let limit = 9

    /// Points to the report for what there is no room for, where there is one.
    package static func render(_ suite: SuiteResult, hasReport: Bool = false) -> String {
        let violations = Violation.all(of: suite)
        var lines = violations.prefix(limit).map(annotation)
        if violations.count > limit {
            let place = hasReport ? "see the report" : "see the step's log"
            lines.append("::error title=squall::\(violations.count - limit) more; \(place)")
        }
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
            let file = ShownText(place.dropLast(2).joined(separator: ":")).workflowProperty
            let text = ShownText(line[mark.upperBound...]).workflowMessage
            return "::error file=\(file),line=\(row),col=\(column)::\(text)"
        }.joined(separator: "\n")
    }

    private static func annotation(_ violation: Violation) -> String {
        let (file, title) = (ShownText(violation.file), ShownText(violation.title))
        let place = "file=\(file.workflowProperty),line=\(violation.line),title=\(title.workflowProperty)"
        return "::error \(place)::\(ShownText(lines: violation.text).workflowMessage)"
    }
}
