import SquallCore

extension Fault {
    /// A fault that breaks a connection at a byte offset. Only the bytes before the offset arrive.
    package struct Cut: Hashable, Sendable {
        /// The number of bytes that arrive, counted from the beginning of the connection or of the fault, whichever is
        /// later.
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

extension Fault.Kind {
    package static func cut(_ fault: Fault.Cut) -> Self { Self(fault) }
}

extension Fault.Cut: LinkFault {
    static let declaration = FaultDeclaration(
        "cut",
        Self(atByte: 0),
        main: "at_byte",
        [
            .integer(
                "at_byte",
                \.atByte,
                in: Fault.byteRange,
                required: true,
                "The number of bytes of each connection that still arrive, counted from now if the connection is "
                    + "already open."
            ),
            .word("how", \.how, "How the connection is closed: with a FIN or an RST."),
            .stream(\.stream),
        ],
        common: .toxicityDurationAndClients,
        "Each connection is closed after a number of bytes, even in the middle of a message."
    )

    static var target: FaultTarget? { .byte }
    var hiddenActions: HiddenActions { .nothing }
    var isAdjustable: Bool { true }

    func shaper(drawing generator: SeededGenerator) -> (any Shaper)? {
        LimitShaper(limit: atByte, then: how)
    }
}
