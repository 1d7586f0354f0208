import SquallCore
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Writes to this process's standard output and standard error.
enum Terminal {
    static let outputIsTerminal = isatty(STDOUT_FILENO) == 1
    static let errorIsTerminal = isatty(STDERR_FILENO) == 1

    /// Whether standard output is coloured. It is coloured on a terminal or if FORCE_COLOR is set, unless NO_COLOR is
    /// set (no-color.org).
    static let colour = allowsColour && (outputIsTerminal || forcesColour)

    /// Whether standard error is coloured, by the same rules as ``colour``.
    private static let errorColour = allowsColour && (errorIsTerminal || forcesColour)

    /// Whether FORCE_COLOR is set, as in CI systems whose logs support colours; the value 0 has the same effect as no
    /// value.
    private static let forcesColour = environment("FORCE_COLOR").map { $0 != "0" } ?? false

    /// The width of the terminal on standard output in columns; nil if there is no terminal or its width is unknown.
    static var width: Int? { columns(of: STDOUT_FILENO) }

    private static func columns(of descriptor: Int32) -> Int? {
        var size = winsize()
        guard isatty(descriptor) == 1, ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
            return nil
        }
        return Int(size.ws_col)
    }

    /// Whether progress is shown; true if standard error is a terminal on which a line can be overwritten.
    static let showsProgress = errorIsTerminal && environment("TERM") != "dumb"

    static func environment(_ name: String) -> String? {
        guard let value = getenv(name), value.pointee != 0 else { return nil }
        return String(cString: value)
    }

    /// Prints results to standard output.
    ///
    /// Ends the process with status 70 if they cannot be written, for example because the disk is full: missing output
    /// must not look like success. A reader that has closed the pipe is not an error.
    static func print(_ text: String) {
        guard let failure = failure(printing: text) else { return }
        printError(failure)
        exit(ExitStatus.internalError.code)
    }

    /// Prints results. If they cannot be written, returns an error message instead of ending the process; otherwise
    /// returns nil.
    static func failure(printing text: String) -> String? {
        guard let failure = write(text + "\n", to: STDOUT_FILENO), failure != EPIPE else { return nil }
        return "squall: the results cannot be written: \(String(cString: strerror(failure)).lowercased())"
    }

    /// Writes a protocol message to standard output; ends the process with status 70 if the pipe is closed.
    static func emit(_ message: [UInt8]) {
        guard write(String(decoding: message, as: UTF8.self), to: STDOUT_FILENO) != nil else { return }
        exit(ExitStatus.internalError.code)
    }

    /// Prints why the process cannot continue, and ends it with status 70.
    static func fail(_ reason: String) {
        printError(reason)
        exit(ExitStatus.internalError.code)
    }

    /// Prints a warning or an error to standard error. Control characters are escaped.
    static func printError(_ text: String) {
        write("\(SanitizedText(lines: text))\n", to: STDERR_FILENO)
    }

    /// Prints the diagnostics of scenario files to standard error, in colour if standard error supports it.
    static func printDiagnostics(_ text: String) {
        let harmless = "\(SanitizedText(lines: text))"
        write("\(errorColour ? DiagnosticColours.coloured(harmless) : harmless)\n", to: STDERR_FILENO)
    }

    /// Shows a progress line that the next call overwrites; does nothing if standard error is not a terminal.
    ///
    /// The line is truncated to the terminal's width, because only the last row of a wrapped line would be overwritten.
    static func progress(_ text: String) {
        guard showsProgress else { return }
        let shown = SanitizedText(text).description.prefix((columns(of: STDERR_FILENO) ?? 80) - 1)
        write("\r\u{1B}[K\(shown)", to: STDERR_FILENO)
    }

    /// Writes control codes to the terminal, without adding a line break.
    static func draw(_ codes: String) { write(codes, to: STDOUT_FILENO) }

    private static let allowsColour = environment("NO_COLOR") == nil && (environment("TERM") != "dumb" || forcesColour)

    /// Writes the whole text; returns `errno` if the write fails, or nil if it succeeds.
    @discardableResult
    private static func write(_ text: String, to descriptor: Int32) -> Int32? {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let written = write(bytes, to: descriptor)
            if written > 0 {
                bytes = bytes.dropFirst(written)
            } else if errno != EINTR {
                return errno
            }
        }
        return nil
    }

    /// Calls `write(2)` once; returns the number of bytes written, or -1 with the reason in `errno`.
    static func write(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) -> Int {
        bytes.withUnsafeBytes { platformWrite(descriptor, $0) }
    }
}

/// Calls `write(2)`. The function is declared outside `Terminal`, whose methods of the same name shadow the system
/// call.
private func platformWrite(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    guard let start = bytes.baseAddress else { return 0 }
    return write(descriptor, start, bytes.count)
}
