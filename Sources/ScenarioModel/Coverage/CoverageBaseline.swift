/// The catalogue rows that were proven and the defects that were killed (detected) in an earlier coverage measurement.
/// A later measurement must not lose any of them.
package struct CoverageBaseline: Hashable, Sendable {
    package var rows: Set<String>
    package var defects: Set<String>

    package init(rows: Set<String>, defects: Set<String>) {
        self.rows = rows
        self.defects = defects
    }

    package init(_ result: CoverageResult) {
        rows = Set(result.rows.filter(\.isProven).map(\.row.id))
        defects = Set(result.killed.map(\.name))
    }

    /// Returns the baseline's rows and defects that are no longer proven or killed, respectively, in the result.
    ///
    /// A row is not lost if only the result of its unit test is missing.
    package func losses(in result: CoverageResult) -> (rows: [RowStatus], defects: [DefectStatus]) {
        (
            result.rows.filter { rows.contains($0.row.id) && !$0.isProven && !$0.isUnverified },
            result.defects.filter { defects.contains($0.name) && !$0.isKilled }
        )
    }

    /// Returns the names of the baseline's rows and defects that the catalogue no longer contains, because they were
    /// renamed or removed.
    package func unknownNames(in catalogue: Catalogue) -> [String] {
        rows.filter { catalogue[$0] == nil }.sorted() + defects.subtracting(catalogue.defects).sorted()
    }

    /// Returns how many rows and defects are newly proven or killed in the result, compared with the baseline.
    package func gains(in result: CoverageResult) -> (rows: Int, defects: Int) {
        let now = CoverageBaseline(result)
        return (now.rows.subtracting(rows).count, now.defects.subtracting(defects).count)
    }

    /// Returns the baseline updated with the rows and defects that the result measured.
    ///
    /// Rows that no executed scenario covers, and defects that were not tried, remain unchanged.
    package func updated(by result: CoverageResult) -> CoverageBaseline {
        let now = CoverageBaseline(result)
        return CoverageBaseline(
            rows: rows.subtracting(result.rows.filter { result.isMeasured($0) }.map(\.row.id)).union(now.rows),
            defects: defects.subtracting(result.defects.filter(\.isMeasured).map(\.name)).union(now.defects)
        )
    }

    /// Returns the baseline's rows and defects that the result did not measure, rows first. They stay in the baseline.
    package func unmeasured(in result: CoverageResult) -> [String] {
        result.rows.filter { !result.isMeasured($0) }.map(\.row.id).filter(rows.contains)
            + result.defects.filter { !$0.isMeasured }.map(\.name).filter(defects.contains)
    }

    // MARK: - File format

    private static let head = """
        # Rows proven and defects killed by the scenarios; 'squall coverage --baseline FILE' fails if any of them is \
        lost.
        # Written by 'squall coverage --baseline FILE --record'.

        """

    /// The content of the file: a line for each row and each defect, sorted, so that merge conflicts are rare.
    package var text: String {
        let lines = rows.sorted().map { "proven \($0)" } + defects.sorted().map { "killed \($0)" }
        return Self.head + lines.map { "\($0)\n" }.joined()
    }

    /// An invalid line of a baseline file.
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
