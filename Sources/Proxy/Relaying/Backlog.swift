/// A queue of bytes that the kernel's send buffer has not accepted yet.
struct Backlog {
    /// The size, in bytes, up to which small pieces are joined into one.
    private static let joined = 16 * 1024

    private var pieces: [[UInt8]] = []
    private var head = 0
    /// The number of bytes of the first piece that have already been written.
    private var written = 0
    /// The number of bytes that have not been written yet.
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }

    mutating func append(_ bytes: [UInt8]) {
        guard !bytes.isEmpty else { return }
        count += bytes.count
        // Small pieces are joined, because each piece needs its own system call.
        if let last = pieces.indices.last, last >= head, pieces[last].count + bytes.count <= Self.joined {
            pieces[last] += bytes
        } else {
            pieces.append(bytes)
        }
    }

    /// Fills the empty backlog with the elements of `bytes` from index `start` on, without copying them.
    mutating func begin(with bytes: [UInt8], at start: Int) {
        assert(isEmpty && start <= bytes.count)
        pieces = [bytes]
        head = 0
        written = start
        count = bytes.count - start
    }

    /// Passes the pieces to `write` in order, until it accepts fewer bytes than it is offered, and removes the accepted
    /// bytes.
    mutating func drain(_ write: (UnsafeRawBufferPointer) -> Int) {
        while head < pieces.count {
            let offered = pieces[head].count - written
            let taken = pieces[head].withUnsafeBytes { write(UnsafeRawBufferPointer(rebasing: $0[written...])) }
            count -= taken
            guard taken == offered else {
                written += taken
                return
            }
            pieces[head] = []
            head += 1
            written = 0
        }
        pieces.removeAll()
        head = 0
    }

    /// The remaining pieces, and the number of bytes of the first one that have already been written.
    var remainder: (pieces: [[UInt8]], start: Int) { (Array(pieces[head...]), written) }

    /// Removes the first `bytes` bytes, which a ``WriteJob`` has written.
    mutating func remove(_ bytes: Int) {
        assert(bytes <= count)
        var left = bytes
        drain { offered in
            let taken = min(left, offered.count)
            left -= taken
            return taken
        }
    }

    mutating func removeAll() {
        self = Backlog()
    }
}
