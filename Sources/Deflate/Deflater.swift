import CZlib

/// Compresses messages with zlib, as specified in RFC 7692 section 7.2.1.
///
/// A compressor has value semantics: copies are independent of each other.
package struct Deflater: Sendable {
    private var state: DeflateStream?
    /// Whether each message begins with an empty window.
    private let resetsContext: Bool

    /// Creates a compressor.
    ///
    /// - Parameters:
    ///   - windowBits: The base-2 logarithm of the window size, from 9 to 15; zlib cannot compress with 8.
    ///   - resetsContext: Whether each message begins with an empty window (`no_context_takeover`).
    ///   - level: The zlib compression level, from 0 (stored) to 9 (smallest); -1 for zlib's default.
    package init(windowBits: Int, resetsContext: Bool = false, level: Int = -1) {
        self.resetsContext = resetsContext
        state = 9...15 ~= windowBits ? DeflateStream(.compressing, windowBits: windowBits, level: level) : nil
    }

    /// Compresses one message and removes its last four bytes (`00 00 ff ff`).
    package mutating func compress(_ message: [UInt8]) throws(DeflateError) -> [UInt8] {
        let stream = try owned()
        if resetsContext { deflateReset(stream) }
        var compressed: [UInt8] = []
        // The capacity is zlib's upper bound plus a margin for the flush.
        let room = Int(clamping: deflateBound(stream, uLong(message.count))) + 16
        var input = message
        let status: Int32 = input.withUnsafeMutableBufferPointer { input in
            stream.pointee.next_in = input.baseAddress
            stream.pointee.avail_in = uInt(clamping: input.count)
            defer { stream.pointee.next_in = nil }
            repeat {
                let before = compressed.count
                var status = Z_OK
                compressed.append(
                    contentsOf: [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
                        stream.pointee.next_out = buffer.baseAddress
                        stream.pointee.avail_out = uInt(clamping: room)
                        status = deflate(stream, Z_SYNC_FLUSH)
                        count = room - Int(stream.pointee.avail_out)
                    }
                )
                // Z_BUF_ERROR means that there was nothing left to flush.
                guard status == Z_OK || status == Z_BUF_ERROR else { return status }
                if compressed.count - before < room { return Z_OK }
            } while true
        }
        stream.pointee.next_out = nil
        guard status == Z_OK else { throw .unavailable }
        if compressed.suffix(4) == [0x00, 0x00, 0xFF, 0xFF] { compressed.removeLast(4) }
        // An empty message is encoded as one empty block (section 7.2.3.6).
        return compressed.isEmpty ? [0x00] : compressed
    }

    private mutating func owned() throws(DeflateError) -> UnsafeMutablePointer<z_stream> {
        if !isKnownUniquelyReferenced(&state) { state = state?.copy() }
        guard let state else { throw .unavailable }
        return state.stream
    }
}
