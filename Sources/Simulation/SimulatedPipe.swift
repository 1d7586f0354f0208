import Faults
import SquallCore

/// Which end of a pipe: the one that connected or the one that accepted.
enum PipeEnd {
    case caller, callee

    var opposite: PipeEnd { self == .caller ? .callee : .caller }
}

/// What travels through a pipe, in order.
enum Segment {
    case bytes([UInt8])
    case fin
    case rst
}

/// One in-memory TCP connection: two directions, each with a bounded buffer, that carry the bytes a socket would.
///
/// It holds state only; the network around it knows the time. A write into a dead pipe succeeds until the buffer is
/// full and is kept back from then on, as a kernel's send buffer would.
struct SimulatedPipe {
    /// What an end does with what arrives.
    enum Reader {
        case machine
        /// Ended in order by its owner; reads and discards until the peer ends.
        case draining
        /// Gone: whatever arrives is answered with an RST.
        case closed
    }

    /// One direction, named by the end that reads it.
    struct PipeDirection {
        /// Written and not yet taken by the reader.
        var occupied = 0
        /// Written when the buffer was full.
        var blocked: [Segment] = []
        /// Arrived while the reader was hushed.
        var held: [Segment] = []
        /// The latest arrival put on its way: later ones never overtake it.
        var lastArrival = Instant.zero
        var finWritten = false
    }

    /// What there is once for each end.
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
    private var lanes = Pair(PipeDirection())
    /// Whether the one who came to sit at an end still does.
    var isTaken = Pair(false)
    /// False until the callee has accepted.
    var established = false

    /// The lane that `end` reads.
    subscript(readBy end: PipeEnd) -> PipeDirection {
        get { lanes[end] }
        _modify { yield &lanes[end] }
    }
}
