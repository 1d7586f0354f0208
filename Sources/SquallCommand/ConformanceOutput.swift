import Conformance
import Reports
import Squall
import SquallCore

/// The destinations of conformance results, which are checked before any case is run.
struct ConformanceOutput: Sendable {
    var folder: ConformanceFolder?
    var known: KnownCaseFailures
    /// The known-failures file to rewrite; nil unless `--fix` is given.
    var fixedFile: String?
    var format: ConformanceCommand.Options.Format

    /// Writes a report of the results so far; a client may request it during the run.
    func update(_ cases: [CaseSummary], _ results: [ConformanceResult]) {
        // A full disk causes an error for every file, so only the first error is printed.
        let failures = folder?.write(ConformanceReport(cases, results, known: known)) ?? []
        if let first = failures.first { Terminal.printError(first.message) }
    }

    /// Prints and writes the results. `isWhole` states whether the run is complete.
    ///
    /// - Returns: The exit status of the report, or `internalError` if the report or another file could not be written.
    func emit(
        _ cases: [CaseSummary],
        _ results: [ConformanceResult],
        skipped: [ConformanceReport.Skipped] = [],
        isWhole: Bool = !Interruption.isRequested
    ) -> ExitStatus {
        var report = ConformanceReport(cases, results, skipped: skipped, known: known, isWhole: isWhole)
        let updated = known.fixed(after: report.results)
        if let fixedFile, isWhole, let list = try? Self.list(updated, of: fixedFile) {
            report = report.held(against: list)
        }
        var printer = ResultPrinter(printing: rendered(report))
        if let fixedFile, isWhole {
            printer.mend(fixedFile, of: report.known.entries.count) { () throws(SquallError) in
                // Throws an error if the new list cannot be parsed, so that an invalid list is not written.
                _ = try Self.list(updated, of: fixedFile)
                try WholeFile.write(updated, to: fixedFile)
            }
        } else if let fixedFile {
            printer.leave(fixedFile)
        }
        if let folder, printer.attemptAll({ folder.write(report) }), format != .json {
            printer.add("report: \(folder.path)/index.html")
        }
        return printer.ending(report.exitStatus)
    }

    private func rendered(_ report: ConformanceReport) -> String {
        switch format {
        case .text: ConformanceText.render(report, hasReport: folder != nil)
        case .json: String(decoding: report.json.encodePretty(), as: UTF8.self)
        case .github: ConformanceGitHub.render(report)
        }
    }

    private static func list(_ text: String, of file: String) throws(SquallError) -> KnownCaseFailures {
        try ConformanceFolder.knownFailures(in: text, of: file, mayLackReasons: true)
    }
}
