import SquallCore

/// The relay's socket towards one side of a link.
struct Socket: Hashable, Sendable {
    enum State: Hashable, Sendable {
        /// Never requested: the network answers in the server's place, or not at all. Next: ``connecting``.
        case absent
        /// Requested. Next: ``open`` or ``closed``.
        case connecting
        /// Next: ``closed``.
        case open
        /// Both FINs have passed, or an RST.
        case closed
    }

    var state: State
    /// A FIN has been read from it.
    var hasEnded = false
    /// A FIN has been written to it.
    var isEnded = false
    var readMode = ReadMode.none

    /// Whether bytes may be written to it at once.
    var isPlain: Bool { state == .open && !isEnded }

    /// Closes the socket once both FINs have passed.
    mutating func closeIfDone() {
        if hasEnded, isEnded { state = .closed }
    }
}

/// One direction of a link: the state of its source, and the faults that its bytes pass.
struct DirectionState: Sendable {
    /// What happens to bytes that the source sends.
    enum Intake: Hashable, Sendable {
        /// Bytes, and the source's end, enter the pipeline. Next: any.
        case open
        /// The source has ended; it sends nothing more. Next: ``severed`` or ``lost``.
        case ended
        /// The network has ended the direction: bytes are read and discarded. Next: ``lost``.
        case severed
        /// The direction is permanently in a blackhole: bytes are not even acknowledged.
        case lost
    }

    var intake = Intake.open
    var pipeline = Pipeline()
    /// Parses the bytes that leave the pipeline, for faults that begin later; nil if the stream is not followed.
    var tracker: StreamTracker?
    /// The limit of bytes in flight is exceeded, so the source is not read.
    var isFull = false

    /// Whether bytes pass unchanged and at once.
    var isPlain: Bool { intake == .open && pipeline.isEmpty && tracker == nil }
}
