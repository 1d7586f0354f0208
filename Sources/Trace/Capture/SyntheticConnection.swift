import SquallCore

/// One TCP connection as the segments that it would have been, from what was done with it.
///
/// It knows both ends' numbers and writes down what passes the captured end: what that end sends when it leaves, what comes to
/// it when it arrives.
struct SyntheticConnection {
    typealias End = LinkCapture.End

    private struct Half {
        let endpoint: PacketCapture.Endpoint
        /// The number of the next byte that it sends.
        var next: UInt32
        /// The number of the next byte that it expects; nil before it has heard of the other end.
        var expected: UInt32?
        /// The last one that it has told it expects.
        var told: UInt32?
        /// What came to it and was never acknowledged, in numbers.
        var unheard: UInt32 = 0
        /// Bytes that it has acknowledged, and nobody has read.
        var unread = 0
        /// Its packets that have not come to the other end, by their places in the log; what was written at once stands together.
        var underWay: [(packets: Range<Int>, length: UInt32)] = []
        /// When its latest packet passed: none passes before.
        var latest = Instant.zero
    }

    private enum State {
        case calling(since: Instant)
        case established
        case over
    }

    let place: PacketCapture.Place
    private let captured: End
    private let hop: TimeSpan
    private let capacity: Int
    private var state: State
    private var caller: Half
    private var callee: Half
    /// Where in the log the call stands.
    private var call: Int?

    /// What waits for an answer is sent again after these, counted from the first time (RFC 6298, with the one second that it begins
    /// with).
    private static let repeats: [TimeSpan] = [1, 3, 7, 15, 31, 63].map { .seconds($0) }

    /// A call begins now; it is written down in `log`.
    init(
        from source: PacketCapture.Endpoint,
        to destination: PacketCapture.Endpoint,
        at place: PacketCapture.Place,
        number: Int,
        timing: LinkCapture.Timing,
        since now: Instant,
        in log: inout PacketLog
    ) {
        self.place = place
        captured = place == .client ? .caller : .callee
        hop = timing.hop
        capacity = timing.capacity
        state = .calling(since: now)
        // Numbers that begin alike are hard to tell apart for people, too.
        let start = UInt32(truncatingIfNeeded: number &+ 1) &* 0x9E37_79B9
        caller = Half(endpoint: source, next: start)
        callee = Half(endpoint: destination, next: start ^ 0xFFFF_0000)
        write(.syn, from: .caller, leaves: now, arrives: now + hop, in: &log)
    }

    private subscript(end: End) -> Half {
        get { end == .caller ? caller : callee }
        _modify {
            switch end {
            case .caller: yield &caller
            case .callee: yield &callee
            }
        }
    }

    private var isEstablished: Bool { if case .established = state { true } else { false } }

    // MARK: - Beginning

    mutating func accept(leaves: Instant, arrives: Instant, in log: inout PacketLog) {
        guard case .calling = state else { return }
        state = .established
        callee.expected = caller.next
        write([.syn, .ack], from: .callee, leaves: leaves, arrives: arrives, in: &log)
        caller.expected = callee.next
        write(.ack, from: .caller, leaves: arrives, arrives: arrives + hop, in: &log)
    }

    mutating func refuse(leaves: Instant, arrives: Instant, in log: inout PacketLog) {
        if case .over = state { return }
        if !isEstablished {
            callee.next = 0
            callee.expected = caller.next
        }
        state = .over
        write([.rst, .ack], from: .callee, leaves: leaves, arrives: arrives, in: &log)
    }

    /// The caller wants nothing of it any more, and nobody at the other end has learnt of it.
    mutating func abandon(at now: Instant, in log: inout PacketLog) {
        if isEstablished {
            // A handshake above TCP that came to nothing: both sides end in order.
            for end in [End.caller, .callee] {
                let leaves = end == .caller ? now : now + hop
                carry(.fin, from: end, leaves: leaves, arrives: leaves + hop, in: &log)
                arrive(at: end.opposite, .read, at: leaves + hop, in: &log)
            }
        } else {
            callAgain(until: now, in: &log)
        }
        state = .over
    }

    /// Calls again that nobody answers, as long as somebody waits.
    mutating func callAgain(until now: Instant, in log: inout PacketLog) {
        guard case .calling(let since) = state else { return }
        for span in Self.repeats where since + span < now {
            caller.next &-= 1
            let time = since + span
            write(.syn, from: .caller, leaves: time, arrives: time + hop, in: &log)
        }
    }

    // MARK: - Carrying

    mutating func carry(
        _ cargo: LinkCapture.CapturedBytes,
        from end: End,
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
        self[end].underWay.append((start..<log.count, self[end].next &- before))
    }

    /// What was carried first, of all that is under way to `end`, has come there.
    mutating func arrive(at end: End, _ reception: LinkCapture.Reception, at now: Instant, in log: inout PacketLog) {
        guard !self[end.opposite].underWay.isEmpty else { return }
        let (packets, length) = self[end.opposite].underWay.removeFirst()
        // An RST is answered by nobody.
        guard length > 0 else { return }
        switch reception {
        case .read: break
        case .unread: self[end].unread += Int(length)
        case .refused: return
        case .lost:
            self[end].unheard &+= length
            log.comment("Never acknowledged: the network lets nothing through here any more.", on: packets)
            return
        }
        // Whoever acknowledges again acknowledges all before it: TCP has no holes.
        let heard = length &+ self[end].unheard
        self[end].unheard = 0
        self[end].expected = self[end].expected.map { $0 &+ heard }
        acknowledge(by: end, at: now, in: &log)
    }

    /// What waited at `end`, acknowledged or not, is read now.
    mutating func release(at end: End, at now: Instant, in log: inout PacketLog) {
        let waited = self[end].unread > 0 || self[end].unheard > 0
        self[end].unread = 0
        self[end].expected = self[end].expected.map { $0 &+ self[end].unheard }
        self[end].unheard = 0
        if waited { write(.ack, from: end, leaves: now, arrives: now + hop, in: &log) }
    }

    mutating func comment(_ text: String, onCallIn log: inout PacketLog) {
        if let call { log.comment(text, on: call..<call + 1) }
    }

    // MARK: - Writing

    private mutating func acknowledge(by end: End, at now: Instant, in log: inout PacketLog) {
        guard self[end].expected != self[end].told else { return }
        write(.ack, from: end, leaves: now, arrives: now + hop, in: &log)
    }

    private mutating func write(
        _ flags: TCPSegment.Flags,
        _ payload: ArraySlice<UInt8> = [],
        from end: End,
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
        if flags == .syn, call == nil { call = log.count }
        log.add(PacketCapture.Packet(time: time, place: place, bytes: segment.packet))
        self[end].latest = time
        self[end].told = half.expected
        let isNumbered = !flags.isDisjoint(with: [.syn, .fin])
        self[end].next = half.next &+ UInt32(payload.count) &+ (isNumbered ? 1 : 0)
    }
}
