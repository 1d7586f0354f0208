package import SquallCore

extension Fault {
    /// A fault that reads and discards all bytes, and ends the connection with a FIN after some time.
    ///
    /// The time is counted from the beginning of the fault or of the connection, whichever is later, and traffic does
    /// not extend it. Because the discarded bytes are missing from the stream, the connection also ends when the fault
    /// ends.
    package struct Timeout: Hashable, Sendable {
        /// How long a connection lasts; zero means until the fault ends.
        package var timeout: TimeSpan
        package var stream: Stream

        package init(_ timeout: TimeSpan = .zero, stream: Stream = .both) {
            self.timeout = timeout
            self.stream = stream
        }
    }
}

extension Fault.Kind {
    package static func timeout(_ fault: Fault.Timeout) -> Self { Self(fault) }
}

extension Fault.Timeout: LinkFault {
    static let declaration = FaultDeclaration(
        "timeout",
        Self(),
        main: "timeout",
        [
            .duration("timeout", \.timeout, "The time until each connection is closed; 0s for never."),
            .stream(\.stream),
        ],
        common: .toxicityDurationAndClients,
        "Bytes are discarded; after the timeout, or when the fault ends, connections are closed with a FIN."
    )

    var hiddenActions: HiddenActions { .everything }
    var delayedEnd: DelayedEnd? { timeout > .zero ? DelayedEnd(after: timeout, how: .fin) : nil }

    func shaper(drawing generator: SeededGenerator) -> (any Shaper)? {
        DiscardingShaper()
    }

    func alter(_ datagram: inout Datagram, drawing generator: inout SeededGenerator) {
        datagram.isLost = true
    }
}

/// Discards everything, including FIN and RST.
struct DiscardingShaper: Shaper {
    var dropsBytes: Bool { true }

    mutating func shape(_ piece: Piece, at arrival: Instant, into queue: inout PieceQueue) -> ShapingEffect {
        ShapingEffect(dropped: piece.count)
    }
}
