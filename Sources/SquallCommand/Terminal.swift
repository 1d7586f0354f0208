import SquallCore
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Standard output and standard error as this process finds them.
enum Terminal {
    static let outputIsTerminal = isatty(STDOUT_FILENO) == 1
    static let errorIsTerminal = isatty(STDERR_FILENO) == 1

    /// Colour belongs on a terminal, unless the user says no (no-color.org).
    static let colour = outputIsTerminal && allowsColour

    /// How many columns the terminal has that results go to; nil where they go elsewhere, or it does not say.
    static var width: Int? { columns(of: STDOUT_FILENO) }

    private static func columns(of descriptor: Int32) -> Int? {
        var size = winsize()
        guard isatty(descriptor) == 1, ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
            return nil
        }
        return Int(size.ws_col)
    }

    /// A terminal that can take a line back.
    private static let showsProgress = errorIsTerminal && environment("TERM") != "dumb"

    private static func environment(_ name: String) -> String? {
        guard let value = getenv(name), value.pointee != 0 else { return nil }
        return String(cString: value)
    }

    /// Results: everything a pipe should receive.
    ///
    /// Where they cannot be written, on a disk that is full, nobody may take the silence for success: the process ends with
    /// 70. A reader that has gone has had what it wanted.
    static func print(_ text: String) {
        guard let failure = failure(printing: text) else { return }
        complain(failure)
        exit(ExitStatus.internalError.code)
    }

    /// The same for who has more to do before the process ends: why it could not be written, or nil.
    static func failure(printing text: String) -> String? {
        guard let failure = write(text + "\n", to: STDOUT_FILENO), failure != EPIPE else { return nil }
        return "squall: the results cannot be written: \(String(cString: strerror(failure)).lowercased())"
    }

    /// Progress, warnings and errors. They name what stands in files and what peers say: no more than text.
    static func complain(_ text: String) {
        write("\(ShownText(lines: text))\n", to: STDERR_FILENO)
    }

    /// One line of progress that the next one overwrites; nothing where nobody watches.
    ///
    /// It ends where the terminal does: of one that went on in the next line, that line alone would be taken back.
    static func progress(_ text: String) {
        guard showsProgress else { return }
        let shown = ShownText(text).description.prefix((columns(of: STDERR_FILENO) ?? 80) - 1)
        write("\r\u{1B}[K\(shown)", to: STDERR_FILENO)
    }

    private static let allowsColour = environment("NO_COLOR") == nil && environment("TERM") != "dumb"

    /// Why it could not be written; nil where it was.
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
