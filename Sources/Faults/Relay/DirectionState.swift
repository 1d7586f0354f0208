import SquallCore

/// The relay's socket towards one side of a link.
struct Socket: Hashable, Sendable {
    enum State: Hashable, Sendable {
        /// The connection was never requested, because the network responds in the server's place, or not at all. Next:
        /// ``connecting``.
        case absent
        /// The connection was requested. Next: ``open`` or ``closed``.
        case connecting
        /// The connection is established. Next: ``closed``.
        case open
        /// A FIN has passed in both directions, or an RST has passed.
        case closed
    }

    var state: State
    /// Whether a FIN has been read from the socket.
    var hasEnded = false
    /// Whether a FIN has been written to the socket.
    var isEnded = false
    var readMode = ReadMode.none

    /// Whether bytes may be written to the socket now.
    var isPlain: Bool { state == .open && !isEnded }

    /// Closes the socket once both FINs have passed.
    mutating func closeIfDone() {
        if hasEnded, isEnded { state = .closed }
    }
}

/// One direction of a link: the state of its source, and the faults that its bytes pass.
struct DirectionState: Sendable {
    /// How bytes from the source are handled.
    enum Intake: Hashable, Sendable {
        /// Bytes, and the source's FIN or RST, enter the pipeline. Next: any other state.
        case open
        /// The source has sent a FIN or an RST, so nothing more arrives from it. Next: ``severed`` or ``lost``.
        case ended
        /// The network has ended the direction. Bytes from the source are read and discarded. Next: ``lost``.
        case severed
        /// The direction is permanently in a blackhole. Bytes from the source are not even acknowledged.
        case lost
    }

    var intake = Intake.open
    var pipeline = Pipeline()
    /// Parses the bytes that leave the pipeline, for faults that begin later; nil if the stream is not parsed.
    var tracker: StreamTracker?
    /// Whether so many bytes are in flight that the source is not read.
    var isFull = false

    /// Whether bytes pass unchanged and without delay.
    var isPlain: Bool { intake == .open && pipeline.isEmpty && tracker == nil }
}
