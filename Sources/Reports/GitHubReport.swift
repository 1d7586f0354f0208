import Foundations
package import ScenarioModel
import TemporalLogic

/// A suite as workflow commands that GitHub shows beside the scenario's line.
package enum GitHubReport {
    /// GitHub shows ten of a kind for each step; the last of ours says how many there are more.
    private static let limit = 9

    package static func render(_ suite: SuiteResult) -> String {
        let bad = suite.runs.filter { $0.verdict == .fail } + suite.runs.filter { $0.verdict == .inconclusive }
        var lines = bad.prefix(limit).map(annotation)
        if bad.count > limit { lines.append("::error title=squall::\(bad.count - limit) more; see the report") }
        var totals =
            "\(suite.runs.count) \(suite.runs.count == 1 ? "run" : "runs"), \(suite.count(.fail)) failed, "
            + "\(suite.count(.inconclusive)) inconclusive"
        for (verdict, word) in [(CaseVerdict.skipped, "skipped"), (.knownFailure, "known to fail")]
        where suite.count(verdict) > 0 { totals += ", \(suite.count(verdict)) \(word)" }
        lines.append(totals)
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

    private static func annotation(_ run: CaseResult) -> String {
        let cause = run.cause
        let title = "\(run.title), \(run.world.rawValue)"
        let place = "file=\(property(run.file)),line=\(cause?.location.line ?? 1),title=\(property(title))"
        return "::error \(place)::\(escaped(CauseLine(of: run)?.sentence ?? run.verdict.rawValue))"
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
