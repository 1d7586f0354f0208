package import ScenarioModel
import SquallCore

/// Renders coverage as a Markdown page: a table for each audit, with the state of every row (requirement).
package enum CoverageMarkdown {
    package static func render(_ result: CoverageResult) -> String {
        var lines = [
            "# What the scenarios prove", "",
            """
            \(result.proven.count) of \(result.testable.count) testable rows proven, \
            \(result.conformant.count) proven by conformance cases, \(result.tested.count) held by unit tests, \
            \(result.untestable.count) not testable; \(result.killed.count) of \
            \(result.built.count) defects killed, \(result.notBuilt.count) not built.
            """,
        ]
        var audit = ""
        for status in result.rows {
            if status.row.audit != audit {
                audit = status.row.audit
                lines += ["", "## \(audit)", ""]
                lines += ["| row | states | is | by | fails with a defect |", "|---|---|---|---|---|"]
            }
            let cells = [status.row.id, status.row.title, state(status), by(status), kill(status)]
            lines.append("| \(cells.map(cell).joined(separator: " | ")) |")
        }
        lines += table(
            "Surviving defects",
            ["defect", "rows"],
            result.survivors.map { [$0.name, $0.rows.joined(separator: ", ")] }
        )
        lines += table(
            "Defects not built",
            ["defect", "rows"],
            result.notBuilt.map { [$0.name, $0.rows.joined(separator: ", ")] }
        )
        lines += table(
            "Expectations that prove nothing",
            ["place", "word", "case"],
            result.unprovable.map { ["\($0.location)", $0.word, $0.title] }
        )
        lines += table(
            "Expectations that no planted defect breaks",
            ["place", "word", "rows"],
            result.unbroken.map { ["\($0.location)", $0.word, $0.covers.joined(separator: ", ")] }
        )
        return lines.joined(separator: "\n")
    }

    private static func state(_ status: RowStatus) -> String {
        switch status.status {
        case .proven: "proven"
        case .conformant: "proven by conformance"
        case .tested: "held by a test"
        case .unproven: status.isUnverified ? "**not verified**" : "**unproven**"
        case .untestable: "not testable"
        }
    }

    private static func by(_ status: RowStatus) -> String {
        switch status.status {
        case .proven:
            status.row.dependsOn.isEmpty
                ? status.coveredAt.map { "\($0.file):\($0.line)" }.joined(separator: ", ")
                : "rests on \(status.row.dependsOn.joined(separator: ", "))"
        case .conformant(let cases): cases.joined(separator: ", ")
        case .tested(let test): test
        case .unproven(let reasons): reasons.map(String.init(describing:)).joined(separator: "; ")
        case .untestable(let reason): reason
        }
    }

    private static func kill(_ status: RowStatus) -> String {
        status.status == .proven && status.row.dependsOn.isEmpty ? status.kill.inWords : ""
    }

    private static func table(_ title: String, _ head: [String], _ rows: [[String]]) -> [String] {
        guard !rows.isEmpty else { return [] }
        let lines = ["| \(head.joined(separator: " | ")) |", "|\(String(repeating: "---|", count: head.count))"]
        return ["", "## \(title)", ""] + lines + rows.map { "| \($0.map(cell).joined(separator: " | ")) |" }
    }

    /// Escapes vertical bars, which would end the table cell, and joins the lines of the text.
    private static func cell(_ text: String) -> String {
        text.split(separator: "|", omittingEmptySubsequences: false).joined(separator: "\\|")
            .split(separator: "\n").joined(separator: " ")
    }
}
