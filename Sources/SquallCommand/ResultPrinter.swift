import Squall
import SquallCore

/// Tells what became of a command's work, in the one order that there is: what it came to is printed first, files are written then, and what
/// could not be written is told last.
///
/// So whatever becomes of a file, on a disk that is full, the verdict is told, and every other file is written.
struct ResultPrinter {
    private var failures: [String] = []
    /// A disk that is full is so for every trace.
    private static let reported = 5

    /// Begins with results, for whoever reads the output, or with mistakes, for whoever made them.
    init(printing text: String? = nil, complaining complaint: String? = nil) {
        Terminal.progress("")
        if let complaint { Terminal.complain(complaint) }
        if let text, let failure = Terminal.failure(printing: text) { failures.append(failure) }
    }

    /// Does what may fail, with nothing else being kept from its turn.
    mutating func attempt(_ work: () throws(SquallError) -> Void) {
        attemptAll { () throws(SquallError) in
            try work()
            return []
        }
    }

    /// The same of many things, of which each may have failed.
    mutating func attemptAll(_ work: () throws(SquallError) -> [SquallError]) {
        do throws(SquallError) { failures += try work().map(\.message) } catch { failures.append(error.message) }
    }

    /// Writes a list of known failures as it is to be from now on.
    mutating func mend(_ list: String, of count: Int, _ work: () throws(SquallError) -> Void) {
        attempt { () throws(SquallError) in
            try work()
            Terminal.complain("\(list): \(count) known failure\(count == 1 ? "" : "s")")
        }
    }

    /// Of a list that was to be mended by what was not played to its end: that says too little to change a list by.
    func leave(_ list: String) {
        Terminal.complain("squall: \(list) is as it was: not everything was played to its end")
    }

    /// Says what could not be written.
    ///
    /// - Returns: The exit status: what the work came to, or 70 where something could not be written.
    func ending(_ status: ExitStatus) -> ExitStatus {
        for failure in failures.prefix(Self.reported) { Terminal.complain(failure) }
        if failures.count > Self.reported {
            Terminal.complain("squall: and \(failures.count - Self.reported) files more cannot be written")
        }
        return failures.isEmpty ? status : .internalError
    }
}
