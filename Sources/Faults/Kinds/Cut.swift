import SquallCore

extension Fault {
    /// A connection breaks at a byte: what comes before it arrives, and nothing behind it.
    package struct Cut: Hashable, Sendable {
        /// Counted from the connection's beginning, or the fault's if that is later.
        package var atByte: Int64
        package var how: LinkEnd
        package var stream: Stream

        package init(atByte: Int64, how: LinkEnd = .fin, stream: Stream = .both) {
            self.atByte = atByte
            self.how = how
            self.stream = stream
        }
    }
}

extension Fault.Cut: LinkFault {
    static let action = ActionEntry.toxic(
        "cut",
        main: "at_byte",
        [
            Parameter(
                "at_byte",
                .integer(ActionEntry.byteRange),
                required: true,
                "Bytes that still arrive, of each connection, counted from now where it is there already."
            ),
            Parameter("how", .words(LinkEnd.self), "By FIN or RST: fin, unless said."),
        ],
        "Each connection breaks at this byte, in the middle of a message if it so falls."
    )

    init(_ arguments: FaultArguments) throws(FaultArguments.Unfit) {
        atByte = try arguments.integer("at_byte", in: ActionEntry.byteRange)
        how = try arguments.word("how", default: .fin)
        stream = try arguments.stream()
    }

    var kind: Fault.Kind { .cut(self) }
    var hides: ClientVisibility { .nothing }
    static var target: FaultTarget? { .byte }
    var isAdjustable: Bool { true }

    func shaper(drawing generator: SeededGenerator) -> (any Shaper)? {
        LimitShaper(limit: atByte, then: how)
    }
}
