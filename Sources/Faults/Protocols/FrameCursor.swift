import WebSocketWire

/// Splits a stream of WebSocket frames, read in chunks of any size, into headers and payloads, without validation.
struct FrameCursor: Sendable {
    enum Step {
        /// A complete header, both parsed and as the bytes that arrived.
        case header(FrameHeader, [UInt8])
        /// A part of the current frame's payload, still masked, and whether it is the last part.
        case payload(ArraySlice<UInt8>, isLast: Bool)
    }

    /// The bytes of an incomplete header received so far.
    private(set) var partial: [UInt8] = []
    /// The number of payload bytes in the current frame that are still to arrive.
    private var left: UInt64 = 0

    /// Whether the next byte is the first of a frame.
    var isAtBoundary: Bool { partial.isEmpty && left == 0 }

    /// Consumes the next header, or the next part of a payload, and returns it; returns nil once all bytes are
    /// consumed.
    mutating func step(_ bytes: inout ArraySlice<UInt8>) -> Step? {
        if left > 0 {
            guard !bytes.isEmpty else { return nil }
            let piece = bytes.prefix(Int(clamping: left))
            bytes = bytes.dropFirst(piece.count)
            left -= UInt64(piece.count)
            return .payload(piece, isLast: left == 0)
        }
        while let byte = bytes.popFirst() {
            partial.append(byte)
            guard let header = FrameHeader.parse(partial) else { continue }
            let raw = partial
            partial = []
            left = header.length
            return .header(header, raw)
        }
        return nil
    }
}
