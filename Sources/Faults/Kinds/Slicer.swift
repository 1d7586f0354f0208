package import SquallCore

extension Fault {
    /// A fault that splits the stream into small parts. The offsets of the splits do not depend on how the sender
    /// divided the stream into writes.
    package struct Slicer: Hashable, Sendable {
        /// The average number of bytes in a part.
        package var averageSize: Int64
        /// The maximum deviation of a part's size from the average, in bytes, upwards or downwards.
        package var sizeVariation: Int64
        /// The time between the last byte of a part and the first byte of the next.
        package var delay: TimeSpan
        package var stream: Stream

        package init(averageSize: Int64, sizeVariation: Int64 = 0, delay: TimeSpan = .zero, stream: Stream = .both) {
            self.averageSize = averageSize
            self.sizeVariation = sizeVariation
            self.delay = delay
            self.stream = stream
        }
    }
}

extension Fault.Kind {
    package static func slicer(_ fault: Fault.Slicer) -> Self { Self(fault) }
}

extension Fault.Slicer: LinkFault {
    static let declaration = FaultDeclaration(
        "slicer",
        Self(averageSize: 1),
        main: "average_size",
        [
            .integer(
                "average_size",
                \.averageSize,
                in: 1...1_000_000,
                required: true,
                "The average size of a segment, in bytes."
            ),
            .integer(
                "size_variation",
                \.sizeVariation,
                in: 0...1_000_000,
                "The maximum deviation from the average size, in bytes."
            ),
            .duration("delay", \.delay, "The time between two segments."),
            .stream(\.stream),
        ],
        common: .toxicityDurationAndClients,
        "Bytes arrive in small segments, regardless of how they were sent."
    )

    var hiddenActions: HiddenActions { .nothing }
    var isAdjustable: Bool { true }

    func shaper(drawing generator: SeededGenerator) -> (any Shaper)? {
        SlicerShaper(self, generator)
    }
}

/// Splits the stream at random offsets. A byte that has arrived never waits for the remaining bytes of its part.
struct SlicerShaper: Shaper {
    private var fault: Fault.Slicer
    private var generator: SeededGenerator
    /// The number of bytes in the current part that are still to arrive.
    private var remaining = 0
    /// The time at which the last byte in the queue leaves; nil before the first byte.
    private var last: Instant?

    init(_ fault: Fault.Slicer, _ generator: SeededGenerator) {
        self.fault = fault
        self.generator = generator
    }

    var chunkLimit: Int { Int(clamping: min(max(1, fault.averageSize), 1 << 20)) * Pipeline.partsPerInput }

    mutating func shape(_ piece: Piece, at arrival: Instant, into queue: inout PieceQueue) -> ShapingEffect {
        guard case .bytes(let bytes) = piece else {
            queue.append(piece, due: max(arrival, last ?? arrival))
            return .none
        }
        var start = 0
        while start < bytes.count {
            var due = max(arrival, last ?? arrival)
            if remaining == 0 {
                remaining = drawSize()
                if let last { due = max(arrival, last + max(fault.delay, .zero)) }
            }
            let count = min(remaining, bytes.count - start)
            queue.append(count == bytes.count ? piece : .bytes(Array(bytes[start..<(start + count)])), due: due)
            last = due
            remaining -= count
            start += count
        }
        return .none
    }

    mutating func adjust(to fault: any LinkFault, queue: inout PieceQueue, at now: Instant) {
        guard let fault = fault as? Fault.Slicer else { return }
        self.fault = fault
        queue.limitGaps(to: max(fault.delay, .zero), from: now)
        if queue.count > 0 { last = queue.lastDue }
    }

    private mutating func drawSize() -> Int {
        let average = max(1, fault.averageSize)
        let variation = max(0, fault.sizeVariation)
        let low = max(1, average - variation)
        let (sum, overflow) = average.addingReportingOverflow(variation)
        let width = UInt64((overflow ? .max : sum) - low)
        return Int(clamping: UInt64(low) + (width == 0 ? 0 : generator.below(width + 1)))
    }
}
