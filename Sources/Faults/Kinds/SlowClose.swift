package import SquallCore

extension Fault {
    /// A FIN comes later than the bytes before it.
    package struct SlowClose: Hashable, Sendable {
        package var delay: TimeSpan
        package var stream: Stream

        package init(delay: TimeSpan, stream: Stream = .both) {
            self.delay = delay
            self.stream = stream
        }
    }
}

extension Fault.SlowClose: LinkFault {
    static let action = ActionEntry.toxic(
        "slow_close",
        main: "delay",
        [Parameter("delay", .duration, required: true, "How much later the FIN comes.")],
        "The end of a connection is told late; its bytes, and a reset, are not delayed."
    )

    init(_ arguments: FaultArguments) throws(FaultArguments.Unfit) {
        delay = try arguments.duration("delay")
        stream = try arguments.stream()
    }

    var kind: Fault.Kind { .slowClose(self) }
    var hides: ClientVisibility { .nothing }
    var isAdjustable: Bool { true }

    func shaper(drawing generator: SeededGenerator) -> (any Shaper)? {
        SlowCloseShaper(delay: delay)
    }
}

struct SlowCloseShaper: Shaper {
    var delay: TimeSpan

    mutating func shape(_ piece: Piece, at arrival: Instant, into queue: inout PieceQueue) -> ShapingEffect {
        switch piece {
        case .end(.fin):
            queue.append(piece, due: arrival + max(delay, .zero))
        case .end(.rst):
            // A reset does not wait for a FIN that does.
            for entry in queue.removeAll() where entry.piece != .end(.fin) {
                queue.append(entry.piece, due: entry.due)
            }
            queue.append(piece, due: arrival)
        case .bytes:
            queue.append(piece, due: arrival)
        }
        return .none
    }

    mutating func adjust(to kind: Fault.Kind, queue: inout PieceQueue, at now: Instant) {
        guard case .slowClose(let fault) = kind else { return }
        delay = fault.delay
        queue.hasten(to: now + max(delay, .zero))
    }
}
