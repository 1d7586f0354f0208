import ScenarioModel
import SquallCore

/// The syntax of audit row ids, such as `UX-2.5a`, `WS-11e` and `PO-V1`.
enum CatalogueRow {
    static let prefixes = ["UX", "PO", "WS", "FL", "PN"]
    static let help = "an id is one of \(prefixes.joined(separator: ", ")), a dash and the row, as in UX-2.5a"

    /// Returns the help text for an unknown row id: the other rows of the same finding or, if there are none, the most
    /// similar id.
    static func help(for id: String, in catalogue: Catalogue) -> String {
        let finding = AuditRow(id: id, title: "").finding
        let parts = catalogue.ids.filter { AuditRow(id: $0, title: "").finding == finding }
        if !parts.isEmpty { return "known rows: \(parts.joined(separator: ", "))" }
        return Suggestion.nearest(to: id, among: catalogue.ids).map { "did you mean '\($0)'?" }
            ?? "'squall explain \(id.prefix(3))' lists the rows"
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
