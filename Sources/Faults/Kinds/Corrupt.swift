import SquallCore

extension Fault {
    /// A fault that changes the values of some bytes, without inserting or removing any.
    package struct Corrupt: Hashable, Sendable {
        /// The average distance, in bytes, between randomly changed bytes; 0 if no byte is changed at random.
        package var oneIn: Int64
        /// The offset of a byte that is always changed, counted from 0 at the beginning of the connection or of the
        /// fault, whichever is later; nil if all bytes to change are chosen at random.
        package var atByte: Int64?
        package var stream: Stream

        package init(oneIn: Int64 = 0, atByte: Int64? = nil, stream: Stream = .both) {
            self.oneIn = oneIn
            self.atByte = atByte
            self.stream = stream
        }
    }
}

extension Fault.Kind {
    package static func corrupt(_ fault: Fault.Corrupt) -> Self { Self(fault) }
}

extension Fault.Corrupt: LinkFault {
    static let declaration = FaultDeclaration(
        "corrupt",
        Self(),
        main: "one_in",
        [
            .integer(
                "one_in",
                \.oneIn,
                in: Fault.byteRange,
                "The average number of bytes of which one is altered, per connection and direction; 0 for none."
            ),
            .integer(
                "at_byte",
                \.atByte,
                in: Fault.byteRange,
                "The byte to alter, counted from 0 at the connection's start, or from now if the connection is already "
                    + "open."
            ),
            .stream(\.stream),
        ],
        common: .toxicityDurationAndClients,
        "Some bytes are altered in transit; none are removed or added."
    )

    var hiddenActions: HiddenActions { .nothing }
    static var target: FaultTarget? { .byte }
    var isAdjustable: Bool { true }

    func shaper(drawing generator: SeededGenerator) -> (any Shaper)? {
        CorruptShaper(self, generator)
    }

    /// Changes each byte with the same probability, independently of the others, because datagrams do not form a
    /// stream. ``atByte`` is an offset within the datagram.
    func alter(_ datagram: inout Datagram, drawing generator: inout SeededGenerator) {
        for index in datagram.bytes.indices {
            let isDrawn = oneIn > 0 && generator.below(UInt64(oneIn)) == 0
            guard isDrawn || atByte == Int64(index) else { continue }
            datagram.bytes[index].change(drawing: &generator)
        }
    }
}

/// Changes bytes at random offsets, and one byte at a given offset.
struct CorruptShaper: Shaper {
    private var fault: Fault.Corrupt
    private var generator: SeededGenerator
    /// The number of bytes that have arrived.
    private var offset: Int64 = 0
    /// The offset of the next byte to change at random.
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
        if let index = fault.atByte, offset..<end ~= index {
            bytes[Int(index - offset)].change(drawing: &generator)
            effect.hasChanged = true
        }
        while next < end {
            effect.hasChanged = true
            if next != fault.atByte { bytes[Int(next - offset)].change(drawing: &generator) }
            draw()
        }
        offset = end
        queue.append(.bytes(bytes), due: arrival)
        return effect
    }

    /// Chooses the next byte to change: the gap is uniformly distributed from 1 to twice the average minus 1.
    private mutating func draw() {
        guard fault.oneIn > 0 else {
            next = .max
            return
        }
        let gap = Int64(clamping: generator.below(UInt64(fault.oneIn) * 2 - 1)) + 1
        next = (next == .max ? offset - 1 : next) + min(gap, 1 << 60)
    }

    mutating func adjust(to fault: any LinkFault, queue: inout PieceQueue, at now: Instant) {
        guard let fault = fault as? Fault.Corrupt else { return }
        self.fault = fault
        next = .max
        draw()
    }
}

extension UInt8 {
    /// Changes the byte to a different, randomly chosen value.
    mutating func change(drawing generator: inout SeededGenerator) {
        self ^= UInt8(truncatingIfNeeded: generator.below(255) + 1)
    }
}
