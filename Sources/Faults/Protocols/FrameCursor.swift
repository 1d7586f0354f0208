import WebSocketWire

/// Where in a stream of frames one stands, whatever the pieces in which it comes; nothing is judged and nothing changed.
struct FrameCursor: Sendable {
    enum Step {
        /// A header is complete; its bytes as they came.
        case header(FrameHeader, [UInt8])
        /// Some of the present frame's payload, as it came; whether it was the last of it.
        case payload(ArraySlice<UInt8>, isLast: Bool)
    }

    /// The present frame's header, as far as it is there.
    private(set) var partial: [UInt8] = []
    /// Bytes of the present frame's payload that have not come.
    private var left: UInt64 = 0

    /// Between two frames.
    var isAtBoundary: Bool { partial.isEmpty && left == 0 }

    /// Takes bytes up to the next that makes a difference; nil once all are taken.
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
