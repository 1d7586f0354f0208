import ScenarioModel
import SquallCore

/// The ids of the audit's rows: `UX-2.5a`, `WS-11e`, `PO-V1`.
enum CatalogueRow {
    static let prefixes = ["UX", "PO", "WS", "FL", "PN"]
    static let help = "an id is \(prefixes.joined(separator: ", ")), a dash and the row: UX-2.5a"

    /// What to tell somebody whose row there is none: the parts of the same finding, else the nearest row.
    static func help(for id: String, in catalogue: Catalogue) -> String {
        let finding = AuditRow(id: id, title: "").finding
        let parts = catalogue.ids.filter { AuditRow(id: $0, title: "").finding == finding }
        if !parts.isEmpty { return "there is \(parts.joined(separator: ", "))" }
        return Suggestion.nearest(to: id, among: catalogue.ids).map { "did you mean '\($0)'?" }
            ?? "'squall explain \(id.prefix(3))' lists the rows that there are"
    }

    static func isID(_ text: String) -> Bool {
        let parts = text.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, prefixes.contains(String(parts[0])) else { return false }
        var rest = parts[1]
        if let first = rest.first, first.isASCII, first.isUppercase { rest = rest.dropFirst() }
        if let last = rest.last, last.isASCII, last.isLowercase { rest = rest.dropLast() }
        let numbers = rest.split(separator: ".", omittingEmptySubsequences: false)
        return (1...2).contains(numbers.count)
            && numbers.allSatisfy { !$0.isEmpty && $0.count <= 3 && $0.allSatisfy { $0.isASCII && $0.isNumber } }
    }
}
