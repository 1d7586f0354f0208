import SquallCore

/// Removes the extension offer from a connection's first request, so that the peers do not compress messages.
///
/// A compressed message cannot be dropped or moved, because it is part of the window needed to decompress later
/// messages (RFC 7692 section 7.2.3.2). The header keeps its position and length, but its name is changed to one that
/// no server recognises.
struct ExtensionRefusal: Shaper {
    private static let name = Array("sec-websocket-extensions".utf8)

    /// The number of bytes of the header name that the current line has matched so far; nil if the line is a different
    /// header.
    private var matched: Int? = 0
    private var isLineEmpty = true
    /// Whether the head of the request has ended.
    private var isOver = false

    mutating func shape(_ piece: Piece, at arrival: Instant, into queue: inout PieceQueue) -> ShapingEffect {
        guard case .bytes(var bytes) = piece, !isOver else {
            queue.append(piece, due: arrival)
            return .none
        }
        for index in bytes.indices where !isOver { take(&bytes[index]) }
        queue.append(.bytes(bytes), due: arrival)
        return .none
    }

    private mutating func take(_ byte: inout UInt8) {
        switch byte {
        case UInt8(ascii: "\n"):
            isOver = isLineEmpty
            (matched, isLineEmpty) = (0, true)
        case UInt8(ascii: "\r"):
            break
        default:
            isLineEmpty = false
            guard let count = matched else { return }
            let isUpper = UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte
            guard (isUpper ? byte | 0x20 : byte) == Self.name[count] else { return matched = nil }
            matched = count + 1
            guard count + 1 == Self.name.count else { return }
            byte = UInt8(ascii: "x")
            matched = nil
        }
    }
}
