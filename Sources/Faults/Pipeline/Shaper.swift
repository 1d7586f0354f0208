import SquallCore

/// Shapes the bytes of one direction of a link for a fault: decides when each byte leaves, in which part, or that it is
/// discarded.
///
/// The decision depends on a byte's offset, never on the chunks into which TCP has divided the stream. A FIN or an RST
/// travels after the bytes before it.
protocol Shaper: Sendable {
    /// The number of bytes in the shaper's queue above which the source is not read.
    var capacity: Int { get }
    /// The maximum number of bytes to shape at a time. Shaping more would produce so many parts that other connections
    /// are delayed.
    var chunkLimit: Int { get }
    /// Whether nothing passes while the shaper is present, so that the source is not read at all.
    var holdsAll: Bool { get }
    /// Whether bytes are missing from the output. Such a stream cannot continue once the shaper is removed; it can only
    /// end.
    var dropsBytes: Bool { get }
    /// The line that the shaper shares with the same fault's shapers on other connections; nil if it shares none.
    /// ``SharedLines`` sets it before each change, and stores it afterwards.
    var sharedLine: Line? { get set }

    /// Shapes a piece: appends all, part or none of it to the queue.
    mutating func shape(_ piece: Piece, at arrival: Instant, into queue: inout PieceQueue) -> ShapingEffect

    /// Returns the bytes that the shaper holds outside the queue, in order, because it is about to be removed.
    mutating func takeHeld() -> [UInt8]

    /// Adopts the attributes of `fault` while bytes are in the queue; does nothing if `fault` is of another kind.
    mutating func adjust(to fault: any LinkFault, queue: inout PieceQueue, at now: Instant)
}

extension Shaper {
    var capacity: Int { Pipeline.capacity }
    var chunkLimit: Int { .max }
    var holdsAll: Bool { false }
    var dropsBytes: Bool { false }
    var sharedLine: Line? {
        get { nil }
        set {}
    }
    mutating func takeHeld() -> [UInt8] { [] }
    mutating func adjust(to fault: any LinkFault, queue: inout PieceQueue, at now: Instant) {}
}

/// The effect of shaping a piece, besides the pieces appended to the queue.
struct ShapingEffect: Hashable, Sendable {
    /// How the connection ends after the bytes that have passed; nil if it continues.
    var severed: LinkEnd?
    /// The number of bytes that were discarded.
    var dropped = 0
    /// The ``Fault/Frames`` action applied to each affected message, in order.
    var operations: [String] = []
    /// Whether a message passed although it might match the fault's filter, because it is compressed and cannot be
    /// read.
    var hasMissed = false
    /// Whether bytes were changed.
    var hasChanged = false

    /// Whether the fault has hit its target.
    var isHit: Bool { severed != nil || dropped > 0 || hasChanged || !operations.isEmpty }

    static let none = ShapingEffect()
}
