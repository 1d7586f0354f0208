import SquallCore

extension Fault {
    /// After so many bytes in a direction a connection ends, or goes silent.
    package struct LimitData: Hashable, Sendable {
        package enum Then: String, Hashable, Sendable, CaseIterable {
            case fin, rst
            /// Nothing more passes; when the fault ends, so does the connection, by FIN, since bytes are missing.
            case timeout
        }

        /// Bytes that pass, counted from the connection's beginning, or the fault's if that is later.
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

extension Fault.LimitData: LinkFault {
    static let action = ActionEntry.toxic(
        "limit_data",
        main: "bytes",
        [
            Parameter(
                "bytes",
                .integer(ActionEntry.byteRange),
                required: true,
                "Bytes that pass, of each connection and direction, counted from now where it is there already."
            ),
            Parameter("then", .words(Then.self), "What comes after them: fin, unless said."),
        ],
        "After so many bytes a connection ends or goes silent."
    )

    init(_ arguments: FaultArguments) throws(FaultArguments.Unfit) {
        bytes = try arguments.integer("bytes", in: ActionEntry.byteRange)
        then = try arguments.word("then", default: .fin)
        stream = try arguments.stream()
    }

    var kind: Fault.Kind { .limitData(self) }
    var hides: ClientVisibility { .everything }
    static var target: FaultTarget? { .byte }
    var isAdjustable: Bool { true }

    func shaper(drawing generator: SeededGenerator) -> (any Shaper)? {
        LimitShaper(limit: bytes, then: end)
    }

    fileprivate var end: LinkEnd? {
        switch then {
        case .fin: .fin
        case .rst: .rst
        case .timeout: nil
        }
    }
}

/// Lets so many bytes pass; behind them comes the end, or nothing.
struct LimitShaper: Shaper {
    private var limit: Int
    private let end: LinkEnd?
    private var passed = 0
    private var isReached = false

    var hasSwallowed: Bool { isReached && end == nil }

    /// `then` nil: silence.
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

    /// The count goes on.
    mutating func adjust(to kind: Fault.Kind, queue: inout PieceQueue, at now: Instant) {
        switch kind {
        case .limitData(let fault): limit = Int(clamping: max(0, fault.bytes))
        case .cut(let fault): limit = Int(clamping: max(0, fault.atByte))
        default: break
        }
    }
}
