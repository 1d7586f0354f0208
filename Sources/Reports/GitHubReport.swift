package import ScenarioModel

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
        if let interruption = suite.interruption { lines.append("::error title=squall::\(interruption)") }
        lines.append(TerminalReport(colour: false).render(suite))
        return lines.joined(separator: "\n")
    }

    /// Diagnostics of scenario files, each beside its line: what `FILE:LINE:COLUMN: error: TEXT` says at the start of a line.
    package static func annotations(of diagnostics: String) -> String {
        diagnostics.split(separator: "\n").compactMap { line -> String? in
            guard let mark = line.firstRange(of: ": error: ") else { return nil }
            let place = line[..<mark.lowerBound].split(separator: ":")
            guard place.count >= 3, let row = Int(place[place.count - 2]), let column = Int(place[place.count - 1])
            else {
                return nil
            }
            let file = property(place.dropLast(2).joined(separator: ":"))
            return "::error file=\(file),line=\(row),col=\(column)::\(escaped(String(line[mark.upperBound...])))"
        }.joined(separator: "\n")
    }

    private static func annotation(_ violation: Violation) -> String {
        let place = "file=\(property(violation.file)),line=\(violation.line),title=\(property(violation.title))"
        return "::error \(place)::\(escaped(violation.text))"
    }

    private static func escaped(_ text: String) -> String {
        replacing(text, ["%": "%25", "\r": "%0D", "\n": "%0A"])
    }

    /// A property's value: commas and colons end it.
    private static func property(_ text: String) -> String {
        replacing(text, ["%": "%25", "\r": "%0D", "\n": "%0A", ",": "%2C", ":": "%3A"])
    }

    private static func replacing(_ text: String, _ table: [Character: String]) -> String {
        text.reduce(into: "") { $0 += table[$1] ?? String($1) }
    }
}
