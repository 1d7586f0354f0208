package import SquallCore

extension Fault {
    /// Bytes are read and thrown away; after a while the connection ends by FIN.
    ///
    /// The while is counted from the fault's beginning or the connection's, and traffic does not prolong it. What was
    /// thrown away is missing, so that the connection also ends when the fault does.
    package struct Timeout: Hashable, Sendable {
        /// Zero: only the fault's end ends it.
        package var timeout: TimeSpan
        package var stream: Stream

        package init(_ timeout: TimeSpan, stream: Stream = .both) {
            self.timeout = timeout
            self.stream = stream
        }
    }
}

extension Fault.Timeout: LinkFault {
    static let action = ActionEntry.toxic(
        "timeout",
        main: "timeout",
        [Parameter("timeout", .duration, "After how long each connection ends; 0s, unless said, is never.")],
        "Bytes are thrown away, and after a while, or when the fault ends, each connection ends by FIN."
    )

    init(_ arguments: FaultArguments) throws(FaultArguments.Unfit) {
        timeout = try arguments.duration("timeout", default: .zero)
        stream = try arguments.stream()
    }

    var kind: Fault.Kind { .timeout(self) }
    var hides: ClientVisibility { .everything }

    func shaper(drawing generator: SeededGenerator) -> (any Shaper)? {
        SwallowingShaper()
    }

    var closing: DelayedEnd? {
        timeout > .zero ? DelayedEnd(after: timeout, how: .fin) : nil
    }
}

struct SwallowingShaper: Shaper {
    var hasSwallowed: Bool { true }

    mutating func shape(_ piece: Piece, at arrival: Instant, into queue: inout PieceQueue) -> ShapingEffect {
        ShapingEffect(dropped: piece.count)
    }
}
