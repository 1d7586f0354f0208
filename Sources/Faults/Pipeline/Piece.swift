import SquallCore

/// What travels in one direction of a link: bytes, and at last how the direction ended.
enum Piece: Hashable, Sendable {
    case bytes([UInt8])
    case end(LinkEnd)

    /// Bytes of the stream; an end has none.
    var count: Int {
        if case .bytes(let bytes) = self { bytes.count } else { 0 }
    }
}

/// Pieces in order, each with the time at which it leaves: never before one that came before it.
struct PieceQueue: Sendable {
    struct Entry: Hashable, Sendable {
        var piece: Piece
        var due: Instant
    }

    private var entries: [Entry] = []
    private var head = 0
    /// Bytes that have not left yet.
    private(set) var byteCount = 0

    /// Pieces that have not left yet.
    var count: Int { entries.count - head }
    var nextDue: Instant? { head < entries.count ? entries[head].due : nil }
    /// When the last piece leaves; the beginning of time where there is none.
    var lastDue: Instant { entries.last?.due ?? Instant(nanoseconds: .min) }

    /// Empty bytes are no piece; `due` gives way to that of the piece in front.
    mutating func append(_ piece: Piece, due: Instant) {
        if case .bytes(let bytes) = piece, bytes.isEmpty { return }
        entries.append(Entry(piece: piece, due: max(due, lastDue)))
        byteCount += piece.count
    }

    mutating func pop(through now: Instant) -> Entry? {
        guard let due = nextDue, due <= now else { return nil }
        let entry = entries[head]
        // Lets go of the bytes now, and of the place later: many at once.
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

    /// Has everything leave by this time that would leave later.
    mutating func hasten(to latest: Instant) {
        for place in entries.indices[head...] where entries[place].due > latest { entries[place].due = latest }
    }

    /// Has nothing wait longer than this for what is in front of it; the first counts from `now`.
    mutating func narrow(to gap: TimeSpan, from now: Instant) {
        var (before, last) = (now, now)
        for place in entries.indices[head...] {
            let due = entries[place].due
            last = last + min(due - before, gap)
            entries[place].due = last
            before = due
        }
    }

    /// Everything that has not left yet, in order.
    mutating func removeAll() -> [Entry] {
        defer { self = PieceQueue() }
        return Array(entries[head...])
    }
}
