import Foundations

extension Fault {
    /// A connection carries no more than so many bytes a second in a direction.
    ///
    /// Exact to the nanosecond: byte n of a busy spell has passed n / rate after its beginning, rounded up.
    package struct Bandwidth: Hashable, Sendable {
        /// Bytes a second, of each connection and direction; 0 lets nothing pass.
        package var rate: Int64
        package var stream: Stream

        package init(rate: Int64, stream: Stream = .both) {
            self.rate = rate
            self.stream = stream
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
            )
        ],
        "A connection carries only so many bytes a second."
    )

    init(_ arguments: FaultArguments) throws(FaultArguments.Unfit) {
        rate = try arguments.integer("rate", in: ActionEntry.byteRange)
        stream = try arguments.stream()
    }

    var kind: Fault.Kind { .bandwidth(self) }
    var isAdjustable: Bool { true }

    func shaper(drawing generator: SeededGenerator) -> (any Shaper)? {
        BandwidthShaper(self)
    }
}

/// A line of a fixed rate: bytes leave in parts of 20 ms at most, cut at fixed offsets.
struct BandwidthShaper: Shaper {
    private var rate: UInt64
    /// When the busy spell began, moved on by whole seconds.
    private var beginning = Instant.zero
    /// Bytes of the busy spell since then.
    private var passed: UInt64 = 0
    /// When the last byte so far has passed.
    private var free = Instant(nanoseconds: .min)
    /// Bytes until the next fixed cut.
    private var left = 0

    init(_ fault: Fault.Bandwidth) {
        rate = UInt64(clamping: fault.rate)
    }

    /// A tenth of a second at least, within bounds: a line that is woken late must not run dry.
    var capacity: Int { max(Pipeline.capacity, min(Int(clamping: rate / 10), 16 * 1024 * 1024)) }

    /// Bytes of 20 ms.
    private var part: Int { Int(clamping: max(1, rate / 50)) }

    var bite: Int { min(part, 1 << 20) * Pipeline.partsAtOnce }

    mutating func shape(_ piece: Piece, at arrival: Instant, into queue: inout PieceQueue) -> ShapingEffect {
        guard case .bytes(let bytes) = piece else {
            queue.append(piece, due: max(arrival, free))
            return .none
        }
        guard rate > 0 else {
            free = .never
            queue.append(piece, due: .never)
            return .none
        }
        if arrival > free { (beginning, passed) = (arrival, 0) }
        var start = 0
        while start < bytes.count {
            if left == 0 { left = part }
            let count = min(left, bytes.count - start)
            pass(count)
            queue.append(count == bytes.count ? piece : .bytes(Array(bytes[start..<(start + count)])), due: free)
            left -= count
            start += count
        }
        return .none
    }

    private mutating func pass(_ count: Int) {
        passed += UInt64(count)
        if passed > rate {
            let seconds = (passed - 1) / rate
            beginning = beginning + TimeSpan.seconds(Int64(clamping: seconds))
            passed -= seconds * rate
        }
        free = beginning + TimeSpan(nanoseconds: Int64(clamping: proportion(passed, 1_000_000_000, rate)))
    }

    /// What has passed at the old rate goes out; the rest starts anew at the new one.
    mutating func adjust(to kind: Fault.Kind, queue: inout PieceQueue, at now: Instant) {
        guard case .bandwidth(let fault) = kind else { return }
        var entries = queue.removeAll()
        if case .bytes(let bytes)? = entries.first?.piece, let due = entries.first?.due, due > now, due < .never {
            let missing = proportion(UInt64(clamping: (due - now).nanoseconds), rate, 1_000_000_000)
            let done = max(0, bytes.count - Int(clamping: missing))
            queue.append(.bytes(Array(bytes[..<done])), due: now)
            entries[0].piece = .bytes(Array(bytes[done...]))
        }
        self = BandwidthShaper(fault)
        (beginning, free) = (now, now)
        for entry in entries { _ = shape(entry.piece, at: now, into: &queue) }
    }
}

/// `value * numerator / denominator`, rounded up; the largest number where the result or the divisor has no room.
func proportion(_ value: UInt64, _ numerator: UInt64, _ denominator: UInt64) -> UInt64 {
    let product = value.multipliedFullWidth(by: numerator)
    guard product.high < denominator else { return .max }
    let (quotient, remainder) = denominator.dividingFullWidth(product)
    return remainder > 0 && quotient < .max ? quotient + 1 : quotient
}
