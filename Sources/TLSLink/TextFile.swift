#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#endif

/// Reads small files that the user has specified.
package enum TextFile {
    /// Returns the contents of a file; nil if it cannot be read, with the reason in ``lastError``.
    package static func contents(of path: String) -> [UInt8]? {
        guard let file = fopen(path, "re") else { return nil }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65536)
        while true {
            let count = fread(&buffer, 1, buffer.count, file)
            guard count > 0 else { return ferror(file) == 0 ? bytes : nil }
            bytes += buffer[..<count]
        }
    }

    /// The system's message for the current `errno`; valid only immediately after a failed call.
    package static var lastError: String { String(cString: strerror(errno)) }
}
