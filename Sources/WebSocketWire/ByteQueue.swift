/// Bytes in the order they arrived, taken from the front without moving the rest.
struct ByteQueue: Sendable {
    private(set) var bytes: [UInt8] = []
    /// Where the first byte not yet taken lies in ``bytes``.
    private(set) var start = 0
    /// Up to where ``takeLine()`` has looked for a line feed in vain.
    private var searched = 0

    var count: Int { bytes.count - start }
    var isEmpty: Bool { start == bytes.count }

    mutating func append(_ more: [UInt8]) {
        guard !isEmpty else {
            bytes = more
            return
        }
        // Only once as much was taken as is left: so each byte is moved once on average, however small the pieces are.
        if start >= count {
            bytes.removeFirst(start)
            searched = max(searched - start, 0)
            start = 0
        }
        bytes.append(contentsOf: more)
    }

    /// Takes `length` bytes, which must be there.
    mutating func skip(_ length: Int) {
        start += length
        guard isEmpty else { return }
        self = ByteQueue()
    }

    /// Takes at most `limit` bytes.
    mutating func take(_ limit: Int) -> [UInt8] {
        let length = min(limit, count)
        let taken = length == bytes.count ? bytes : Array(bytes[start..<start + length])
        skip(length)
        return taken
    }

    /// The bytes before the next line feed, which is taken too; nil while there is none.
    mutating func takeLine() -> ArraySlice<UInt8>? {
        guard let end = bytes[max(searched, start)...].firstIndex(of: 0x0A) else {
            searched = bytes.count
            return nil
        }
        let line = bytes[start..<end]
        skip(end + 1 - start)
        return line
    }
}
