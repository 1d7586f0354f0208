import Reports
import ScenarioModel
import Squall
import SquallCore

/// The destinations of a suite's results.
struct RunOutput {
    var format: RunCommand.Format
    /// The JUnit file; nil for none.
    var junit: String?
    /// The folder of the report; nil for none.
    var report: String?
    /// Whether runs that passed have their trace in the report, too.
    var tracesOfPasses = true
    /// The failures of earlier runs, which stay in the report's list until their cases are played again.
    var earlier: [LastResults.Failure] = []
    /// Whether every case has a line of its own on the terminal.
    var isVerbose = false
    /// The new list of known failures, to be written if the whole suite was played; nil without `--fix`.
    var mended: KnownFailures?

    /// Checks before anything is played that the files can be written.
    ///
    /// - Throws: ``SquallError`` if one cannot.
    func prepare() throws(SquallError) {
        if let report { _ = try ReportFolder(path: report) }
        if let junit { try ReportFolder.check(junit) }
    }

    /// Prints and writes the results.
    ///
    /// - Returns: The suite's exit status, or `internalError` if something could not be written.
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
            telling.attempt { () throws(SquallError) in
                try WholeFile.write(ReportFolder.junit(of: result, in: report), to: junit)
            }
        }
        telling.attempt { () throws(SquallError) in try summarize(JobSummary.render(result)) }
        if let report {
            let isWritten = telling.attemptAll { () throws(SquallError) in
                try ReportFolder(path: report).write(
                    result,
                    tracesOfPasses: tracesOfPasses,
                    earlier: earlier
                )
            }
            // Only now, since a page that could not be written must not be named.
            if isWritten, [.text, .github].contains(format) { telling.add("report: \(report)/index.html") }
        }
        return telling.ending(result.exitStatus)
    }

    /// Reports why nothing was played: the mistakes in the files. They are also written in place of results, since a
    /// missing result file would be taken for no failures.
    ///
    /// - Returns: The exit status of the mistakes, or `internalError` if something could not be written.
    func write(mistakes: SquallError) -> ExitStatus {
        let annotations = format == .github ? GitHubReport.annotations(of: mistakes.message) : ""
        // GitHub reads workflow commands from both outputs, so text of files must not look like one.
        let told = format == .github ? ShownText(lines: mistakes.message).workflowLog : mistakes.message
        var telling = ResultPrinter(printing: annotations.isEmpty ? nil : annotations, complaining: told)
        telling.attempt { () throws(SquallError) in try summarize(JobSummary.render(mistakes: mistakes.message)) }
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
        case .text: text(colour: Terminal.colour, width: Terminal.width).render(result)
        case .jsonl: ResultsJSON.summary(of: result)
        case .json: String(decoding: ResultsJSON.render(result).encodePretty(), as: UTF8.self)
        case .github:
            GitHubReport.render(result, hasReport: report != nil, text: text(colour: false, width: nil))
        }
    }

    private func text(colour: Bool, width: Int?) -> TerminalReport {
        TerminalReport(colour: colour, width: width, verbose: isVerbose)
    }

    /// Appends to the summary of a job of GitHub actions, whose file the environment names; the format of the log is
    /// of no account.
    private func summarize(_ text: String) throws(SquallError) {
        guard let file = Terminal.environment("GITHUB_STEP_SUMMARY") else { return }
        try WholeFile.append(text, to: file)
    }
}
