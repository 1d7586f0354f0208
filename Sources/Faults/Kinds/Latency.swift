package import SquallCore

extension Fault {
    /// A fault that delays every byte, FIN and RST, but not connection attempts.
    ///
    /// With jitter, each 256-byte block of the stream has its own random deviation, and no byte overtakes another.
    package struct Latency: Hashable, Sendable {
        package var delay: TimeSpan
        /// The maximum deviation from the delay, upwards or downwards; all deviations are equally likely.
        package var jitter: TimeSpan
        package var stream: Stream
        package var spread = Spread.block
        /// Whether a FIN is delayed as well, as on a slow link; otherwise it arrives immediately after the last byte.
        package var delaysEnd = true

        /// The part of the stream to which one random deviation applies.
        package enum Spread: String, Hashable, Sendable, CaseIterable {
            /// A 256-byte block of the stream, regardless of the chunks in which the bytes were read.
            case block
            /// A chunk of bytes that were read together: if messages arrive one at a time, each has its own deviation.
            ///
            /// The deviation is derived from the offset of the chunk's first byte, so that it does not depend on
            /// earlier chunks.
            case piece
        }

        package init(delay: TimeSpan, jitter: TimeSpan = .zero, stream: Stream = .both) {
            self.delay = delay
            self.jitter = jitter
            self.stream = stream
        }
    }
}

extension Fault.Kind {
    package static func latency(_ fault: Fault.Latency) -> Self { Self(fault) }
}

extension Fault.Latency: LinkFault {
    static let declaration = FaultDeclaration(
        "latency",
        Self(delay: .zero),
        main: "delay",
        [
            .duration("delay", \.delay, required: true, "The delay of each byte, FIN and RST."),
            .duration("jitter", \.jitter, "The maximum deviation of the delay, in either direction."),
            .stream(\.stream),
        ],
        common: .toxicityDurationAndClients,
        "Bytes arrive late, in order; connecting is not delayed."
    )

    var hiddenActions: HiddenActions { .nothing }
    var isAdjustable: Bool { true }

    func shaper(drawing generator: SeededGenerator) -> (any Shaper)? {
        LatencyShaper(self, generator)
    }

    func alter(_ datagram: inout Datagram, drawing generator: inout SeededGenerator) {
        let jitter = max(jitter, .zero)
        let deviation = generator.span(from: .zero - jitter, through: jitter)
        datagram.due = datagram.due + max(delay + deviation, .zero)
    }
}

/// Delays each byte by the configured delay plus a random deviation.
///
/// The time at which a byte leaves is set when the byte arrives. If the fault's delay is then shortened, bytes in the
/// queue leave no later than a byte arriving at the time of the change would.
struct LatencyShaper: Shaper {
    /// The number of consecutive bytes that share one random deviation.
    static let block = 256

    private var delay: TimeSpan
    private var jitter: TimeSpan
    private var generator: SeededGenerator
    private let spread: Fault.Latency.Spread
    private let delaysEnd: Bool
    private var deviation = TimeSpan.zero
    /// The number of bytes that have arrived.
    private var offset: UInt64 = 0
    /// The number of bytes before the next deviation is drawn.
    private var remaining = 0

    // A long delay must not reduce throughput, so the queue must hold all bytes that arrive during the delay (8 KB per
    // microsecond at 64 Gbit/s). Its capacity is several times that, because its timer fires late and a full queue is
    // refilled only once it is half empty. The capacity stops growing at a delay of 1 ms.
    var capacity: Int {
        let microseconds = min(Int(clamping: longest.nanoseconds / 1_000), 1024)
        return max(Pipeline.capacity, microseconds * 32 * 1024)
    }

    /// The maximum delay of a byte.
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
            if remaining == 0, jitter > .zero { draw() }
            queue.append(piece, due: due(arrival))
            return .none
        }
        var start = 0
        var index = 0
        var time = queue.lastDue
        while index < bytes.count {
            if remaining == 0 { draw() }
            let next = max(time, due(arrival))
            if next > time, index > start {
                queue.append(.bytes(Array(bytes[start..<index])), due: time)
                start = index
            }
            time = next
            let step = min(remaining, bytes.count - index)
            index += step
            remaining -= step
        }
        queue.append(start == 0 ? piece : .bytes(Array(bytes[start...])), due: time)
        return .none
    }

    mutating func adjust(to fault: any LinkFault, queue: inout PieceQueue, at now: Instant) {
        guard let fault = fault as? Fault.Latency else { return }
        (delay, jitter) = (fault.delay, fault.jitter)
        (deviation, remaining) = (.zero, 0)
        queue.limitDueTimes(to: now + longest)
    }

    private func due(_ arrival: Instant) -> Instant {
        arrival + max(delay + deviation, .zero)
    }

    private mutating func draw() {
        deviation = generator.span(from: .zero - jitter, through: jitter)
        remaining = Self.block
    }
}
