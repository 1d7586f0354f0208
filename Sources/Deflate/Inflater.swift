import CZlib

/// Decompresses messages with zlib, as specified in RFC 7692 section 7.2.2. A message can be decompressed piece by
/// piece and up to a size limit.
///
/// A decompressor has value semantics: copies are independent of each other. It cannot be used after an error.
package struct Inflater: Sendable {
    private var state: DeflateStream?
    private let resetsContext: Bool
    /// The size of the output buffer for each call to zlib, in bytes.
    private let chunk: Int

    /// Creates a decompressor.
    ///
    /// - Parameters:
    ///   - windowBits: The base-2 logarithm of the window size, from 8 to 15.
    ///   - resetsContext: Whether each message begins with an empty window (`no_context_takeover`).
    ///   - enforcesWindow: Whether a reference beyond the window is an error. Detecting it requires one zlib call per
    ///     byte. If false, the maximum window is used instead, because whether zlib itself detects such a reference
    ///     depends on how the input is split.
    package init(windowBits: Int, resetsContext: Bool = false, enforcesWindow: Bool = false) {
        self.resetsContext = resetsContext
        chunk = enforcesWindow ? 1 : 16_384
        state = 8...15 ~= windowBits ? DeflateStream(.decompressing, windowBits: enforcesWindow ? windowBits : 15) : nil
    }

    /// Decompresses the next bytes of a message and appends the result to `output`, whose size may not exceed `limit`
    /// bytes.
    ///
    /// After an error, `output` contains the data that was decompressed before the error.
    package mutating func decompress(
        _ bytes: some Collection<UInt8>,
        into output: inout [UInt8],
        limit: Int
    ) throws(DeflateError) {
        guard !bytes.isEmpty else { return }
        try inflate(Array(bytes), into: &output, limit: limit)
    }

    /// Decompresses the remaining data at the end of a message. The last block must be complete, because otherwise the
    /// next message would be parsed as the continuation of that block.
    package mutating func finish(into output: inout [UInt8], limit: Int) throws(DeflateError) {
        try inflate([0x00, 0x00, 0xFF, 0xFF], into: &output, limit: limit)
        let stream = try owned()
        guard stream.pointee.data_type & Self.betweenBlocks != 0 else { throw .malformed }
        if resetsContext { inflateReset(stream) }
    }

    /// The bit in zlib's `data_type` that indicates the end of a block.
    private static let betweenBlocks: Int32 = 128

    private mutating func inflate(
        _ bytes: [UInt8],
        into output: inout [UInt8],
        limit: Int
    ) throws(DeflateError) {
        let stream = try owned()
        var input = bytes
        var failure: DeflateError?
        input.withUnsafeMutableBufferPointer { input in
            stream.pointee.next_in = input.baseAddress
            stream.pointee.avail_in = uInt(clamping: input.count)
            failure = run(stream, into: &output, limit: limit)
            stream.pointee.next_in = nil
            stream.pointee.next_out = nil
        }
        if let failure { throw failure }
    }

    private func run(
        _ stream: UnsafeMutablePointer<z_stream>,
        into output: inout [UInt8],
        limit: Int
    ) -> DeflateError? {
        while true {
            var (status, room) = (Z_OK, chunk)
            // The buffer has room for one byte beyond the limit, so that output exceeding the limit can be detected.
            room = min(room, max(limit - output.count, 0) + 1)
            output.append(
                contentsOf: [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
                    stream.pointee.next_out = buffer.baseAddress
                    stream.pointee.avail_out = uInt(clamping: room)
                    status = CZlib.inflate(stream, Z_SYNC_FLUSH)
                    count = room - Int(stream.pointee.avail_out)
                }
            )
            guard output.count <= limit else { return .tooLong(limit: limit) }
            switch status {
            case Z_STREAM_END:
                // A last block (BFINAL) ends the DEFLATE stream, but not the message (RFC 7692 section 7.2.3.4).
                guard Self.continueBehindLastBlock(stream) else { return .unavailable }
                if stream.pointee.avail_in == 0 { return nil }
            case Z_OK where stream.pointee.avail_in == 0 && stream.pointee.avail_out > 0: return nil
            case Z_OK: break
            // Z_BUF_ERROR means that no progress was possible because all input has been consumed.
            case Z_BUF_ERROR: return nil
            case Z_MEM_ERROR: return .unavailable
            default: return .malformed
            }
        }
    }

    /// Starts a new stream that inherits the window of the previous one.
    private static func continueBehindLastBlock(_ stream: UnsafeMutablePointer<z_stream>) -> Bool {
        var length: uInt = 0
        let window = [UInt8](unsafeUninitializedCapacity: 32_768) { buffer, count in
            guard inflateGetDictionary(stream, buffer.baseAddress, &length) == Z_OK else { return }
            count = Int(length)
        }
        guard inflateReset(stream) == Z_OK else { return false }
        stream.pointee.data_type = betweenBlocks
        return inflateSetDictionary(stream, window, uInt(clamping: window.count)) == Z_OK
    }

    private mutating func owned() throws(DeflateError) -> UnsafeMutablePointer<z_stream> {
        if !isKnownUniquelyReferenced(&state) { state = state?.copy() }
        guard let state else { throw .unavailable }
        return state.stream
    }
}
