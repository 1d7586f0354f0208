import SquallCore

/// The relay's socket towards one side of a link.
struct Socket: Hashable, Sendable {
    enum State: Hashable, Sendable {
        /// Not asked for: the relay itself answers in the server's place, or nobody does.
        case absent
        /// Asked for. Next: ``open`` or ``closed``.
        case connecting
        case open
        /// Both FINs have passed, or an RST.
        case closed
    }

    var state: State
    /// Its FIN has been read.
    var hasEnded = false
    /// A FIN has been written to it.
    var isEnded = false
    var readMode = ReadMode.none

    /// Whether bytes may be written to it at once.
    var isPlain: Bool { state == .open && !isEnded }

    /// Both directions are over.
    mutating func closeIfDone() {
        if hasEnded, isEnded { state = .closed }
    }
}

/// One direction of a link: what is taken in from its source, and what lies on the way.
struct DirectionState: Sendable {
    enum Intake: Hashable, Sendable {
        /// What comes goes on its way. Next: any.
        case open
        /// The source's own end has been taken in. Next: ``severed`` or ``lost``.
        case ended
        /// Ended by the network: what still comes is read and thrown away. Next: ``lost``.
        case severed
        /// In a blackhole for good: what comes is not even acknowledged.
        case lost
    }

    var intake = Intake.open
    var pipeline = Pipeline()
    /// Where what leaves the pipeline stands, for faults that begin later; nil where nobody follows the stream.
    var tracker: StreamTracker?
    /// More lies on the way than may; its source is not read.
    var isFull = false

    /// Whether bytes go through it as they come.
    var isPlain: Bool { intake == .open && pipeline.isEmpty && tracker == nil }
}
