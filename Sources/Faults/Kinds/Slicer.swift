package import SquallCore

extension Fault {
    /// The stream arrives in small parts, cut at offsets that do not depend on how it was sent.
    package struct Slicer: Hashable, Sendable {
        /// Bytes of a part, on average.
        package var averageSize: Int64
        /// How far a part's size deviates from the average at most, either way.
        package var sizeVariation: Int64
        /// Time between the last byte of a part and the first of the next.
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

extension Fault.Slicer: LinkFault {
    static let action = ActionEntry.toxic(
        "slicer",
        main: "average_size",
        [
            Parameter("average_size", .integer(1...1_000_000), required: true, "Bytes of a part, on average."),
            Parameter("size_variation", .integer(0...1_000_000), "How far a size deviates at most; 0 unless said."),
            Parameter("delay", .duration, "Time between two parts; none unless said."),
        ],
        "Bytes arrive in small parts, whatever the parts in which they were sent."
    )

    init(_ arguments: FaultArguments) throws(FaultArguments.Unfit) {
        averageSize = try arguments.integer("average_size", in: 1...1_000_000)
        sizeVariation = try arguments.integer("size_variation", in: 0...1_000_000, default: 0)
        delay = try arguments.duration("delay", default: .zero)
        stream = try arguments.stream()
    }

    var kind: Fault.Kind { .slicer(self) }
    var hides: ClientVisibility { .nothing }
    var isAdjustable: Bool { true }

    func shaper(drawing generator: SeededGenerator) -> (any Shaper)? {
        SlicerShaper(self, generator)
    }
}

/// Cuts at drawn offsets; what has arrived of a part never waits for the rest of it.
struct SlicerShaper: Shaper {
    private var fault: Fault.Slicer
    private var generator: SeededGenerator
    /// Bytes of the present part that have not come yet.
    private var left = 0
    /// When the last byte so far leaves; nil before the first.
    private var last: Instant?

    init(_ fault: Fault.Slicer, _ generator: SeededGenerator) {
        self.fault = fault
        self.generator = generator
    }

    var bite: Int { Int(clamping: min(max(1, fault.averageSize), 1 << 20)) * Pipeline.partsAtOnce }

    mutating func shape(_ piece: Piece, at arrival: Instant, into queue: inout PieceQueue) -> ShapingEffect {
        guard case .bytes(let bytes) = piece else {
            queue.append(piece, due: max(arrival, last ?? arrival))
            return .none
        }
        var start = 0
        while start < bytes.count {
            var due = max(arrival, last ?? arrival)
            if left == 0 {
                left = drawSize()
                if let last { due = max(arrival, last + max(fault.delay, .zero)) }
            }
            let count = min(left, bytes.count - start)
            queue.append(count == bytes.count ? piece : .bytes(Array(bytes[start..<(start + count)])), due: due)
            last = due
            left -= count
            start += count
        }
        return .none
    }

    mutating func adjust(to kind: Fault.Kind, queue: inout PieceQueue, at now: Instant) {
        guard case .slicer(let fault) = kind else { return }
        self.fault = fault
        queue.narrow(to: max(fault.delay, .zero), from: now)
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
