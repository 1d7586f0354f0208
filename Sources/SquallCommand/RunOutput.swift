import Reports
import ScenarioModel
import Squall
import SquallCore

/// Where the results of a suite go.
struct RunOutput {
    var format: RunCommand.Format
    /// Files, where they are wanted.
    var junit: String?
    /// The folder of the report.
    var report: String?
    /// The list of known failures as it is to be from now on, if all of the suite was played.
    var mended: KnownFailures?

    /// Sees that all of it can be written, before anything is played.
    func prepare() throws(SquallError) {
        if let report { _ = try ReportFolder(path: report) }
        if let junit { try ReportFolder.check(junit) }
    }

    /// Tells what was played.
    ///
    /// - Returns: The exit status: the suite's, or 70 where something could not be written.
    func write(_ result: SuiteResult) -> ExitStatus {
        var telling = ResultPrinter(printing: rendered(result))
        if let mended, result.brokenOffBy == nil {
            telling.mend(mended.file, of: mended.entries.count) { () throws(SquallError) in
                try KnownFailureFile.write(mended)
            }
        } else if let mended {
            telling.leave(mended.file)
        }
        if let junit {
            telling.attempt { () throws(SquallError) in try WholeFile.write(JUnitReport.render(result), to: junit) }
        }
        if let report {
            telling.attemptAll { () throws(SquallError) in try ReportFolder(path: report).write(result) }
        }
        return telling.ending(result.exitStatus)
    }

    /// Tells why nothing was played: what is wrong with the files, beside its line too where results are. Whoever reads no results
    /// would take them for no failures.
    ///
    /// - Returns: The exit status: that of the mistakes, or 70 where something could not be written.
    func write(mistakes: SquallError) -> ExitStatus {
        let annotations = format == .github ? GitHubReport.annotations(of: mistakes.message) : ""
        // GitHub reads both outputs.
        let told = format == .github ? ShownText(lines: mistakes.message).workflowLog : mistakes.message
        var telling = ResultPrinter(printing: annotations.isEmpty ? nil : annotations, complaining: told)
        if let junit {
            telling.attempt { () throws(SquallError) in
                try WholeFile.write(JUnitReport.render(mistakes: mistakes.message), to: junit)
            }
        }
        if let report {
            telling.attemptAll { () throws(SquallError) in
                try ReportFolder(path: report).write(mistakes: mistakes.message)
            }
        }
        return telling.ending(mistakes.exitStatus)
    }

    private func rendered(_ result: SuiteResult) -> String {
        switch format {
        case .text: TerminalReport(colour: Terminal.colour, width: Terminal.width).render(result)
        case .json: String(decoding: ResultsJSON.render(result).encodePretty(), as: UTF8.self)
        case .github: GitHubReport.render(result, hasReport: report != nil)
        }
    }
}
