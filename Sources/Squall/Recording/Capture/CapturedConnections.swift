import Faults
import SquallCore

/// The TCP connections of a capture, with the bytes of both directions in order.
///
///     segments ──> one stream a direction: retransmitted bytes dropped, early ones kept until their turn ──> pieces
///
/// A connection whose SYN is not in the capture is left out: its bytes would begin in the middle of a frame.
struct CapturedConnections {
    /// What was seen of a connection at an instant.
    struct Piece: Hashable {
        enum Kind: Hashable {
            /// The client's SYN.
            case asked
            /// The server's SYN.
            case accepted
            case refused
            case bytes(from: LinkSide, [UInt8])
            case ended(LinkSide, LinkEnd)
        }

        /// The number of the connection, from 0, in the order of their SYNs.
        var connection: Int
        /// The time since the capture's first packet.
        var time: TimeSpan
        var kind: Kind
    }

    /// One connection, from its SYN to its end.
    struct Connection {
        let server: CapturedSegment.Endpoint
        fileprivate var up: Stream
        fileprivate var down = Stream()
        fileprivate var isOver: Bool { up.isOver && down.isOver }
        /// Missing bytes in the capture, because of which later bytes cannot be read.
        var hasHole: Bool { up.hasHole || down.hasHole }
        /// The first bytes of the client.
        var opening: [UInt8] = []
    }

    private(set) var connections: [Connection] = []
    private(set) var pieces: [Piece] = []
    /// Connections whose beginning was not captured.
    var withoutBeginning: Int { strangers.count }

    private struct Pair: Hashable {
        var source: CapturedSegment.Endpoint
        var destination: CapturedSegment.Endpoint
        var reversed: Pair { Pair(source: destination, destination: source) }
    }

    /// The number of the latest connection between two endpoints, from the client's side.
    private var numbers: [Pair: Int] = [:]
    private var strangers: Set<Pair> = []
    private var start: Int64?

    /// Reads a packet that was captured at `nanoseconds` since 1970. Anything but TCP is ignored.
    mutating func add(_ packet: ArraySlice<UInt8>, at nanoseconds: Int64) {
        let start = start ?? nanoseconds
        self.start = start
        guard let segment = CapturedSegment(packet: packet) else { return }
        let time = TimeSpan(nanoseconds: max(0, nanoseconds.subtractingReportingOverflow(start).partialValue))
        let pair = Pair(source: segment.source, destination: segment.destination)
        if segment.isSYN, !segment.isACK {
            begin(pair, segment, at: time)
        } else if let number = numbers[pair] {
            take(segment, from: .client, of: number, at: time)
        } else if let number = numbers[pair.reversed] {
            take(segment, from: .server, of: number, at: time)
        } else if !strangers.contains(pair.reversed) {
            strangers.insert(pair)
        }
    }

    private mutating func begin(_ pair: Pair, _ segment: CapturedSegment, at time: TimeSpan) {
        // A SYN is sent again until it is answered.
        if let number = numbers[pair], !connections[number].isOver, connections[number].up.begins(at: segment.sequence)
        {
            return
        }
        let number = connections.count
        numbers[pair] = number
        connections.append(
            Connection(server: segment.destination, up: Stream(from: segment.sequence &+ 1))
        )
        pieces.append(Piece(connection: number, time: time, kind: .asked))
    }

    private mutating func take(_ segment: CapturedSegment, from side: LinkSide, of number: Int, at time: TimeSpan) {
        func note(_ kind: Piece.Kind) { pieces.append(Piece(connection: number, time: time, kind: kind)) }
        if segment.isRST {
            guard !connections[number].isOver else { return }
            let isRefusal = side == .server && !connections[number].down.isOpen
            connections[number].up.finish()
            connections[number].down.finish()
            return note(isRefusal ? .refused : .ended(side, .rst))
        }
        if segment.isSYN {
            guard side == .server, !connections[number].down.isOpen else { return }
            connections[number].down = Stream(from: segment.sequence &+ 1)
            return note(.accepted)
        }
        let stream: WritableKeyPath<Connection, Stream> = side == .client ? \.up : \.down
        let (bytes, isEnd) = connections[number][keyPath: stream].take(segment)
        if !bytes.isEmpty {
            if side == .client, connections[number].opening.isEmpty { connections[number].opening = bytes }
            note(.bytes(from: side, bytes))
        }
        if isEnd { note(.ended(side, .fin)) }
    }
}

/// One direction of a connection.
private struct Stream {
    /// The largest number of bytes that wait for earlier ones: more than any receiver's window.
    private static let mostWaiting = 16 << 20

    /// The sequence number of the first byte, and of the next one; nil before the SYN.
    private var first: UInt32?
    private var next: UInt32?
    /// The sequence number of the FIN.
    private var end: UInt32?
    private var early: [(sequence: UInt32, bytes: ArraySlice<UInt8>)] = []
    private var earlyCount = 0
    private(set) var isOver = false

    init(from sequence: UInt32? = nil) {
        (first, next) = (sequence, sequence)
    }

    var isOpen: Bool { next != nil }
    var hasHole: Bool { !isOver && !early.isEmpty }

    /// Whether its SYN had this sequence number.
    func begins(at sequence: UInt32) -> Bool { first == sequence &+ 1 }

    mutating func finish() { isOver = true }

    /// Takes a segment; returns the bytes whose turn has come, and whether the direction has ended.
    mutating func take(_ segment: CapturedSegment) -> (bytes: [UInt8], isEnd: Bool) {
        guard next != nil, !isOver else { return ([], false) }
        if segment.isFIN { end = segment.sequence &+ UInt32(segment.payload.count) }
        if !segment.payload.isEmpty, earlyCount + segment.payload.count <= Self.mostWaiting {
            early.append((segment.sequence, segment.payload))
            earlyCount += segment.payload.count
        }
        var bytes: [UInt8] = []
        while let ready = takeReady() { bytes += ready }
        isOver = next == end
        return (bytes, isOver)
    }

    /// Takes the waiting bytes that continue the direction, without those that were there already.
    private mutating func takeReady() -> ArraySlice<UInt8>? {
        guard let next else { return nil }
        for (place, part) in early.enumerated() {
            // Sequence numbers wrap around: a negative distance means a position before the next byte.
            let distance = Int(Int32(bitPattern: part.sequence &- next))
            guard distance <= 0 else { continue }
            early.remove(at: place)
            earlyCount -= part.bytes.count
            let fresh = part.bytes.dropFirst(-distance)
            guard !fresh.isEmpty else { return takeReady() }
            self.next = next &+ UInt32(fresh.count)
            return fresh
        }
        return nil
    }
}
