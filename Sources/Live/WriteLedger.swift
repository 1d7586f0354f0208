/// Remembers where one write ends and the next begins, which a TCP stream does not preserve.
///
/// Both worlds deliver the same pieces to a run: the simulated one delivers each write, and this one cuts the bytes of
/// a read at the boundaries of the writes. Otherwise two frames in one read would be one step in live and two in sim.
struct WriteLedger {
    /// The lengths of the writes; from ``start`` on they are not fully read, and the first of those holds what is left.
    private var lengths: [Int] = []
    private var start = 0

    /// Notes a write of `count` bytes.
    mutating func wrote(_ count: Int) {
        if count > 0 { lengths.append(count) }
    }

    /// Cuts bytes that were read where the writes end; bytes beyond all writes are one piece.
    mutating func pieces(of bytes: [UInt8]) -> [[UInt8]] {
        guard start < lengths.count, lengths[start] < bytes.count else {
            take(bytes.count)
            return [bytes]
        }
        var pieces: [[UInt8]] = []
        var place = 0
        while place < bytes.count {
            let count = start < lengths.count ? min(lengths[start], bytes.count - place) : bytes.count - place
            pieces.append(Array(bytes[place..<(place + count)]))
            take(count)
            place += count
        }
        return pieces
    }

    /// Takes `count` bytes off the first write that is not fully read; it must have that many left.
    private mutating func take(_ count: Int) {
        guard start < lengths.count else { return }
        lengths[start] -= count
        guard lengths[start] <= 0 else { return }
        start += 1
        // Rarely, because removing shifts all that follow.
        if start > 64, start * 2 > lengths.count {
            lengths.removeFirst(start)
            start = 0
        }
    }
}
