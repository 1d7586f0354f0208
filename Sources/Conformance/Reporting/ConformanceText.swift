/// Results for a terminal.
package enum ConformanceText {
    package static func render(_ report: ConformanceReport) -> String {
        var lines: [String] = []
        for agent in report.agents {
            let results = report.results.filter { $0.agent == agent }
            let bad = report.failures.filter { $0.agent == agent }
            lines.append(
                "\(bad.isEmpty ? "PASS" : "FAIL")  \(agent): \(results.count) cases, \(summary(report, results))"
            )
            for (id, title) in Catalogue.categories {
                let part = results.filter { $0.id.category == id }
                guard !part.isEmpty else { continue }
                lines.append("  \(pad(id, 3))\(pad(title, 28))\(pad("\(part.count)", 5))\(summary(report, part))")
            }
            for result in bad {
                lines.append("  FAILED \(result.id)  \(report.cases[result.id]?.title ?? "")")
                lines.append("         \(result.why)")
                lines.append("         \(report.cases[result.id]?.sections.joined(separator: ", ") ?? "")")
            }
        }
        for result in report.knownFailures {
            lines.append("  known  \(result.id)  \(report.known.entry(for: result.id)?.why ?? "")")
        }
        for entry in report.stale {
            lines.append("  line \(entry.line) of the known failures: \(entry.pattern) did not fail; take it out")
        }
        if lines.isEmpty { lines.append("no case was played") }
        return lines.joined(separator: "\n")
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
