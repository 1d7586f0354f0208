import FakeServer
import ReferenceClient
import ScenarioLanguage
package import ScenarioModel
import SquallCore
import TemporalLogic

/// Renders the output of `squall explain ROW`: the statement of a catalogue row, the defects that must violate it, and
/// the expectations that cover it.
package enum RowExplanation {
    /// Explains a catalogue row such as `WS-24`, or lists the rows that belong to a finding (`UX-2.2`) or match a
    /// prefix (`WS-`, `UX-2.*`).
    ///
    /// Returns nil if `word` is none of these. The covering expectations are listed only if `scenarios` is not nil.
    package static func text(for word: String, in catalogue: Catalogue, scenarios: [Scenario]?) -> String? {
        if let row = catalogue[word] { return paragraph(row, scenarios) }
        let found = matches(word, in: catalogue)
        guard !found.isEmpty else { return nil }
        let longest = found.map(\.id.count).max() ?? 0
        return found.map { row in
            "  \(row.id)\(String(repeating: " ", count: longest - row.id.count + 2))\(row.title)"
        }.joined(separator: "\n")
    }

    /// Returns whether the word has the form of a row's id or prefix, such as `WS-`, in any catalogue.
    static func hasForm(_ word: String) -> Bool {
        let prefix = word.prefix { $0 != "-" }
        return prefix.count == 2 && prefix.count < word.count && prefix.allSatisfy { $0.isASCII && $0.isUppercase }
    }

    /// Returns whether the word begins with an audit prefix that the catalogue uses, such as `WS-`, even if the
    /// catalogue has no row with that name.
    package static func isMeant(by word: String, in catalogue: Catalogue) -> Bool {
        let prefixes = Set(catalogue.ids.map { $0.prefix { $0 != "-" } })
        return word.contains("-") && prefixes.contains(word.prefix { $0 != "-" })
    }

    package static func help(for word: String, in catalogue: Catalogue) -> String {
        CatalogueReader.help(for: word, in: catalogue)
    }

    private static func matches(_ word: String, in catalogue: Catalogue) -> [AuditRow] {
        let finding = catalogue.rows.filter { $0.finding == word }
        if !finding.isEmpty { return finding }
        guard word.hasSuffix("-") || word.hasSuffix("*") || word.hasSuffix(".") else { return [] }
        return catalogue.rows(in: RowSelection(patterns: [word.hasSuffix("*") ? word : "\(word)*"]))
    }

    private static func paragraph(_ row: AuditRow, _ scenarios: [Scenario]?) -> String {
        var lines = ["\(row.id): \(row.title)"]
        let origin: String? =
            switch row.origin {
            case .stated: nil
            case .derived: "it follows from statements of the audit"
            case .inferred: "the audit names the topic only; the numbers are proposals"
            }
        let facts = [row.audit, row.area, row.section, row.priority, origin].compactMap(\.self)
        lines.append("  \(facts.joined(separator: "; "))")
        switch row.checkability {
        case .yes: break
        case .partly(let stand): lines.append("  Without a screen, in part: \(stand).")
        case .no(let reason): lines.append("  Not testable: \(reason).")
        }
        if !row.asserts.isEmpty {
            let texts = row.asserts.map(String.init(describing:)).joined(separator: ", ")
            lines.append("  An expectation that proves it checks \(texts).")
        }
        for defect in row.defects { lines.append("  Must fail with \(described(defect)).") }
        if !row.dependsOn.isEmpty { lines.append("  Proven by \(row.dependsOn.joined(separator: ", ")).") }
        if !row.conformance.isEmpty {
            let cases = row.conformance.joined(separator: ", ")
            lines.append("  A promise of the server, proven by the conformance cases \(cases).")
        }
        if let test = row.test { lines.append("  Needs the unit test \(test).") }
        if row.isTestable, row.dependsOn.isEmpty { lines += covering(row, scenarios) }
        return lines.joined(separator: "\n")
    }

    private static func described(_ defect: String) -> String {
        if let known = Defect.named(defect) { return "\(defect) (client): \(known.breaks)" }
        if let known = ServerDefect.named(defect) { return "\(defect) (server): \(known.breaks)" }
        return "\(defect), which is not built yet"
    }

    private static func covering(_ row: AuditRow, _ scenarios: [Scenario]?) -> [String] {
        guard let scenarios else { return [] }
        var lines: [String] = []
        for scenario in scenarios {
            for expectation in scenario.expectations where expectation.covers.contains(row.id) {
                let line = "    \(expectation.location)  \(expectation.formula.word)  \(scenario.name)"
                if !lines.contains(line) { lines.append(line) }
            }
        }
        guard !lines.isEmpty || !row.conformance.isEmpty else { return ["  No expectation covers it."] }
        guard !lines.isEmpty else { return [] }
        return ["  Covered at"] + lines + ["  'squall coverage --rows \(row.id)' says whether that proves it."]
    }
}
