package import Conformance
import SquallCore

/// Renders conformance results for a terminal.
package enum ConformanceText {
    /// The maximum number of failures described in full for each agent; further failures are only counted.
    private static let most = 40

    /// Returns the results as text. `hasReport` states whether a complete report is also written.
    package static func render(_ report: ConformanceReport, hasReport: Bool = false) -> String {
        var lines: [String] = []
        for agent in report.agents {
            let results = report.results.filter { $0.agent == agent }
            let bad = report.failures.filter { $0.agent == agent }
            let isStale = report.stale.contains { entry in results.contains(where: entry.covers) }
            let word = !bad.isEmpty || isStale ? "FAIL" : report.isWhole ? "PASS" : "PART"
            let number =
                results.count < report.cases.count
                ? "\(results.count) of \(count(report.cases.count, "case"))" : count(results.count, "case")
            lines.append("\(word)  \(agent): \(number), \(summary(report, results))")
            for (id, title) in ConformanceCatalogue.categories {
                let part = results.filter { $0.id.category == id }
                guard !part.isEmpty else { continue }
                lines.append("  \(pad(id, 3))\(pad(title, 28))\(pad("\(part.count)", 5))\(summary(report, part))")
            }
            for result in bad.prefix(most) {
                lines.append("  FAILED \(result.id)  \(report.cases[result.id]?.title ?? "")")
                lines.append("         \(result.why)")
                lines.append("         \(report.cases[result.id]?.sections.joined(separator: ", ") ?? "")")
            }
            if bad.count > most {
                let all = hasReport ? "the report lists all" : "--report DIR writes a report of all"
                lines.append("  and \(bad.count - most) more failed: \(all), with their frames")
            }
        }
        for result in report.knownFailures {
            lines.append("  known  \(result.id)  \(result.agent): \(report.known.entry(for: result)?.why ?? "")")
        }
        for entry in report.stale {
            let owner = entry.agent.map { " of \($0)" } ?? ""
            lines.append(
                """
                  line \(entry.line) of the known failures: \(entry.pattern)\(owner) did not fail; remove the \
                entry, or use --fix
                """
            )
        }
        for (why, ids) in report.skippedByReason {
            lines.append("  skipped \(count(ids.count, "case")) (\(groups(ids))): \(why)")
        }
        if report.results.isEmpty { lines.append("no case was played") }
        // The lines contain text from the peer, which must be escaped before it is written to the terminal.
        return lines.map { "\(SanitizedText($0))" }.joined(separator: "\n")
    }

    private static func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }

    /// Returns the ids or, if there are too many for one line, the number of ids in each category.
    private static func groups(_ ids: [CaseID]) -> String {
        guard ids.count > 6 else { return ids.map(\.description).joined(separator: ", ") }
        var seen: Set<String> = []
        let categories = ids.map(\.category).filter { seen.insert($0).inserted }
        return categories.map { category in "\(ids.count { $0.category == category }) of \(category)" }
            .joined(separator: ", ")
    }

    private static func summary(_ report: ConformanceReport, _ results: [ConformanceResult]) -> String {
        let words: [(CaseBehavior, String)] = [
            (.ok, "passed"), (.nonStrict, "not strict"), (.informational, "informational"),
            (.unimplemented, "unimplemented"),
            (.failed, "failed"),
        ]
        return words.compactMap { behavior, word in
            let count = report.count(behavior, in: results)
            return count > 0 || behavior == .ok ? "\(count) \(word)" : nil
        }.joined(separator: ", ")
    }

    private static func pad(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(1, width - text.count))
    }
}
