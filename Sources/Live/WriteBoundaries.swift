/// Records the boundaries of writes, which a TCP stream does not preserve.
///
/// Live and simulated runs must receive the same pieces, and a simulated run receives each write separately. A live run
/// therefore uses this type to split the bytes of each read at the write boundaries. Otherwise, two frames that arrive
/// in one read would be one input in a live run but two in a simulated run.
struct WriteBoundaries {
    /// The lengths of the writes. Writes before index ``start`` have been read completely; the element at ``start`` is
    /// the number of unread bytes in that write.
    private var lengths: [Int] = []
    private var start = 0

    /// Records a write of `count` bytes.
    mutating func wrote(_ count: Int) {
        if count > 0 { lengths.append(count) }
    }

    /// Splits the bytes of a read at the boundaries of the writes; bytes beyond all recorded writes form one piece.
    mutating func pieces(of bytes: [UInt8]) -> [[UInt8]] {
        guard start < lengths.count, lengths[start] < bytes.count else {
            take(bytes.count)
            return [bytes]
        }
        var pieces: [[UInt8]] = []
        var index = 0
        while index < bytes.count {
            let count = start < lengths.count ? min(lengths[start], bytes.count - index) : bytes.count - index
            pieces.append(Array(bytes[index..<(index + count)]))
            take(count)
            index += count
        }
        return pieces
    }

    /// Consumes `count` bytes of the first write that has not been read completely. That write must have at least
    /// `count` unread bytes. Does nothing if all writes have been read.
    private mutating func take(_ count: Int) {
        guard start < lengths.count else { return }
        lengths[start] -= count
        guard lengths[start] <= 0 else { return }
        start += 1
        // Elements are removed only occasionally, because each removal shifts all the elements after it.
        if start > 64, start * 2 > lengths.count {
            lengths.removeFirst(start)
            start = 0
        }
    }
}
