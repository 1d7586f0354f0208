import Foundations
import Reports
import ScenarioModel
import Squall

/// Where the results of a suite go.
struct RunOutput {
    var format: RunCommand.Format
    /// Files, where they are wanted.
    var junit: String?
    var report: ReportFolder?
    /// The list of known failures as it is to be from now on.
    var mended: KnownFailures?

    /// Prints first, then writes: whatever becomes of the files, the verdict of a suite that was played is told.
    ///
    /// - Returns: The exit status: the suite's, or 70 where something could not be written, each told on standard error.
    func write(_ result: SuiteResult) -> Int32 {
        var failures: [String] = []
        func attempt(_ work: () throws(SquallError) -> Void) {
            do throws(SquallError) { try work() } catch { failures.append(error.message) }
        }
        if let failure = Terminal.failure(printing: rendered(result)) { failures.append(failure) }
        if let mended {
            attempt { () throws(SquallError) in
                try KnownFailureFile.write(mended)
                Terminal.complain(
                    "\(mended.file): \(mended.entries.count) known failure\(mended.entries.count == 1 ? "" : "s")"
                )
            }
        }
        if let junit {
            attempt { () throws(SquallError) in try WholeFile.write(JUnitReport.render(result), to: junit) }
        }
        failures += report?.write(result).map(\.message) ?? []
        for failure in failures.prefix(Self.toldOf) { Terminal.complain(failure) }
        if failures.count > Self.toldOf {
            Terminal.complain("squall: and \(failures.count - Self.toldOf) files more cannot be written")
        }
        return failures.isEmpty ? result.exitStatus : 70
    }

    /// A disk that is full is so for every trace.
    private static let toldOf = 5

    private func rendered(_ result: SuiteResult) -> String {
        switch format {
        case .text: TerminalReport(colour: Terminal.colour).render(result)
        case .json: String(decoding: ResultsJSON.render(result).encodePretty(), as: UTF8.self)
        case .github: GitHubReport.render(result, hasReport: report != nil)
        }
    }
}
