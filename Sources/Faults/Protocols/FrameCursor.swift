import WebSocketWire

/// Splits a stream of WebSocket frames into headers and payloads, in whatever chunks it arrives, without validating it.
struct FrameCursor: Sendable {
    enum Step {
        /// A header is complete; its bytes as they arrived.
        case header(FrameHeader, [UInt8])
        /// A part of the current frame's payload, as it arrived, and whether it is the last one.
        case payload(ArraySlice<UInt8>, isLast: Bool)
    }

    /// The bytes of a header that is not complete yet.
    private(set) var partial: [UInt8] = []
    /// The number of bytes of the current frame's payload that have not arrived.
    private var left: UInt64 = 0

    /// Whether the next byte begins a frame.
    var isAtBoundary: Bool { partial.isEmpty && left == 0 }

    /// Consumes bytes up to the end of a header, or of a part of a payload; nil once all are consumed.
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
