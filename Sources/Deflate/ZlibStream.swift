/// Compresses the messages of one connection as a single zlib stream (RFC 1950).
///
/// All messages share one window. Each ends with a flush, whose last four bytes are `00 00 ff ff`, so that the receiver
/// can decompress the message at once. The stream never ends, so it has no checksum.
package struct ZlibStreamWriter: Sendable {
    /// The bytes that end each message.
    static let messageEnd: [UInt8] = [0x00, 0x00, 0xFF, 0xFF]
    /// The header of a stream with a window of 32 KiB and the default compression level (RFC 1950, section 2.2).
    private static let header: [UInt8] = [0x78, 0x9C]

    private var deflater = Deflater(windowBits: 15)
    private var hasBegun = false

    package init() {}

    /// Compresses one message. The first message of the stream is preceded by the stream's header.
    ///
    /// - Throws: ``DeflateError/unavailable`` if zlib is out of memory.
    package mutating func write(_ message: [UInt8]) throws(DeflateError) -> [UInt8] {
        let body = try deflater.compress(message) + Self.messageEnd
        defer { hasBegun = true }
        return hasBegun ? body : Self.header + body
    }
}

/// Decompresses the messages of one connection, which form a single zlib stream (see ``ZlibStreamWriter``).
///
/// The stream may be split anywhere: a message is complete when the received bytes end with `00 00 ff ff`. The reader
/// cannot be used after an error.
package struct ZlibStreamReader: Sendable {
    private var inflater = Inflater(windowBits: 15)
    /// The bytes of the two-byte header received so far; nil once the header is complete.
    private var header: [UInt8]? = []
    /// The last few bytes received, at most four, used to detect the end of a message.
    private var last: [UInt8] = []
    /// The part of the current message decompressed so far.
    private var message: [UInt8] = []

    /// The maximum size of a message, in bytes.
    private let limit: Int

    /// Creates a reader that accepts messages of at most `limit` bytes.
    package init(limit: Int) {
        self.limit = limit
    }

    /// Decompresses the next bytes of the stream; returns the message if these bytes complete it, and nil otherwise.
    ///
    /// - Throws: ``DeflateError`` if the bytes are not a valid zlib stream, or the message is too long.
    package mutating func read(_ bytes: [UInt8]) throws(DeflateError) -> [UInt8]? {
        var rest = bytes[...]
        if var begun = header {
            begun += rest.prefix(2 - begun.count)
            rest = rest.dropFirst(begun.count - (header?.count ?? 0))
            header = begun
            guard begun.count == 2 else { return nil }
            guard Self.isHeader(begun) else { throw .malformed }
            header = nil
        }
        try inflater.decompress(rest, into: &message, limit: limit)
        last = Array((last + rest).suffix(ZlibStreamWriter.messageEnd.count))
        guard last == ZlibStreamWriter.messageEnd else { return nil }
        defer { (message, last) = ([], []) }
        return message
    }

    /// Returns whether `bytes` are the header of a zlib stream without a preset dictionary (RFC 1950, section 2.2).
    private static func isHeader(_ bytes: [UInt8]) -> Bool {
        bytes[0] & 0x0F == 8 && bytes[0] >> 4 <= 7 && bytes[1] & 0x20 == 0
            && (Int(bytes[0]) << 8 | Int(bytes[1])).isMultiple(of: 31)
    }
}
