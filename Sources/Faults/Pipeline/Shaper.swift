import SquallCore

/// What a fault does to the bytes of one direction of a link: when each leaves, in which parts, and whether at all.
///
/// A shaper decides by a byte's offset, never by the chunks into which TCP has cut the stream. An end (FIN or RST)
/// travels behind the bytes before it.
protocol Shaper: Sendable {
    /// Bytes that may wait in the shaper's queue before the source is no longer read.
    var capacity: Int { get }
    /// The largest number of bytes to shape at once. More would make so many parts that other connections would wait.
    var chunkLimit: Int { get }
    /// Whether nothing passes while the shaper is present, so that the source is not read at all.
    var holdsAll: Bool { get }
    /// Whether bytes are missing from the stream that has left: once the shaper is removed it can only end, not
    /// continue.
    var hasHole: Bool { get }
    /// The line that is shared with the shapers of the same fault on other connections; nil if none is. ``SharedLines``
    /// copies it in and out.
    var sharedLine: Line? { get set }

    /// Appends what becomes of the piece to the queue: all of it, a part, or nothing.
    mutating func shape(_ piece: Piece, at arrival: Instant, into queue: inout PieceQueue) -> ShapingEffect

    /// Returns the bytes held outside the queue, in order, because the shaper is about to be removed.
    mutating func takeHeld() -> [UInt8]

    /// Takes on new attributes while bytes wait in the queue; attributes of another kind of fault are ignored.
    mutating func adjust(to fault: any LinkFault, queue: inout PieceQueue, at now: Instant)
}

extension Shaper {
    var capacity: Int { Pipeline.capacity }
    var chunkLimit: Int { .max }
    var holdsAll: Bool { false }
    var hasHole: Bool { false }
    var sharedLine: Line? {
        get { nil }
        set {}
    }
    mutating func takeHeld() -> [UInt8] { [] }
    mutating func adjust(to fault: any LinkFault, queue: inout PieceQueue, at now: Instant) {}
}

/// What shaping a piece did besides appending to the queue.
struct ShapingEffect: Hashable, Sendable {
    /// How the connection ends behind the bytes that passed; nil if it continues.
    var severed: LinkEnd?
    /// The number of bytes that were discarded.
    var dropped = 0
    /// The ``Fault/Frames`` action applied to each affected message, in order.
    var operations: [String] = []
    /// Whether a message passed that might have been selected, but is compressed and cannot be read.
    var hasMissed = false
    /// Whether bytes were changed.
    var hasChanged = false

    /// Whether the fault has hit its target.
    var isHit: Bool { severed != nil || dropped > 0 || hasChanged || !operations.isEmpty }

    static let none = ShapingEffect()
}
