import Exploration
import Squall
import SquallCore

/// Prints the results of an exploration.
enum ExplorePrinter {
    /// Prints findings and a summary; returns the exit status. If `listsUnmet` is true, also prints the actions and
    /// events that occurred in no run.
    static func print(_ result: ExploreResult, listsUnmet: Bool = false) -> ExitStatus {
        Terminal.progress("")
        for found in result.found { Terminal.print(lines(of: found)) }
        if listsUnmet { for line in unmet(result.unmet) { Terminal.print(line) } }
        Terminal.print(summary(result))
        if result.isInterrupted { return .interrupted }
        if result.found.contains(where: { !$0.isConfirmed }) { return .internalError }
        return result.found.isEmpty ? .passed : .failed
    }

    private static func lines(of found: ExploreResult.Found) -> String {
        let finding = found.finding
        let runs = found.count == 1 ? "1 run" : "\(found.count) runs"
        var lines = ["FOUND  \(found.title)"]
        lines.append("       \(SanitizedText(finding.violation.why))")
        lines.append(
            "       run \(finding.run); \(finding.foundSize) steps became \(finding.draft.size) in \(finding.tries) "
                + "runs; \(runs) failed so"
        )
        lines.append("       replay: \(found.replay)")
        if !found.isConfirmed { lines.append("       its file does not fail when it is read and played again") }
        return lines.joined(separator: "\n")
    }

    private static func unmet(_ unmet: Unexercised) -> [String] {
        let lists = [("actions never played", unmet.actions), ("events that never happened", unmet.events)]
        return lists.compactMap { title, names in
            names.isEmpty ? nil : "\(title) (\(names.count)): \(names.joined(separator: ", "))"
        }
    }

    private static func summary(_ result: ExploreResult) -> String {
        let rate = Double(result.runs) / max(Double(result.wall.milliseconds) / 1000, 0.001)
        let count = result.found.count
        let what = count == 0 ? "nothing found" : count == 1 ? "1 finding" : "\(count) findings"
        let corpus = result.corpus.map { ", \($0) scenarios in the corpus" } ?? ""
        let runs = result.runs == 1 ? "1 run" : "\(result.runs) runs"
        return "\(runs) in \(TimeSpan.seconds((result.wall.milliseconds + 500) / 1000)), "
            + "\(Int(rate.rounded())) a second, \(result.features) features seen\(corpus): \(what)"
    }
}
