import SquallCore
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Standard output and standard error of this process.
enum Terminal {
    static let outputIsTerminal = isatty(STDOUT_FILENO) == 1
    static let errorIsTerminal = isatty(STDERR_FILENO) == 1

    /// Whether output is coloured: on a terminal or with FORCE_COLOR, unless NO_COLOR is set (no-color.org).
    static let colour = allowsColour && (outputIsTerminal || forcesColour)

    /// Whether output on standard error is coloured, by the same rules.
    private static let errorColour = allowsColour && (errorIsTerminal || forcesColour)

    /// Whether FORCE_COLOR is set, as build servers do whose logs show colours; 0 counts as not set.
    private static let forcesColour = environment("FORCE_COLOR").map { $0 != "0" } ?? false

    /// The columns of the terminal that results are printed on; nil if that is no terminal, or its width is unknown.
    static var width: Int? { columns(of: STDOUT_FILENO) }

    private static func columns(of descriptor: Int32) -> Int? {
        var size = winsize()
        guard isatty(descriptor) == 1, ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
            return nil
        }
        return Int(size.ws_col)
    }

    /// Whether progress is shown: standard error is a terminal that can overwrite a line.
    static let showsProgress = errorIsTerminal && environment("TERM") != "dumb"

    static func environment(_ name: String) -> String? {
        guard let value = getenv(name), value.pointee != 0 else { return nil }
        return String(cString: value)
    }

    /// Prints results on standard output.
    ///
    /// Ends the process with status 70 if they cannot be written, for example on a full disk: missing output must not
    /// look like success. A reader that has closed the pipe is no failure.
    static func print(_ text: String) {
        guard let failure = failure(printing: text) else { return }
        complain(failure)
        exit(ExitStatus.internalError.code)
    }

    /// Prints results; returns why they could not be written, or nil. For callers with more to do before the process
    /// ends.
    static func failure(printing text: String) -> String? {
        guard let failure = write(text + "\n", to: STDOUT_FILENO), failure != EPIPE else { return nil }
        return "squall: the results cannot be written: \(String(cString: strerror(failure)).lowercased())"
    }

    /// Writes a message of a protocol on standard output; ends the process with status 70 if nothing reads it.
    static func emit(_ message: [UInt8]) {
        guard write(String(decoding: message, as: UTF8.self), to: STDOUT_FILENO) != nil else { return }
        exit(ExitStatus.internalError.code)
    }

    /// Prints why the process cannot go on, and ends it with status 70.
    static func fail(_ reason: String) {
        complain(reason)
        exit(ExitStatus.internalError.code)
    }

    /// Prints a warning or an error on standard error. Control characters from files and peers are made harmless.
    static func complain(_ text: String) {
        write("\(ShownText(lines: text))\n", to: STDERR_FILENO)
    }

    /// Prints the diagnostics of scenario files on standard error, in colours on a terminal.
    static func complain(diagnostics text: String) {
        let harmless = "\(ShownText(lines: text))"
        write("\(errorColour ? DiagnosticColours.coloured(harmless) : harmless)\n", to: STDERR_FILENO)
    }

    /// Shows a line of progress that the next call overwrites; does nothing if standard error is no terminal.
    ///
    /// The line is cut at the terminal's width: of a line that wraps, only the last row would be overwritten.
    static func progress(_ text: String) {
        guard showsProgress else { return }
        let shown = ShownText(text).description.prefix((columns(of: STDERR_FILENO) ?? 80) - 1)
        write("\r\u{1B}[K\(shown)", to: STDERR_FILENO)
    }

    /// Writes codes that draw on the terminal, without a line break of its own.
    static func draw(_ codes: String) { write(codes, to: STDOUT_FILENO) }

    private static let allowsColour = environment("NO_COLOR") == nil && (environment("TERM") != "dumb" || forcesColour)

    /// Writes the whole text; returns the `errno` of a failure, or nil.
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

    /// One `write(2)`: how many bytes were written, or -1 with the reason in `errno`.
    static func write(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) -> Int {
        bytes.withUnsafeBytes { platformWrite(descriptor, $0) }
    }
}

/// Outside of `Terminal`, whose own methods of this name hide the system's.
private func platformWrite(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    guard let start = bytes.baseAddress else { return 0 }
    return write(descriptor, start, bytes.count)
}
