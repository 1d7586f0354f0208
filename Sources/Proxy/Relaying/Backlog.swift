/// Bytes that the kernel would not take yet, in order.
struct Backlog {
    /// Bytes up to which parts are joined.
    private static let joined = 16 * 1024

    private var pieces: [[UInt8]] = []
    private var head = 0
    /// Of the piece at the head, how much has been written.
    private var written = 0
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }

    mutating func append(_ bytes: [UInt8]) {
        guard !bytes.isEmpty else { return }
        count += bytes.count
        // What is late in small parts goes on in one: each would cost a call of its own.
        if let last = pieces.indices.last, last >= head, pieces[last].count + bytes.count <= Self.joined {
            pieces[last] += bytes
        } else {
            pieces.append(bytes)
        }
    }

    /// The first of it, from this byte on: not copied.
    mutating func begin(with bytes: [UInt8], at start: Int) {
        pieces = [bytes]
        head = 0
        written = start
        count = bytes.count - start
    }

    /// Hands pieces to `write` until it takes less than it was given; what it takes is gone.
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

    /// All of it as it lies there, and from which byte of the first on.
    var remainder: (pieces: [[UInt8]], start: Int) { (Array(pieces[head...]), written) }

    /// So many bytes from its head have been written by somebody else.
    mutating func remove(_ bytes: Int) {
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
