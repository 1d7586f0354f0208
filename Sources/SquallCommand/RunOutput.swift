import Reports
import ScenarioModel
import Squall
import SquallCore

/// The destinations of a suite's results.
struct RunOutput {
    var format: RunCommand.Format
    /// The path of the JUnit XML file; nil if no such file is written.
    var junit: String?
    /// The path of the report's folder; nil if no report is written.
    var report: String?
    /// Whether the report contains the traces of runs that passed.
    var tracesOfPasses = true
    /// The failures of earlier runs, which the report lists until their cases are run again.
    var earlier: [LastResults.Failure] = []
    /// Whether every case is printed on a separate line.
    var isVerbose = false
    /// The new list of known failures, which is written if the suite is completed; nil if `--fix` is not given.
    var updated: KnownFailures?

    /// Checks that the files can be written, before any case is run.
    ///
    /// - Throws: ``SquallError`` if a file cannot be written.
    func prepare() throws(SquallError) {
        if let report { _ = try ReportFolder(path: report) }
        if let junit { try ReportFolder.check(junit) }
    }

    /// Keeps the report of earlier runs if `isKept` is true, so that a `--last-failed` run that selects nothing does
    /// not replace it with an empty one. A shard always writes its report, because a merge needs it.
    mutating func keepReport(if isKept: Bool) {
        if isKept { report = nil }
    }

    /// Prints and writes the results.
    ///
    /// - Returns: The suite's exit status, or `internalError` if a result could not be written.
    func write(_ result: SuiteResult) -> ExitStatus {
        var printer = ResultPrinter(printing: rendered(result))
        if let updated, result.stopReason == nil {
            printer.mend(updated.file, of: updated.entries.count) { () throws(SquallError) in
                try KnownFailureFile.write(updated)
            }
        } else if let updated {
            printer.leave(updated.file)
        }
        if let junit {
            printer.attempt { () throws(SquallError) in
                try WholeFile.write(ReportFolder.junit(of: result, in: report), to: junit)
            }
        }
        printer.attempt { () throws(SquallError) in try summarize(JobSummary.render(result)) }
        if let report {
            let isWritten = printer.attemptAll { () throws(SquallError) in
                try ReportFolder(path: report).write(
                    result,
                    tracesOfPasses: tracesOfPasses,
                    earlier: earlier
                )
            }
            // The page is mentioned only after it has been written successfully.
            if isWritten, [.text, .github].contains(format) { printer.add("report: \(report)/index.html") }
        }
        return printer.ending(result.exitStatus)
    }

    /// Reports the error that prevented all cases from running, either in the scenario files or in the client. The
    /// error is also written to the result files, because a missing file could be mistaken for the absence of failures.
    ///
    /// - Returns: The exit status of the error, or `internalError` if a file could not be written.
    func write(unplayed error: SquallError) -> ExitStatus {
        let suite = UnplayedSuite(error.message, of: error.isOfClient ? .client : .files)
        let annotations = format == .github ? GitHubReport.annotations(of: suite) : ""
        // GitHub parses workflow commands in both stdout and stderr, so text quoted from files must not look like one.
        let messages = format == .github ? SanitizedText(lines: error.message).workflowLog : error.message
        var printer = ResultPrinter(printing: annotations.isEmpty ? nil : annotations, complaining: messages)
        printer.attempt { () throws(SquallError) in try summarize(JobSummary.render(suite)) }
        if let junit {
            printer.attempt { () throws(SquallError) in try WholeFile.write(JUnitReport.render(suite), to: junit) }
        }
        if let report {
            printer.attemptAll { () throws(SquallError) in try ReportFolder(path: report).write(suite) }
        }
        return printer.ending(error.exitStatus)
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

    /// Appends `text` to the job summary of GitHub Actions if an environment variable specifies the summary's file. The
    /// summary is independent of the output format.
    private func summarize(_ text: String) throws(SquallError) {
        guard let file = Terminal.environment("GITHUB_STEP_SUMMARY") else { return }
        try WholeFile.append(text, to: file)
    }
}
