import SquallCore

extension Fault {
    /// A fault that limits how many bytes per second a connection carries in each direction.
    ///
    /// The rate is exact to the nanosecond: within a period of continuous traffic, byte n has been transmitted n / rate
    /// seconds after the start, rounded up.
    package struct Bandwidth: Hashable, Sendable {
        /// The rate of each connection in each direction, in bytes per second; at 0, nothing passes.
        package var rate: Int64
        package var stream: Stream
        /// Whether all connections of a client share one transmission line in each direction, first come, first served.
        /// Bytes queued by one connection then delay those of all the others.
        package var isShared: Bool

        package init(rate: Int64, stream: Stream = .both, isShared: Bool = false) {
            self.rate = rate
            self.stream = stream
            self.isShared = isShared
        }
    }
}

extension Fault.Kind {
    package static func bandwidth(_ fault: Fault.Bandwidth) -> Self { Self(fault) }
}

extension Fault.Bandwidth: LinkFault {
    static let declaration = FaultDeclaration(
        "bandwidth",
        Self(rate: 0),
        main: "rate",
        [
            .integer(
                "rate",
                \.rate,
                in: Fault.byteRange,
                required: true,
                "The rate in bytes per second, for each connection and direction; at 0, no bytes pass."
            ),
            .flag("shared", \.isShared, "Whether a client's connections share the rate, first come, first served."),
            .stream(\.stream),
        ],
        common: .toxicityDurationAndClients,
        "A connection carries at most the given number of bytes per second."
    )

    var hiddenActions: HiddenActions { .nothing }
    var sharesLine: Bool { isShared }
    var isAdjustable: Bool { !isShared }

    func shaper(drawing generator: SeededGenerator) -> (any Shaper)? {
        BandwidthShaper(self)
    }
}

/// Delays bytes like a transmission line with a fixed rate. Bytes leave in chunks that take at most 20 ms to transmit
/// and end at fixed offsets in the stream.
struct BandwidthShaper: Shaper {
    private let isShared: Bool
    private var line: TransmissionLine
    /// The number of bytes that remain in the current chunk.
    private var remaining = 0

    init(_ fault: Fault.Bandwidth) {
        isShared = fault.isShared
        line = TransmissionLine(rate: UInt64(clamping: fault.rate))
    }

    var sharedLine: TransmissionLine? {
        get { isShared ? line : nil }
        set { if isShared, let newValue { line = newValue } }
    }

    // The capacity is at least a tenth of a second of traffic, up to 16 MB, so that the line does not become idle when
    // its timer fires late.
    var capacity: Int { max(Pipeline.capacity, min(Int(clamping: line.rate / 10), 16 * 1024 * 1024)) }

    /// The number of bytes that the line transmits in 20 ms, at least 1.
    private var part: Int { Int(clamping: max(1, line.rate / 50)) }

    var chunkLimit: Int { min(part, 1 << 20) * Pipeline.partsPerInput }

    mutating func shape(_ piece: Piece, at arrival: Instant, into queue: inout PieceQueue) -> ShapingEffect {
        guard case .bytes(let bytes) = piece else {
            queue.append(piece, due: max(arrival, line.idleFrom))
            return .none
        }
        guard line.rate > 0 else {
            line.block()
            queue.append(piece, due: .never)
            return .none
        }
        line.arrive(at: arrival)
        var start = 0
        while start < bytes.count {
            if remaining == 0 { remaining = part }
            let count = min(remaining, bytes.count - start)
            line.pass(count)
            queue.append(
                count == bytes.count ? piece : .bytes(Array(bytes[start..<(start + count)])),
                due: line.idleFrom
            )
            remaining -= count
            start += count
        }
        return .none
    }

    /// Changes the rate. Bytes that have already been transmitted at the old rate leave now. The rest are transmitted
    /// at the new rate from now on.
    mutating func adjust(to fault: any LinkFault, queue: inout PieceQueue, at now: Instant) {
        guard let fault = fault as? Fault.Bandwidth else { return }
        var entries = queue.removeAll()
        if case .bytes(let bytes)? = entries.first?.piece, let due = entries.first?.due, due > now, due < .never {
            let missing = proportion(UInt64(clamping: (due - now).nanoseconds), line.rate, 1_000_000_000)
            let done = max(0, bytes.count - Int(clamping: missing))
            queue.append(.bytes(Array(bytes[..<done])), due: now)
            entries[0].piece = .bytes(Array(bytes[done...]))
        }
        self = BandwidthShaper(fault)
        line.begin(at: now)
        for entry in entries { _ = shape(entry.piece, at: now, into: &queue) }
    }
}

/// A transmission line with a fixed rate. It computes when each byte has been transmitted.
struct TransmissionLine: Hashable, Sendable {
    /// The rate in bytes per second.
    let rate: UInt64
    /// The start of the current period of continuous traffic, advanced by whole seconds so that ``byteCount`` remains
    /// small.
    private var periodStart = Instant.zero
    /// The number of bytes that have entered the line since ``periodStart``.
    private var byteCount: UInt64 = 0
    /// The time at which the last byte on the line has been transmitted. After that, the line is idle.
    private(set) var idleFrom = Instant(nanoseconds: .min)

    init(rate: UInt64) {
        self.rate = rate
    }

    mutating func begin(at now: Instant) {
        (periodStart, idleFrom) = (now, now)
    }

    /// Blocks the line permanently.
    mutating func block() {
        idleFrom = .never
    }

    /// Handles the arrival of bytes. If the line is idle, a new period of continuous traffic starts.
    mutating func arrive(at arrival: Instant) {
        if arrival > idleFrom { (periodStart, byteCount) = (arrival, 0) }
    }

    /// Adds bytes to the line, and sets ``idleFrom`` to the time at which the last of them has been transmitted.
    mutating func pass(_ count: Int) {
        assert(rate > 0, "a blocked line passes nothing")
        byteCount += UInt64(count)
        if byteCount > rate {
            let seconds = (byteCount - 1) / rate
            periodStart = periodStart + TimeSpan.seconds(Int64(clamping: seconds))
            byteCount -= seconds * rate
        }
        idleFrom = periodStart + TimeSpan(nanoseconds: Int64(clamping: proportion(byteCount, 1_000_000_000, rate)))
    }
}

/// Returns `value * numerator / denominator`, rounded up. Returns `UInt64.max` on overflow or division by zero.
func proportion(_ value: UInt64, _ numerator: UInt64, _ denominator: UInt64) -> UInt64 {
    let product = value.multipliedFullWidth(by: numerator)
    guard product.high < denominator else { return .max }
    let (quotient, remainder) = denominator.dividingFullWidth(product)
    return remainder > 0 && quotient < .max ? quotient + 1 : quotient
}
