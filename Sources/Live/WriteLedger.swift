/// Where one write ends and the next begins, which TCP forgets.
///
/// Both worlds hand their machines the same pieces: the simulated one a piece a write, and this one what a read gives, cut
/// where the writes were. Otherwise two frames that happen to lie in one read would be one step here and two there.
struct WriteLedger {
    /// The lengths of the writes not yet read to their end, the rest of the first.
    private var lengths: [Int] = []
    private var start = 0

    mutating func wrote(_ count: Int) {
        if count > 0 { lengths.append(count) }
    }

    /// The pieces of what was read.
    ///
    /// Bytes that no write accounts for are one piece.
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

    /// `count` is at most what is left of the first.
    private mutating func take(_ count: Int) {
        guard start < lengths.count else { return }
        lengths[start] -= count
        guard lengths[start] <= 0 else { return }
        start += 1
        // Now and then, so that taking stays cheap.
        if start > 64, start * 2 > lengths.count {
            lengths.removeFirst(start)
            start = 0
        }
    }
}
