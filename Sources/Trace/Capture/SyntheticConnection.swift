import SquallCore

/// Converts the events of one connection to the TCP segments that would have carried them.
///
/// It tracks the sequence numbers of both endpoints, and logs the packets as the captured endpoint sees them: outgoing
/// packets when they leave, incoming ones when they arrive.
struct SyntheticConnection {
    typealias Side = LinkCapture.Side

    /// The TCP state of one endpoint.
    private struct EndpointState {
        let endpoint: PacketCapture.Endpoint
        /// The sequence number of the next byte to send.
        var next: UInt32
        /// The sequence number of the next byte to receive; nil before the first segment from the other endpoint.
        var expected: UInt32?
        /// The acknowledgement number in the last segment sent; nil before the first segment.
        var acknowledged: UInt32?
        /// The amount of data that has been received but not acknowledged, in sequence numbers.
        var unacknowledged: UInt32 = 0
        /// The number of acknowledged bytes that the application has not read yet.
        var unread = 0
        /// The writes that have not arrived at the other endpoint. Each has the numbers of its packets in the log, and
        /// its length in sequence numbers.
        var inFlight: [(packets: Range<Int>, length: UInt32)] = []
        /// The time of the last packet. No later packet is logged with an earlier time.
        var latest = Instant.zero
    }

    private enum State {
        case connecting(since: Instant)
        case established
        case closed
    }

    let place: PacketCapture.CapturePoint
    private let captured: Side
    private let hop: TimeSpan
    private let capacity: Int
    private var state: State
    private var caller: EndpointState
    private var callee: EndpointState
    /// The number of the first SYN in the log; nil until it is logged.
    private var syn: Int?

    /// The times, after the first SYN, at which an unanswered SYN is retransmitted. The delays double, starting at one
    /// second (RFC 6298).
    private static let repeats: [TimeSpan] = [1, 3, 7, 15, 31, 63].map { .seconds($0) }

    /// Opens a connection now by logging its SYN.
    init(
        from source: PacketCapture.Endpoint,
        to destination: PacketCapture.Endpoint,
        at place: PacketCapture.CapturePoint,
        number: Int,
        timing: LinkCapture.Timing,
        since now: Instant,
        in log: inout PacketLog
    ) {
        self.place = place
        captured = place == .client ? .caller : .callee
        hop = timing.hop
        capacity = timing.capacity
        state = .connecting(since: now)
        // The start is a Fibonacci hash (2^32 divided by the golden ratio), so that the initial sequence numbers of
        // connections differ visibly.
        let start = UInt32(truncatingIfNeeded: number &+ 1) &* 0x9E37_79B9
        caller = EndpointState(endpoint: source, next: start)
        callee = EndpointState(endpoint: destination, next: start ^ 0xFFFF_0000)
        write(.syn, from: .caller, leaves: now, arrives: now + hop, in: &log)
    }

    private subscript(end: Side) -> EndpointState {
        get { end == .caller ? caller : callee }
        _modify {
            switch end {
            case .caller: yield &caller
            case .callee: yield &callee
            }
        }
    }

    private var isEstablished: Bool { if case .established = state { true } else { false } }

    // MARK: - Opening

    mutating func accept(leaves: Instant, arrives: Instant, in log: inout PacketLog) {
        guard case .connecting = state else { return }
        state = .established
        callee.expected = caller.next
        write([.syn, .ack], from: .callee, leaves: leaves, arrives: arrives, in: &log)
        caller.expected = callee.next
        write(.ack, from: .caller, leaves: arrives, arrives: arrives + hop, in: &log)
    }

    mutating func refuse(leaves: Instant, arrives: Instant, in log: inout PacketLog) {
        if case .closed = state { return }
        if !isEstablished {
            callee.next = 0
            callee.expected = caller.next
        }
        state = .closed
        write([.rst, .ack], from: .callee, leaves: leaves, arrives: arrives, in: &log)
    }

    /// Closes a connection that the caller has abandoned before it became usable.
    mutating func abandon(at now: Instant, in log: inout PacketLog) {
        if isEstablished {
            // The connection is established, but a handshake above TCP, such as the TLS handshake, has failed, so both
            // endpoints send a FIN.
            for end in [Side.caller, .callee] {
                let leaves = end == .caller ? now : now + hop
                carry(.fin, from: end, leaves: leaves, arrives: leaves + hop, in: &log)
                arrive(at: end.opposite, .read, at: leaves + hop, in: &log)
            }
        } else {
            retransmitSYN(until: now, in: &log)
        }
        state = .closed
    }

    /// Logs the retransmissions of an unanswered SYN that are due before `now`.
    mutating func retransmitSYN(until now: Instant, in log: inout PacketLog) {
        guard case .connecting(let since) = state else { return }
        for span in Self.repeats where since + span < now {
            caller.next &-= 1
            let time = since + span
            write(.syn, from: .caller, leaves: time, arrives: time + hop, in: &log)
        }
    }

    // MARK: - Data

    mutating func carry(
        _ cargo: LinkCapture.Payload,
        from end: Side,
        leaves: Instant,
        arrives: Instant,
        in log: inout PacketLog
    ) {
        guard isEstablished else { return }
        let start = log.count
        let before = self[end].next
        switch cargo {
        case .bytes(let bytes):
            var rest = bytes[...]
            while !rest.isEmpty {
                let piece = rest.prefix(TCPSegment.maximumSize)
                rest = rest.dropFirst(piece.count)
                let flags: TCPSegment.Flags = rest.isEmpty ? [.psh, .ack] : .ack
                write(flags, piece, from: end, leaves: leaves, arrives: arrives, in: &log)
            }
        case .fin: write([.fin, .ack], from: end, leaves: leaves, arrives: arrives, in: &log)
        case .rst: write([.rst, .ack], from: end, leaves: leaves, arrives: arrives, in: &log)
        }
        self[end].inFlight.append((start..<log.count, self[end].next &- before))
    }

    /// Delivers the oldest write in flight to `end`.
    mutating func arrive(at end: Side, _ reception: LinkCapture.Reception, at now: Instant, in log: inout PacketLog) {
        guard !self[end.opposite].inFlight.isEmpty else { return }
        let (packets, length) = self[end.opposite].inFlight.removeFirst()
        // An RST occupies no sequence numbers and is not acknowledged (RFC 9293 section 3.5.3).
        guard length > 0 else { return }
        switch reception {
        case .read: break
        case .unread: self[end].unread += Int(length)
        case .refused: return
        case .lost:
            self[end].unacknowledged &+= length
            log.comment("Never acknowledged: the network no longer forwards packets on this connection.", on: packets)
            return
        }
        // Acknowledgements are cumulative, so this one also covers bytes that were received but not acknowledged
        // earlier.
        let heard = length &+ self[end].unacknowledged
        self[end].unacknowledged = 0
        self[end].expected = self[end].expected.map { $0 &+ heard }
        acknowledge(by: end, at: now, in: &log)
    }

    /// Records that `end` has read all bytes that were waiting there, whether they were acknowledged or not.
    mutating func release(at end: Side, at now: Instant, in log: inout PacketLog) {
        let waited = self[end].unread > 0 || self[end].unacknowledged > 0
        self[end].unread = 0
        self[end].expected = self[end].expected.map { $0 &+ self[end].unacknowledged }
        self[end].unacknowledged = 0
        if waited { write(.ack, from: end, leaves: now, arrives: now + hop, in: &log) }
    }

    mutating func comment(_ text: String, onSYNIn log: inout PacketLog) {
        if let syn { log.comment(text, on: syn..<syn + 1) }
    }

    // MARK: - Segments

    private mutating func acknowledge(by end: Side, at now: Instant, in log: inout PacketLog) {
        guard self[end].expected != self[end].acknowledged else { return }
        write(.ack, from: end, leaves: now, arrives: now + hop, in: &log)
    }

    private mutating func write(
        _ flags: TCPSegment.Flags,
        _ payload: ArraySlice<UInt8> = [],
        from end: Side,
        leaves: Instant,
        arrives: Instant,
        in log: inout PacketLog
    ) {
        let half = self[end]
        let room = UInt16(clamping: max(0, capacity - half.unread) >> Int(TCPSegment.windowScale))
        let segment = TCPSegment(
            source: half.endpoint,
            destination: self[end.opposite].endpoint,
            sequence: half.next,
            acknowledgement: half.expected ?? 0,
            flags: flags,
            window: flags.contains(.syn) ? UInt16(clamping: capacity) : flags.contains(.rst) ? 0 : room,
            payload: payload
        )
        let time = max(end == captured ? leaves : arrives, half.latest)
        if flags == .syn, syn == nil { syn = log.count }
        log.add(PacketCapture.Packet(time: time, place: place, bytes: segment.packet))
        self[end].latest = time
        self[end].acknowledged = half.expected
        let isNumbered = !flags.isDisjoint(with: [.syn, .fin])
        self[end].next = half.next &+ UInt32(payload.count) &+ (isNumbered ? 1 : 0)
    }
}
