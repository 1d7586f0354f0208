import Conformance
import Foundations
import Squall

/// Where the results of a run of cases go, made sure of before anything is played.
struct ConformanceOutput: Sendable {
    var folder: ConformanceFolder?
    var known: KnownFailures
    /// The list is rewritten there.
    var fixedFile: String?
    var format: ConformanceCommand.Options.Format

    /// A client asks for reports in the middle of it all.
    func update(_ cases: [CaseSummary], _ results: [ConformanceResult]) {
        do {
            try folder?.write(ConformanceReport(cases, results, known: known))
        } catch {
            Terminal.complain(error.message)
        }
    }

    /// Writes and prints; the exit status. `isWhole`: what was begun was played to its end.
    func tell(
        _ cases: [CaseSummary],
        _ results: [ConformanceResult],
        skipped: [ConformanceReport.Skipped] = [],
        isWhole: Bool = !Interruption.isRequested
    ) throws -> Int32 {
        Terminal.progress("")
        var report = ConformanceReport(cases, results, skipped: skipped, known: known, isWhole: isWhole)
        // What was not played to its end says too little to change a list by.
        if let fixedFile {
            if isWhole {
                report = try fix(fixedFile, report, cases)
            } else {
                Terminal.complain("squall: \(fixedFile) is as it was: not everything was played to its end")
            }
        }
        try folder?.write(report)
        switch format {
        case .text: Terminal.print(ConformanceText.render(report, folder: folder?.path))
        case .json: Terminal.print(String(decoding: report.json.encodePretty(), as: UTF8.self))
        case .github: Terminal.print(ConformanceGitHub.render(report))
        }
        return report.exitStatus
    }

    private func fix(
        _ file: String,
        _ report: ConformanceReport,
        _ cases: [CaseSummary]
    ) throws -> ConformanceReport {
        let text = known.fixed(after: report.results)
        try WholeFile.write(text, to: file)
        let fixed = try ConformanceFolder.knownFailures(in: text, of: file, mayLackReasons: true)
        Terminal.complain("\(file): \(fixed.entries.count) known failure\(fixed.entries.count == 1 ? "" : "s")")
        return report.held(against: fixed)
    }
}
