/// What was proven before, and must still be.
package struct CoverageBaseline: Hashable, Sendable {
    package var rows: Set<String>
    package var defects: Set<String>

    package init(rows: Set<String>, defects: Set<String>) {
        self.rows = rows
        self.defects = defects
    }

    package init(_ result: CoverageResult) {
        rows = Set(result.rows.filter(\.isSettled).map(\.row.id))
        defects = Set(result.killed.map(\.name))
    }

    /// Rows and defects that were settled and are no longer, of those that the result speaks of.
    package func losses(in result: CoverageResult) -> (rows: [RowStanding], defects: [DefectStanding]) {
        (
            result.rows.filter { rows.contains($0.row.id) && !$0.isSettled },
            result.defects.filter { defects.contains($0.name) && !$0.isKilled }
        )
    }

    /// What stands in the baseline and in no catalogue: a row that was renamed or taken out.
    package func strangers(in catalogue: Catalogue) -> [String] {
        rows.filter { catalogue[$0] == nil }.sorted() + defects.subtracting(catalogue.defects).sorted()
    }

    /// How many rows and defects the result has settled beyond these.
    package func gains(in result: CoverageResult) -> (rows: Int, defects: Int) {
        let now = CoverageBaseline(result)
        return (now.rows.subtracting(rows).count, now.defects.subtracting(defects).count)
    }

    /// With what a result has measured put in the place of what was known of the same rows and defects.
    ///
    /// A row that no scenario played covers and a defect that was tried on none stay: of them the result says nothing.
    package func updated(by result: CoverageResult) -> CoverageBaseline {
        let now = CoverageBaseline(result)
        return CoverageBaseline(
            rows: rows.subtracting(result.rows.filter(\.isMeasured).map(\.row.id)).union(now.rows),
            defects: defects.subtracting(result.defects.filter(\.isMeasured).map(\.name)).union(now.defects)
        )
    }

    /// What stays although a result speaks of it, rows first.
    package func unmeasured(in result: CoverageResult) -> [String] {
        result.rows.filter { !$0.isMeasured }.map(\.row.id).filter(rows.contains)
            + result.defects.filter { !$0.isMeasured }.map(\.name).filter(defects.contains)
    }

    // MARK: - As a file

    private static let head = """
        # What 'squall coverage' has found proven and killed; 'squall coverage --baseline FILE' refuses less.
        # Written by 'squall coverage --baseline FILE --record'.

        """

    /// One line a row and a defect, sorted, so that two changes of it seldom meet.
    package var text: String {
        let lines = rows.sorted().map { "proven \($0)" } + defects.sorted().map { "killed \($0)" }
        return Self.head + lines.map { "\($0)\n" }.joined()
    }

    /// Why a file is no baseline.
    package struct Mistake: Error, Hashable, Sendable {
        package var line: Int
        package var message: String
    }

    package init(parsing text: String) throws(Mistake) {
        rows = []
        defects = []
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() where !line.isEmpty && !line.hasPrefix("#") {
            let words = line.split(separator: " ")
            switch (words.first, words.count) {
            case ("proven", 2): rows.insert(String(words[1]))
            case ("killed", 2): defects.insert(String(words[1]))
            default:
                throw Mistake(line: index + 1, message: "a line is 'proven ROW' or 'killed DEFECT', not '\(line)'")
            }
        }
    }
}
