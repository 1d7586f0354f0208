import SquallCore

extension Fault {
    /// Bytes arrive changed: as many as were sent, at the places where they were sent.
    package struct Corrupt: Hashable, Sendable {
        /// One byte in so many, on average, at places drawn from the stream's offsets; 0: none.
        package var oneIn: Int64
        /// This byte for certain, counted from 0 at the connection's beginning, or the fault's if that is later.
        package var atByte: Int64?
        package var stream: Stream

        package init(oneIn: Int64 = 0, atByte: Int64? = nil, stream: Stream = .both) {
            self.oneIn = oneIn
            self.atByte = atByte
            self.stream = stream
        }
    }
}

extension Fault.Corrupt: LinkFault {
    static let action = ActionEntry.toxic(
        "corrupt",
        main: "one_in",
        [
            Parameter(
                "one_in",
                .integer(ActionEntry.byteRange),
                "One byte in so many, on average, of each connection and direction; none unless said."
            ),
            Parameter(
                "at_byte",
                .integer(ActionEntry.byteRange),
                "This byte, counted from 0 at the connection's beginning or from now; none unless said."
            ),
        ],
        "Some bytes arrive changed; none is missing and none is new."
    )

    init(_ arguments: FaultArguments) throws(FaultArguments.Unfit) {
        oneIn = try arguments.integer("one_in", in: ActionEntry.byteRange, default: 0)
        // No byte stands before the first.
        let place = try arguments.integer("at_byte", in: -1...ActionEntry.byteRange.upperBound, default: -1)
        atByte = place >= 0 ? place : nil
        stream = try arguments.stream()
    }

    var kind: Fault.Kind { .corrupt(self) }
    var hides: ClientVisibility { .nothing }
    static var target: FaultTarget? { .byte }
    var isAdjustable: Bool { true }

    func shaper(drawing generator: SeededGenerator) -> (any Shaper)? {
        CorruptShaper(self, generator)
    }
}

struct CorruptShaper: Shaper {
    private var fault: Fault.Corrupt
    private var generator: SeededGenerator
    /// Bytes that have come so far.
    private var offset: Int64 = 0
    /// The next byte that chance hits.
    private var next = Int64.max

    init(_ fault: Fault.Corrupt, _ generator: SeededGenerator) {
        self.fault = fault
        self.generator = generator
        draw()
    }

    mutating func shape(_ piece: Piece, at arrival: Instant, into queue: inout PieceQueue) -> ShapingEffect {
        guard case .bytes(var bytes) = piece else {
            queue.append(piece, due: arrival)
            return .none
        }
        let end = offset + Int64(bytes.count)
        var effect = ShapingEffect.none
        if let place = fault.atByte, offset..<end ~= place {
            change(&bytes[Int(place - offset)])
            effect.hasChanged = true
        }
        while next < end {
            effect.hasChanged = true
            if next != fault.atByte { change(&bytes[Int(next - offset)]) }
            draw()
        }
        offset = end
        queue.append(.bytes(bytes), due: arrival)
        return effect
    }

    /// To any other value.
    private mutating func change(_ byte: inout UInt8) {
        byte ^= UInt8(truncatingIfNeeded: generator.below(255) + 1)
    }

    /// Gaps of 1 to twice the average, less one.
    private mutating func draw() {
        guard fault.oneIn > 0 else {
            next = .max
            return
        }
        let gap = Int64(clamping: generator.below(UInt64(fault.oneIn) * 2 - 1)) + 1
        next = (next == .max ? offset - 1 : next) + min(gap, 1 << 60)
    }

    mutating func adjust(to kind: Fault.Kind, queue: inout PieceQueue, at now: Instant) {
        guard case .corrupt(let fault) = kind else { return }
        self.fault = fault
        next = .max
        draw()
    }
}
