import Faults
import SquallCore

/// An end of a pipe: the side that connected or the side that accepted.
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

/// The state of one in-memory TCP connection: two directions, each with a bounded buffer, that carry the same bytes as
/// a real connection.
///
/// A write to a dead pipe succeeds until the buffer is full, and then blocks, as with a kernel's send buffer.
/// ``SimulatedNetwork`` moves the segments and keeps the time.
struct SimulatedPipe {
    /// How an end of the pipe handles arriving segments.
    enum Reader {
        /// Segments are delivered to the owner. The next state is ``draining`` or ``closed``.
        case machine
        /// The owner has sent its FIN; segments are discarded until the peer closes.
        case draining
        /// The socket is closed; bytes are answered with an RST.
        case closed
    }

    /// One direction of a pipe, identified by the end that reads it.
    struct PipeDirection {
        /// The number of bytes that have been sent but not yet read.
        var occupied = 0
        /// The segments that were written while the buffer was full.
        var blocked: [Segment] = []
        /// The segments that arrived while the reader was paused.
        var held: [Segment] = []
        /// The latest scheduled arrival; later segments never overtake it.
        var lastArrival = Instant.zero
        /// Whether the writer has sent its FIN or been reset; either way, it writes nothing more.
        var finWritten = false
    }

    /// A pair of values, one for each end of a pipe.
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
    /// Whether each end still has an owner.
    var hasOwner = Pair(false)
    /// Whether the callee has accepted the connection.
    var established = false
    /// The accept mode that decides the connection attempt: the first mode other than open that the listener was in
    /// while the connection was being established.
    var decidingMode = AcceptMode.open

    /// Accesses the direction that `end` reads.
    subscript(readBy end: PipeEnd) -> PipeDirection {
        get { directions[end] }
        _modify { yield &directions[end] }
    }
}
