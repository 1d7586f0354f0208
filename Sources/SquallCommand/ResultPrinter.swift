import Squall
import SquallCore

/// Prints a command's results first, then writes its files, and finally reports the files that could not be written.
///
/// This way, the verdict is printed and every file is attempted even if the disk is full.
struct ResultPrinter {
    private var failures: [String] = []
    /// The maximum number of errors printed in full: a full disk causes an error for every file.
    private static let reported = 5

    /// Prints the results in `text` to standard output, and the error in `complaint` to standard error.
    init(printing text: String? = nil, complaining complaint: String? = nil) {
        Terminal.progress("")
        if let complaint { Terminal.printDiagnostics(complaint) }
        if let text, let failure = Terminal.failure(printing: text) { failures.append(failure) }
    }

    /// Runs work that may fail, and stores any error for ``ending(_:)`` to print.
    ///
    /// - Returns: Whether the work succeeded.
    @discardableResult
    mutating func attempt(_ work: () throws(SquallError) -> Void) -> Bool {
        attemptAll { () throws(SquallError) in
            try work()
            return []
        }
    }

    /// Runs work that may return several errors, and stores them for ``ending(_:)`` to print.
    ///
    /// - Returns: Whether there were no errors.
    @discardableResult
    mutating func attemptAll(_ work: () throws(SquallError) -> [SquallError]) -> Bool {
        let before = failures.count
        do throws(SquallError) { failures += try work().map(\.message) } catch { failures.append(error.message) }
        return failures.count == before
    }

    /// Prints another line of the results to standard output.
    mutating func add(_ line: String) {
        if let failure = Terminal.failure(printing: "\(SanitizedText(line))") { failures.append(failure) }
    }

    /// Runs `work`, which writes the new list of known failures (`count` entries) to `list`, and reports the result.
    mutating func mend(_ list: String, of count: Int, _ work: () throws(SquallError) -> Void) {
        attempt { () throws(SquallError) in
            try work()
            Terminal.printError("\(list): \(count) known failure\(count == 1 ? "" : "s")")
        }
    }

    /// Reports that `--fix` did not change the list, because an incomplete run does not find all failures.
    func leave(_ list: String) {
        Terminal.printError("squall: \(list) is unchanged: not everything was played to its end")
    }

    /// Prints an error for each file that could not be written.
    ///
    /// - Returns: The given status, or `internalError` if there were errors.
    func ending(_ status: ExitStatus) -> ExitStatus {
        for failure in failures.prefix(Self.reported) { Terminal.printError(failure) }
        if failures.count > Self.reported {
            Terminal.printError("squall: \(failures.count - Self.reported) more files cannot be written")
        }
        return failures.isEmpty ? status : .internalError
    }
}
