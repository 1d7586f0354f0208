package import SquallCore

extension Fault {
    /// Every byte comes later than it would, and so do the ends; connecting is not delayed.
    ///
    /// With jitter, each 256 bytes of the stream draw their own deviation, and none overtakes another.
    package struct Latency: Hashable, Sendable {
        package var delay: TimeSpan
        /// The largest deviation from the delay, earlier or later; all deviations are equally likely.
        package var jitter: TimeSpan
        package var stream: Stream
        package var spread = Spread.block
        /// Whether a FIN is late too, as all that crosses a slow link is; else it comes behind the last byte.
        package var delaysEnd = true

        /// What shares a deviation.
        package enum Spread: String, Hashable, Sendable, CaseIterable {
            /// 256 bytes of the stream, wherever they are cut.
            case block
            /// What was read at once: for messages that come one at a time, each its own.
            ///
            /// Drawn from the place of its first byte in the stream, so that it does not depend on how those before it were
            /// cut.
            case piece
        }

        package init(delay: TimeSpan, jitter: TimeSpan = .zero, stream: Stream = .both) {
            self.delay = delay
            self.jitter = jitter
            self.stream = stream
        }
    }
}

extension Fault.Latency: LinkFault {
    static let action = ActionEntry.toxic(
        "latency",
        main: "delay",
        [
            Parameter("delay", .duration, required: true, "How much later each byte and each end comes."),
            Parameter("jitter", .duration, "How far the delay deviates at most, either way; none unless said."),
        ],
        "Bytes arrive later, in order; connecting is not delayed."
    )

    init(_ arguments: FaultArguments) throws(FaultArguments.Unfit) {
        delay = try arguments.duration("delay")
        jitter = try arguments.duration("jitter", default: .zero)
        stream = try arguments.stream()
    }

    var kind: Fault.Kind { .latency(self) }
    var hides: ClientVisibility { .nothing }
    var isAdjustable: Bool { true }

    func shaper(drawing generator: SeededGenerator) -> (any Shaper)? {
        LatencyShaper(self, generator)
    }
}

/// A delay line: what is in it keeps the time it was given, unless it would come sooner if it had only just arrived.
struct LatencyShaper: Shaper {
    /// Bytes that share a draw.
    static let block = 256

    private var delay: TimeSpan
    private var jitter: TimeSpan
    private var generator: SeededGenerator
    private let spread: Fault.Latency.Spread
    private let delaysEnd: Bool
    private var deviation = TimeSpan.zero
    /// Bytes that have come in.
    private var offset: UInt64 = 0
    /// Bytes until the next draw.
    private var left = 0

    /// A long line must not cost throughput: it holds what is on its way for the whole delay, at 64 Gbit/s 8 KB for each microsecond,
    /// and several times that, since it is woken late and a full one is not fed before it is half empty. From 1 ms on it is as
    /// large as it gets.
    var capacity: Int {
        let microseconds = min(Int(clamping: longest.nanoseconds / 1_000), 1024)
        return max(Pipeline.capacity, microseconds * 32 * 1024)
    }

    /// What may be added to anything.
    private var longest: TimeSpan { max(delay, .zero) + max(jitter, .zero) }

    init(_ fault: Fault.Latency, _ generator: SeededGenerator) {
        delay = fault.delay
        jitter = fault.jitter
        spread = fault.spread
        delaysEnd = fault.delaysEnd
        self.generator = generator
    }

    mutating func shape(_ piece: Piece, at arrival: Instant, into queue: inout PieceQueue) -> ShapingEffect {
        if case .end(.fin) = piece, !delaysEnd {
            queue.append(piece, due: max(arrival, queue.lastDue))
            return .none
        }
        if spread == .piece {
            var chance = SeededGenerator(state: generator.state ^ offset &* 0x9E37_79B9_7F4A_7C15)
            deviation = jitter > .zero ? chance.span(from: .zero - jitter, through: jitter) : .zero
            offset &+= UInt64(piece.count)
            queue.append(piece, due: due(arrival))
            return .none
        }
        guard case .bytes(let bytes) = piece, jitter > .zero else {
            if left == 0, jitter > .zero { draw() }
            queue.append(piece, due: due(arrival))
            return .none
        }
        var start = 0
        var place = 0
        var time = queue.lastDue
        while place < bytes.count {
            if left == 0 { draw() }
            let next = max(time, due(arrival))
            if next > time, place > start {
                queue.append(.bytes(Array(bytes[start..<place])), due: time)
                start = place
            }
            time = next
            let step = min(left, bytes.count - place)
            place += step
            left -= step
        }
        queue.append(start == 0 ? piece : .bytes(Array(bytes[start...])), due: time)
        return .none
    }

    mutating func adjust(to kind: Fault.Kind, queue: inout PieceQueue, at now: Instant) {
        guard case .latency(let fault) = kind else { return }
        (delay, jitter) = (fault.delay, fault.jitter)
        (deviation, left) = (.zero, 0)
        queue.hasten(to: now + longest)
    }

    private func due(_ arrival: Instant) -> Instant {
        arrival + max(delay + deviation, .zero)
    }

    private mutating func draw() {
        deviation = generator.span(from: .zero - jitter, through: jitter)
        left = Self.block
    }
}
