/// A queue of bytes. Bytes can be removed from the front without moving the remaining bytes.
struct ByteQueue: Sendable {
    private(set) var bytes: [UInt8] = []
    /// The index in ``bytes`` of the first byte that has not been taken.
    private(set) var start = 0
    /// The index up to which ``takeLine()`` has found no line feed.
    private var searched = 0

    var count: Int { bytes.count - start }
    var isEmpty: Bool { start == bytes.count }

    mutating func append(_ more: [UInt8]) {
        guard !isEmpty else {
            bytes = more
            return
        }
        // The buffer is compacted only when at least half of its bytes have been taken, so that each byte is moved once
        // on average.
        if start >= count {
            bytes.removeFirst(start)
            searched = max(searched - start, 0)
            start = 0
        }
        bytes.append(contentsOf: more)
    }

    /// Drops the first `length` bytes, which must be available.
    mutating func skip(_ length: Int) {
        start += length
        guard isEmpty else { return }
        self = ByteQueue()
    }

    /// Removes and returns at most `limit` bytes.
    mutating func take(_ limit: Int) -> [UInt8] {
        let length = min(limit, count)
        let taken = length == bytes.count ? bytes : Array(bytes[start..<start + length])
        skip(length)
        return taken
    }

    /// Removes the next line and returns it without its line feed; returns nil if the line is incomplete.
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
