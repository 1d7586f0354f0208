import SquallCore

/// The relay's socket towards one side of a link.
struct Socket: Hashable, Sendable {
    enum State: Hashable, Sendable {
        /// No connection to the server has been requested, because a fault answers the client itself or never answers
        /// it. The next state is ``connecting``.
        case absent
        /// The connection has been requested. The next state is ``open`` or ``closed``.
        case connecting
        /// The connection is established. The next state is ``closed``.
        case open
        /// A FIN has passed in both directions, or an RST has passed.
        case closed
    }

    var state: State
    /// Whether a FIN has been read from the socket.
    var hasReceivedFIN = false
    /// Whether a FIN has been written to the socket.
    var hasSentFIN = false
    var readMode = ReadMode.none

    /// Whether bytes can be written to the socket now.
    var isPlain: Bool { state == .open && !hasSentFIN }

    /// Closes the socket once both FINs have passed.
    mutating func closeIfDone() {
        if hasReceivedFIN, hasSentFIN { state = .closed }
    }
}

/// One direction of a link: the state of its source, and the faults through which its bytes pass.
struct DirectionState: Sendable {
    /// How bytes from the source are handled.
    enum InputMode: Hashable, Sendable {
        /// Bytes, and the source's FIN or RST, enter the pipeline. Any other state can follow.
        case open
        /// The source has sent a FIN or an RST, so no more bytes arrive from it. The next state is ``severed`` or
        /// ``lost``.
        case ended
        /// The network has ended the direction. Bytes from the source are read and discarded. The next state is
        /// ``lost``.
        case severed
        /// The direction is permanently in a blackhole. Bytes from the source are not even acknowledged.
        case lost
    }

    var inputMode = InputMode.open
    var pipeline = Pipeline()
    /// The parser for the bytes that leave the pipeline, used by faults that begin later; nil if the stream is not
    /// parsed.
    var tracker: StreamTracker?
    /// Whether reading from the source is paused because too many bytes are in flight.
    var isFull = false

    /// Whether bytes pass unchanged and without delay.
    var isPlain: Bool { inputMode == .open && pipeline.isEmpty && tracker == nil }
}
