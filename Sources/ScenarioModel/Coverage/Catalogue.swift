/// The rows (requirements) of all audits. Coverage measures which of them the scenarios prove.
package struct Catalogue: Hashable, Sendable {
    /// The rows, ordered by audit and, within an audit, in the order in which the audit lists them.
    package let rows: [AuditRow]
    private let places: [String: Int]

    /// Creates a catalogue. If several rows have the same id, looking up that id finds only the first; the parser of
    /// catalogue files rejects duplicates.
    package init(_ rows: [AuditRow]) {
        self.rows = rows
        places = Dictionary(rows.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { first, _ in first })
    }

    package subscript(id: String) -> AuditRow? {
        places[id].map { rows[$0] }
    }

    package var ids: [String] { rows.map(\.id) }

    /// The names of all defects, sorted and without duplicates.
    package var defects: [String] { Set(rows.flatMap(\.defects)).sorted() }

    package func rows(with defect: String) -> [AuditRow] {
        rows.filter { $0.defects.contains(defect) }
    }

    /// Returns the rows named by a reference in ``AuditRow/dependsOn``: the row with that id, or all rows of that
    /// finding.
    package func rows(of reference: String) -> [AuditRow] {
        if let row = self[reference] { return [row] }
        return rows.filter { $0.finding == reference }
    }

    /// Returns the selected catalogue rows, in the catalogue's order.
    package func rows(in selection: RowSelection) -> [AuditRow] {
        rows.filter(selection.includes)
    }

    /// Returns the ids of the selected catalogue rows and of all rows on which they depend, directly or through other
    /// rows.
    package func rowsAndDependencies(of selection: RowSelection) -> Set<String> {
        var found: Set<String> = []
        var open = rows(in: selection)
        while let row = open.popLast() {
            guard found.insert(row.id).inserted else { continue }
            open += row.dependsOn.flatMap(rows(of:))
        }
        return found
    }

    /// An error message for each reference to a row that the catalogue does not contain.
    package var problems: [String] {
        rows.flatMap { row in
            row.dependsOn.filter { rows(of: $0).isEmpty }.map {
                "\(row.id) rests on \($0), which is neither a row nor a finding"
            }
        }
    }
}

/// The catalogue rows to which a command applies: all rows if no pattern and no area is specified.
package struct RowSelection: Hashable, Sendable {
    /// Row ids, or prefixes followed by `*`, such as `WS-1a` and `UX-2.*`.
    package var patterns: [String]
    package var areas: [String]

    package init(patterns: [String] = [], areas: [String] = []) {
        self.patterns = patterns
        self.areas = areas
    }

    package var isAll: Bool { patterns.isEmpty && areas.isEmpty }

    package func includes(_ row: AuditRow) -> Bool {
        (patterns.isEmpty || patterns.contains { RowSelection.matches($0, row.id) })
            && (areas.isEmpty || areas.contains(row.area))
    }

    static func matches(_ pattern: String, _ id: String) -> Bool {
        pattern.hasSuffix("*") ? id.hasPrefix(pattern.dropLast()) : id == pattern
    }
}
