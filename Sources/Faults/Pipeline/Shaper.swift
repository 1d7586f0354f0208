import SquallCore

/// Applies a fault to the bytes of one direction of a link. A shaper decides when and in which chunk each byte leaves,
/// or discards the byte.
///
/// The decision depends on a byte's offset, never on the chunks into which TCP has divided the stream. A FIN or an RST
/// leaves after all bytes that precede it.
protocol Shaper: Sendable {
    /// The maximum number of bytes in the shaper's queue. While the limit is exceeded, the relay does not read from the
    /// source.
    var capacity: Int { get }
    /// The maximum number of bytes to shape at a time. Shaping more bytes at once could produce so many parts that
    /// other connections would be delayed.
    var chunkLimit: Int { get }
    /// Whether the shaper blocks all bytes. While such a shaper is present, the relay does not read from the source.
    var holdsAll: Bool { get }
    /// Whether the shaper has discarded bytes. A stream with missing bytes cannot continue once the shaper is removed;
    /// it must end.
    var dropsBytes: Bool { get }
    /// The transmission line that the shaper shares with the same fault's shapers on other connections; nil if it does
    /// not share one. ``SharedLines`` loads the line into the shaper before each operation, and stores it afterwards.
    var sharedLine: TransmissionLine? { get set }

    /// Shapes a piece. The shaper appends the whole piece, a part of it or nothing to the queue.
    mutating func shape(_ piece: Piece, at arrival: Instant, into queue: inout PieceQueue) -> ShapingEffect

    /// Returns the bytes that the shaper holds outside the queue, in order. Called just before the shaper is removed.
    mutating func takeHeld() -> [UInt8]

    /// Adopts the attributes of `fault` while bytes are in the queue; does nothing if `fault` is of another kind.
    mutating func adjust(to fault: any LinkFault, queue: inout PieceQueue, at now: Instant)
}

extension Shaper {
    var capacity: Int { Pipeline.capacity }
    var chunkLimit: Int { .max }
    var holdsAll: Bool { false }
    var dropsBytes: Bool { false }
    var sharedLine: TransmissionLine? {
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
    /// Whether the shaper has forwarded a compressed message, which it could not compare with the fault's filter.
    var passedUnread = false
    /// Whether bytes were changed.
    var hasChanged = false

    /// Whether the fault has hit its target.
    var isHit: Bool { severed != nil || dropped > 0 || hasChanged || !operations.isEmpty }

    static let none = ShapingEffect()
}
