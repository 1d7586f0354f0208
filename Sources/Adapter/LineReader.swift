/// Splits a byte stream into lines. Empty lines are dropped, as is a carriage return before a line feed.
struct LineReader: Sendable {
    private let limit: Int
    private var buffer: [UInt8] = []

    init(limit: Int) {
        self.limit = limit
    }

    /// Appends bytes and returns the lines that are now complete.
    ///
    /// - Throws: ``AdapterFailure/Kind/lineTooLong(limit:)`` if a line exceeds the limit.
    mutating func take(_ bytes: [UInt8]) throws(AdapterFailure.Kind) -> [ArraySlice<UInt8>] {
        var lines: [ArraySlice<UInt8>] = []
        var rest = bytes[...]
        while let feed = rest.firstIndex(of: UInt8(ascii: "\n")) {
            var line = buffer[...] + rest[..<feed]
            buffer.removeAll(keepingCapacity: true)
            rest = rest[(feed + 1)...]
            if line.last == UInt8(ascii: "\r") { line.removeLast() }
            guard line.count <= limit else { throw .lineTooLong(limit: limit) }
            if !line.isEmpty { lines.append(line) }
        }
        guard buffer.count + rest.count <= limit else { throw .lineTooLong(limit: limit) }
        buffer += rest
        return lines
    }

    /// The bytes received after the last line feed: the beginning of an incomplete line.
    var unfinished: [UInt8] { buffer }
}

/// The last lines of a stream, up to a maximum number of bytes and a maximum number of lines.
struct Tail: Sendable {
    private let byteLimit: Int
    private let lineLimit: Int
    private var bytes: [UInt8] = []

    init(bytes: Int, lines: Int) {
        byteLimit = bytes
        lineLimit = lines
    }

    mutating func add(_ more: [UInt8]) {
        bytes += more.suffix(byteLimit)
        if bytes.count > 2 * byteLimit { bytes.removeFirst(bytes.count - byteLimit) }
    }

    var lines: [String] {
        bytes.suffix(byteLimit)
            .split(separator: UInt8(ascii: "\n"))
            .suffix(lineLimit)
            .map { AdapterFailure.excerpt($0) }
    }
}
