import SquallCore

/// A unit that travels in one direction of a link: bytes, or the FIN or RST at the end of the stream.
enum Piece: Hashable, Sendable {
    case bytes([UInt8])
    case end(LinkEnd)

    /// The number of bytes in the piece; 0 for FIN and RST.
    var count: Int {
        if case .bytes(let bytes) = self { bytes.count } else { 0 }
    }
}

/// A queue of pieces, each with the time at which it leaves. A piece never leaves before the one in front of it.
struct PieceQueue: Sendable {
    struct Entry: Hashable, Sendable {
        var piece: Piece
        var due: Instant
    }

    private var entries: [Entry] = []
    private var head = 0
    /// The number of bytes in the queue.
    private(set) var byteCount = 0

    /// The number of pieces in the queue.
    var count: Int { entries.count - head }
    var nextDue: Instant? { head < entries.count ? entries[head].due : nil }
    /// The time at which the last piece leaves; the earliest possible instant if the queue is empty.
    var lastDue: Instant { entries.last?.due ?? Instant(nanoseconds: .min) }

    /// Appends a piece that leaves at its due time, but not before the piece in front of it. A piece of zero bytes is
    /// ignored.
    mutating func append(_ piece: Piece, due: Instant) {
        if case .bytes(let bytes) = piece, bytes.isEmpty { return }
        entries.append(Entry(piece: piece, due: max(due, lastDue)))
        byteCount += piece.count
    }

    /// Removes and returns the first piece if it is due.
    mutating func pop(through now: Instant) -> Entry? {
        guard let due = nextDue, due <= now else { return nil }
        let entry = entries[head]
        // The bytes are freed now. Empty slots are removed later, in batches, because each removal shifts all the slots
        // after it.
        entries[head].piece = .end(.fin)
        head += 1
        byteCount -= entry.piece.count
        if head == entries.count {
            entries.removeAll(keepingCapacity: true)
            head = 0
        } else if head >= 64, head * 2 >= entries.count {
            entries.removeFirst(head)
            head = 0
        }
        return entry
    }

    /// Caps the due time of every piece at `latest`.
    mutating func limitDueTimes(to latest: Instant) {
        for index in entries.indices[head...] where entries[index].due > latest { entries[index].due = latest }
    }

    /// Caps the interval between the due times of successive pieces at `gap`. The first interval begins at `now`.
    mutating func limitGaps(to gap: TimeSpan, from now: Instant) {
        var (before, last) = (now, now)
        for index in entries.indices[head...] {
            let due = entries[index].due
            last = last + min(due - before, gap)
            entries[index].due = last
            before = due
        }
    }

    /// Empties the queue, and returns the remaining pieces in order.
    mutating func removeAll() -> [Entry] {
        defer { self = PieceQueue() }
        return Array(entries[head...])
    }
}
