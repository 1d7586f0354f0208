import SquallCore

/// What a fault does to the bytes of one direction: when each leaves, in which parts, and whether at all.
///
/// It decides by the byte's offset, never by how TCP cut the stream into chunks. An end (FIN or RST) travels behind
/// the bytes that came before it.
protocol Shaper: Sendable {
    /// Bytes that may lie here before the source is no longer read.
    var capacity: Int { get }
    /// Bytes that it can take at once without making so many parts of them that others would wait.
    var bite: Int { get }
    /// Nothing passes as long as it stands: the source is not read at all.
    var holdsAll: Bool { get }
    /// Bytes are missing behind it: the stream can only end now, never go on.
    var hasSwallowed: Bool { get }
    /// What it shares with the same fault's shapers on other connections, as whoever keeps it has lent it; nil for nothing.
    var sharedLine: Line? { get set }

    /// Puts what becomes of the piece into the queue, or leaves it out.
    mutating func shape(_ piece: Piece, at arrival: Instant, into queue: inout PieceQueue) -> ShapingEffect

    /// What it holds beside the queue, in order, when it goes: the next in line gets it.
    mutating func surrender() -> [UInt8]

    /// Takes on new attributes of its own kind of fault while bytes are under way.
    mutating func adjust(to kind: Fault.Kind, queue: inout PieceQueue, at now: Instant)
}

extension Shaper {
    var capacity: Int { Pipeline.capacity }
    var bite: Int { .max }
    var holdsAll: Bool { false }
    var hasSwallowed: Bool { false }
    var sharedLine: Line? {
        get { nil }
        set {}
    }
    mutating func surrender() -> [UInt8] { [] }
    mutating func adjust(to kind: Fault.Kind, queue: inout PieceQueue, at now: Instant) {}
}

/// What shaping a piece did beside the queue.
struct ShapingEffect: Hashable, Sendable {
    /// The connection ends here in this manner: behind what passed nothing follows.
    var severed: LinkEnd?
    /// Bytes that are gone.
    var dropped = 0
    /// What was done to messages, a word each.
    var deeds: [String] = []
    /// A message passed that cannot be read, since it is compressed.
    var hasMissed = false
    /// Bytes are others than they were.
    var hasChanged = false

    /// Whether anything was done that the fault is for.
    var isHit: Bool { severed != nil || dropped > 0 || hasChanged || !deeds.isEmpty }

    static let none = ShapingEffect()
}
