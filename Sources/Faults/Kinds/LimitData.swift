import SquallCore

extension Fault {
    /// A fault that ends or silences a connection once a given number of bytes have passed in one direction.
    package struct LimitData: Hashable, Sendable {
        package enum Then: String, Hashable, Sendable, CaseIterable {
            case fin, rst
            /// All further bytes are discarded. When the fault ends, the connection ends with a FIN, because bytes are
            /// missing from its stream.
            case timeout
        }

        /// The number of bytes that pass, counted from the beginning of the connection or of the fault, whichever is
        /// later.
        package var bytes: Int64
        package var then: Then
        package var stream: Stream

        package init(bytes: Int64, then: Then = .fin, stream: Stream = .both) {
            self.bytes = bytes
            self.then = then
            self.stream = stream
        }
    }
}

extension Fault.Kind {
    package static func limitData(_ fault: Fault.LimitData) -> Self { Self(fault) }
}

extension Fault.LimitData: LinkFault {
    static let declaration = FaultDeclaration(
        "limit_data",
        Self(bytes: 0),
        main: "bytes",
        [
            .integer(
                "bytes",
                \.bytes,
                in: Fault.byteRange,
                required: true,
                "The number of bytes that pass per connection and direction, counted from now if the connection is "
                    + "already open."
            ),
            .word("then", \.then, "The end of the connection: a FIN, an RST, or silence (timeout)."),
            .stream(\.stream),
        ],
        common: .toxicityDurationAndClients,
        "After a number of bytes, a connection is closed or goes silent."
    )

    static var target: FaultTarget? { .byte }
    var hiddenActions: HiddenActions { .everything }
    var isAdjustable: Bool { true }

    func shaper(drawing generator: SeededGenerator) -> (any Shaper)? {
        LimitShaper(limit: bytes, then: end)
    }

    private var end: LinkEnd? {
        switch then {
        case .fin: .fin
        case .rst: .rst
        case .timeout: nil
        }
    }
}

/// Passes a given number of bytes, then ends the connection or discards all further bytes.
struct LimitShaper: Shaper {
    private var limit: Int
    private let end: LinkEnd?
    private var passed = 0
    private var isReached = false

    var dropsBytes: Bool { isReached && end == nil }

    /// Creates a shaper. Once the limit is reached, the connection ends as `end` specifies; if `end` is nil, further
    /// bytes are discarded and the connection remains open.
    init(limit: Int64, then end: LinkEnd?) {
        self.limit = Int(clamping: max(0, limit))
        self.end = end
    }

    mutating func shape(_ piece: Piece, at arrival: Instant, into queue: inout PieceQueue) -> ShapingEffect {
        if isReached { return ShapingEffect(dropped: piece.count) }
        guard case .bytes(let bytes) = piece else {
            queue.append(piece, due: arrival)
            return .none
        }
        let room = max(0, limit - passed)
        guard bytes.count >= room else {
            passed += bytes.count
            queue.append(piece, due: arrival)
            return .none
        }
        passed += room
        isReached = true
        queue.append(room == bytes.count ? piece : .bytes(Array(bytes[..<room])), due: arrival)
        if let end { queue.append(.end(end), due: arrival) }
        return ShapingEffect(severed: end, dropped: bytes.count - room)
    }

    /// Changes the limit. Bytes that have already passed count towards it.
    mutating func adjust(to fault: any LinkFault, queue: inout PieceQueue, at now: Instant) {
        guard let bytes = (fault as? Fault.LimitData)?.bytes ?? (fault as? Fault.Cut)?.atByte else { return }
        limit = Int(clamping: max(0, bytes))
    }
}
