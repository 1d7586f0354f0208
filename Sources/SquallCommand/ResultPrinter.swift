import Squall
import SquallCore

/// Prints a command's results first, then writes its files, and reports at the end which files could not be written.
///
/// So a full disk neither hides the verdict nor keeps the other files from being written.
struct ResultPrinter {
    private var failures: [String] = []
    /// How many failures are reported in full: a full disk fails every file.
    private static let reported = 5

    /// Prints results on standard output, or mistakes on standard error.
    init(printing text: String? = nil, complaining complaint: String? = nil) {
        Terminal.progress("")
        if let complaint { Terminal.complain(diagnostics: complaint) }
        if let text, let failure = Terminal.failure(printing: text) { failures.append(failure) }
    }

    /// Does work that may fail, and keeps its error for the end.
    ///
    /// - Returns: Whether it succeeded.
    @discardableResult
    mutating func attempt(_ work: () throws(SquallError) -> Void) -> Bool {
        attemptAll { () throws(SquallError) in
            try work()
            return []
        }
    }

    /// Does work of which several parts may fail, and keeps their errors for the end.
    ///
    /// - Returns: Whether all of it succeeded.
    @discardableResult
    mutating func attemptAll(_ work: () throws(SquallError) -> [SquallError]) -> Bool {
        let before = failures.count
        do throws(SquallError) { failures += try work().map(\.message) } catch { failures.append(error.message) }
        return failures.count == before
    }

    /// Prints another line of the results on standard output.
    mutating func add(_ line: String) {
        if let failure = Terminal.failure(printing: "\(ShownText(line))") { failures.append(failure) }
    }

    /// Writes a new list of known failures, with `count` entries.
    mutating func mend(_ list: String, of count: Int, _ work: () throws(SquallError) -> Void) {
        attempt { () throws(SquallError) in
            try work()
            Terminal.complain("\(list): \(count) known failure\(count == 1 ? "" : "s")")
        }
    }

    /// Reports that `--fix` has not changed the list, since a run that was cut short does not show what fails.
    func leave(_ list: String) {
        Terminal.complain("squall: \(list) is unchanged: not everything was played to its end")
    }

    /// Reports the files that could not be written.
    ///
    /// - Returns: The given status, or `internalError` if a file could not be written.
    func ending(_ status: ExitStatus) -> ExitStatus {
        for failure in failures.prefix(Self.reported) { Terminal.complain(failure) }
        if failures.count > Self.reported {
            Terminal.complain("squall: \(failures.count - Self.reported) more files cannot be written")
        }
        return failures.isEmpty ? status : .internalError
    }
}
