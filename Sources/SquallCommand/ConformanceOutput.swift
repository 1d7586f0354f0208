import Conformance
import Reports
import Squall
import SquallCore

/// Where the results of a run of cases go, made sure of before anything is played.
struct ConformanceOutput: Sendable {
    var folder: ConformanceFolder?
    var known: KnownCaseFailures
    /// The list is rewritten there.
    var fixedFile: String?
    var format: ConformanceCommand.Options.Format

    /// A client asks for reports in the middle of it all.
    func update(_ cases: [CaseSummary], _ results: [ConformanceResult]) {
        // The disk that is full for one file is so for the next.
        let failures = folder?.write(ConformanceReport(cases, results, known: known)) ?? []
        if let first = failures.first { Terminal.complain(first.message) }
    }

    /// Prints and writes. `isWhole`: what was begun was played to its end.
    ///
    /// - Returns: The exit status: the report's, or 70 where something could not be written.
    func emit(
        _ cases: [CaseSummary],
        _ results: [ConformanceResult],
        skipped: [ConformanceReport.Skipped] = [],
        isWhole: Bool = !Interruption.isRequested
    ) -> ExitStatus {
        var report = ConformanceReport(cases, results, skipped: skipped, known: known, isWhole: isWhole)
        let mended = known.fixed(after: report.results)
        if let fixedFile, isWhole, let list = try? Self.list(mended, of: fixedFile) {
            report = report.held(against: list)
        }
        var telling = ResultPrinter(printing: rendered(report))
        if let fixedFile, isWhole {
            telling.mend(fixedFile, of: report.known.entries.count) { () throws(SquallError) in
                // What could not be read again is not written.
                _ = try Self.list(mended, of: fixedFile)
                try WholeFile.write(mended, to: fixedFile)
            }
        } else if let fixedFile {
            telling.leave(fixedFile)
        }
        if let folder { telling.attemptAll { folder.write(report) } }
        return telling.ending(report.exitStatus)
    }

    private func rendered(_ report: ConformanceReport) -> String {
        switch format {
        case .text: ConformanceText.render(report, folder: folder?.path)
        case .json: String(decoding: report.json.encodePretty(), as: UTF8.self)
        case .github: ConformanceGitHub.render(report)
        }
    }

    private static func list(_ text: String, of file: String) throws(SquallError) -> KnownCaseFailures {
        try ConformanceFolder.knownFailures(in: text, of: file, mayLackReasons: true)
    }
}
