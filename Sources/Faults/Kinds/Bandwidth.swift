import SquallCore

extension Fault {
    /// A connection carries no more than so many bytes a second in a direction.
    ///
    /// Exact to the nanosecond: byte n of a busy spell has passed n / rate after its beginning, rounded up.
    package struct Bandwidth: Hashable, Sendable {
        /// Bytes a second, of each connection and direction; 0 lets nothing pass.
        package var rate: Int64
        package var stream: Stream
        /// Whether all connections of a client have one line together in each direction, first come, first served: what one
        /// has put into it is in the way of all.
        package var isShared: Bool

        package init(rate: Int64, stream: Stream = .both, isShared: Bool = false) {
            self.rate = rate
            self.stream = stream
            self.isShared = isShared
        }
    }
}

extension Fault.Bandwidth: LinkFault {
    static let action = ActionEntry.toxic(
        "bandwidth",
        main: "rate",
        [
            Parameter(
                "rate",
                .integer(ActionEntry.byteRange),
                required: true,
                "Bytes a second, of each connection and direction; 0 lets nothing pass."
            ),
            Parameter(
                "shared",
                .flag,
                "Whether a client's connections share the rate, first come, first served; each has its own, unless said."
            ),
        ],
        "A connection carries only so many bytes a second."
    )

    init(_ arguments: FaultArguments) throws(FaultArguments.Unfit) {
        rate = try arguments.integer("rate", in: ActionEntry.byteRange)
        stream = try arguments.stream()
        isShared = try arguments.flag("shared")
    }

    var kind: Fault.Kind { .bandwidth(self) }
    var hides: ClientVisibility { .nothing }
    var isAdjustable: Bool { !isShared }

    func shaper(drawing generator: SeededGenerator) -> (any Shaper)? {
        BandwidthShaper(self)
    }
}

/// A line of a fixed rate: bytes leave in parts of 20 ms at most, cut at fixed offsets.
struct BandwidthShaper: Shaper {
    private let isShared: Bool
    private var line: Line
    /// Bytes until the next fixed cut.
    private var left = 0

    init(_ fault: Fault.Bandwidth) {
        isShared = fault.isShared
        line = Line(rate: UInt64(clamping: fault.rate))
    }

    var sharedLine: Line? {
        get { isShared ? line : nil }
        set { if isShared, let newValue { line = newValue } }
    }

    /// A tenth of a second at least, within bounds: a line that is woken late must not run dry.
    var capacity: Int { max(Pipeline.capacity, min(Int(clamping: line.rate / 10), 16 * 1024 * 1024)) }

    /// Bytes of 20 ms.
    private var part: Int { Int(clamping: max(1, line.rate / 50)) }

    var bite: Int { min(part, 1 << 20) * Pipeline.partsAtOnce }

    mutating func shape(_ piece: Piece, at arrival: Instant, into queue: inout PieceQueue) -> ShapingEffect {
        guard case .bytes(let bytes) = piece else {
            queue.append(piece, due: max(arrival, line.free))
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
            if left == 0 { left = part }
            let count = min(left, bytes.count - start)
            line.pass(count)
            queue.append(count == bytes.count ? piece : .bytes(Array(bytes[start..<(start + count)])), due: line.free)
            left -= count
            start += count
        }
        return .none
    }

    /// What has passed at the old rate goes out; the rest starts anew at the new one.
    mutating func adjust(to kind: Fault.Kind, queue: inout PieceQueue, at now: Instant) {
        guard case .bandwidth(let fault) = kind else { return }
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

/// When each byte of a line of a fixed rate has passed.
struct Line: Hashable, Sendable {
    /// Bytes a second.
    let rate: UInt64
    /// When the busy spell began, moved on by whole seconds.
    private var beginning = Instant.zero
    /// Bytes of the busy spell since then.
    private var passed: UInt64 = 0
    /// When the last byte so far has passed.
    private(set) var free = Instant(nanoseconds: .min)

    init(rate: UInt64) {
        self.rate = rate
    }

    mutating func begin(at now: Instant) {
        (beginning, free) = (now, now)
    }

    /// Nothing passes any more.
    mutating func block() {
        free = .never
    }

    /// Bytes have come: to a line that was idle, they begin a new busy spell.
    mutating func arrive(at arrival: Instant) {
        if arrival > free { (beginning, passed) = (arrival, 0) }
    }

    /// Puts bytes on the line behind all others.
    mutating func pass(_ count: Int) {
        passed += UInt64(count)
        if passed > rate {
            let seconds = (passed - 1) / rate
            beginning = beginning + TimeSpan.seconds(Int64(clamping: seconds))
            passed -= seconds * rate
        }
        free = beginning + TimeSpan(nanoseconds: Int64(clamping: proportion(passed, 1_000_000_000, rate)))
    }
}

/// `value * numerator / denominator`, rounded up; the largest number where the result or the divisor has no room.
func proportion(_ value: UInt64, _ numerator: UInt64, _ denominator: UInt64) -> UInt64 {
    let product = value.multipliedFullWidth(by: numerator)
    guard product.high < denominator else { return .max }
    let (quotient, remainder) = denominator.dividingFullWidth(product)
    return remainder > 0 && quotient < .max ? quotient + 1 : quotient
}
