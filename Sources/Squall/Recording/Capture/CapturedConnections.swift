import Faults
import SquallCore

/// Reconstructs the TCP connections in a packet capture, with each direction's bytes in sequence order.
///
///     segments ──> one stream for each direction: drops retransmitted bytes, buffers out-of-order bytes ──> pieces
///
/// A connection whose SYN was not captured is excluded, because its bytes would begin in the middle of a frame.
struct CapturedConnections {
    /// An event on a connection.
    struct Piece: Hashable {
        enum Kind: Hashable {
            /// The client has sent its SYN.
            case asked
            /// The server has sent its SYN.
            case accepted
            case refused
            case bytes(from: LinkSide, [UInt8])
            case ended(LinkSide, LinkEnd)
        }

        /// The connection's index, from 0, in SYN order.
        var connection: Int
        /// The time since the first packet of the capture.
        var time: TimeSpan
        var kind: Kind
    }

    /// A TCP connection, from its SYN to its end.
    struct Connection {
        let server: CapturedSegment.Endpoint
        fileprivate var up: Stream
        fileprivate var down = Stream()
        fileprivate var isOver: Bool { up.isOver && down.isOver }
        /// Whether bytes are missing from the capture, so that later bytes cannot be decoded.
        var hasGap: Bool { up.hasGap || down.hasGap }
        /// The first bytes sent by the client.
        var opening: [UInt8] = []
    }

    private(set) var connections: [Connection] = []
    private(set) var pieces: [Piece] = []
    /// The number of connections whose SYN was not captured.
    var withoutBeginning: Int { partialPairs.count }

    private struct Pair: Hashable {
        var source: CapturedSegment.Endpoint
        var destination: CapturedSegment.Endpoint
        var reversed: Pair { Pair(source: destination, destination: source) }
    }

    /// The index of the latest connection between two endpoints, keyed by the pair with the client as its source.
    private var numbers: [Pair: Int] = [:]
    private var partialPairs: Set<Pair> = []
    private var start: Int64?

    /// Processes a packet captured `nanoseconds` after the Unix epoch. Non-TCP packets are ignored.
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
        } else if !partialPairs.contains(pair.reversed) {
            partialPairs.insert(pair)
        }
    }

    private mutating func begin(_ pair: Pair, _ segment: CapturedSegment, at time: TimeSpan) {
        // A SYN is retransmitted until it is acknowledged; a repeated SYN does not open another connection.
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

/// The byte stream in one direction of a connection.
private struct Stream {
    /// The maximum number of buffered out-of-order bytes, which exceeds the window of any receiver.
    private static let maximumWaiting = 16 << 20

    /// The sequence numbers of the first byte and of the next expected byte; nil until the SYN has been captured.
    private var first: UInt32?
    private var next: UInt32?
    /// The sequence number of the FIN; nil until it has been captured.
    private var end: UInt32?
    private var early: [(sequence: UInt32, bytes: ArraySlice<UInt8>)] = []
    private var earlyCount = 0
    private(set) var isOver = false

    init(from sequence: UInt32? = nil) {
        (first, next) = (sequence, sequence)
    }

    var isOpen: Bool { next != nil }
    var hasGap: Bool { !isOver && !early.isEmpty }

    /// Returns whether the SYN in this direction had the given sequence number.
    func begins(at sequence: UInt32) -> Bool { first == sequence &+ 1 }

    mutating func finish() { isOver = true }

    /// Processes a segment; returns the bytes that are now in order, and whether the direction has ended.
    mutating func take(_ segment: CapturedSegment) -> (bytes: [UInt8], isEnd: Bool) {
        guard next != nil, !isOver else { return ([], false) }
        if segment.isFIN { end = segment.sequence &+ UInt32(segment.payload.count) }
        if !segment.payload.isEmpty, earlyCount + segment.payload.count <= Self.maximumWaiting {
            early.append((segment.sequence, segment.payload))
            earlyCount += segment.payload.count
        }
        var bytes: [UInt8] = []
        while let ready = takeReady() { bytes += ready }
        isOver = next == end
        return (bytes, isOver)
    }

    /// Removes and returns the buffered bytes that continue the stream, skipping any that were already received.
    private mutating func takeReady() -> ArraySlice<UInt8>? {
        guard let next else { return nil }
        for (index, part) in early.enumerated() {
            // Sequence numbers wrap around: a negative distance means that the buffered segment begins before the next
            // expected byte.
            let distance = Int(Int32(bitPattern: part.sequence &- next))
            guard distance <= 0 else { continue }
            early.remove(at: index)
            earlyCount -= part.bytes.count
            let fresh = part.bytes.dropFirst(-distance)
            guard !fresh.isEmpty else { return takeReady() }
            self.next = next &+ UInt32(fresh.count)
            return fresh
        }
        return nil
    }
}
