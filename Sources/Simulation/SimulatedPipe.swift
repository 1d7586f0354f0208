import Faults
import SquallCore

/// An end of a pipe: the one that connected or the one that accepted.
enum PipeEnd {
    case caller, callee

    var opposite: PipeEnd { self == .caller ? .callee : .caller }
}

/// A unit that travels through a pipe: bytes, a FIN or an RST.
enum Segment {
    case bytes([UInt8])
    case fin
    case rst
}

/// The state of one in-memory TCP connection: two directions, each with a bounded buffer, that carry the bytes a socket
/// would.
///
/// A write into a dead pipe succeeds until the buffer is full and is blocked from then on, as by a kernel's send
/// buffer. ``SimulatedNetwork`` moves the segments and knows the time.
struct SimulatedPipe {
    /// What an end does with the segments that arrive.
    enum Reader {
        /// Delivers them to the owner. Next: draining; closed.
        case machine
        /// Discards them until the peer ends; the owner has sent its FIN.
        case draining
        /// Answers bytes with an RST; the socket is closed.
        case closed
    }

    /// One direction of a pipe, identified by the end that reads it.
    struct PipeDirection {
        /// How many bytes were sent and not yet taken by the reader.
        var occupied = 0
        /// Segments written while the buffer was full.
        var blocked: [Segment] = []
        /// Segments that arrived while the reader was paused.
        var held: [Segment] = []
        /// The time of the latest arrival under way; later segments never overtake it.
        var lastArrival = Instant.zero
        /// Whether the writer has sent its FIN, or was reset, and writes nothing more.
        var finWritten = false
    }

    /// Two values, one for each end.
    struct Pair<Value> {
        private var caller: Value
        private var callee: Value

        init(_ both: Value) {
            caller = both
            callee = both
        }

        subscript(end: PipeEnd) -> Value {
            get { end == .caller ? caller : callee }
            _modify {
                switch end {
                case .caller: yield &caller
                case .callee: yield &callee
                }
            }
        }
    }

    var reader = Pair(Reader.machine)
    var readMode = Pair(ReadMode.none)
    private var directions = Pair(PipeDirection())
    /// Whether an end still has its owner.
    var isTaken = Pair(false)
    /// Whether the callee has accepted the connection.
    var established = false
    /// The first accept mode other than open that the listener has while the connection is being established, which
    /// decides about it; open while there is none.
    var decidingMode = AcceptMode.open

    /// The direction that `end` reads.
    subscript(readBy end: PipeEnd) -> PipeDirection {
        get { directions[end] }
        _modify { yield &directions[end] }
    }
}
