import SquallCore

/// Takes the offer of extensions out of a connection's first request, so that its messages stay readable.
///
/// A compressed message cannot be left out or put elsewhere: those behind it are unpacked by what it said (RFC 7692 section 7.2.3.2).
/// The header keeps its place and its length, under a name that says nothing to anybody.
struct ExtensionRefusal: Shaper {
    private static let name = Array("sec-websocket-extensions".utf8)

    /// How much of the name the line has begun with; nil where it is another's.
    private var matched: Int? = 0
    private var isLineEmpty = true
    /// The head is over.
    private var isOver = false

    mutating func shape(_ piece: Piece, at arrival: Instant, into queue: inout PieceQueue) -> ShapingEffect {
        guard case .bytes(var bytes) = piece, !isOver else {
            queue.append(piece, due: arrival)
            return .none
        }
        for place in bytes.indices where !isOver { take(&bytes[place]) }
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
