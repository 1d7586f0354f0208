package import SquallCore

extension Fault {
    /// A fault that delays the FIN of a connection, but not the bytes before it.
    package struct SlowClose: Hashable, Sendable {
        package var delay: TimeSpan
        package var stream: Stream

        package init(delay: TimeSpan, stream: Stream = .both) {
            self.delay = delay
            self.stream = stream
        }
    }
}

extension Fault.Kind {
    package static func slowClose(_ fault: Fault.SlowClose) -> Self { Self(fault) }
}

extension Fault.SlowClose: LinkFault {
    static let declaration = FaultDeclaration(
        "slow_close",
        Self(delay: .zero),
        main: "delay",
        [.duration("delay", \.delay, required: true, "The delay of the FIN."), .stream(\.stream)],
        common: .toxicityDurationAndClients,
        "The FIN of a connection arrives late; data and resets are not delayed."
    )

    var hiddenActions: HiddenActions { .nothing }
    var isAdjustable: Bool { true }

    func shaper(drawing generator: SeededGenerator) -> (any Shaper)? {
        SlowCloseShaper(delay: delay)
    }
}

/// Delays the FIN, and passes everything else on immediately.
struct SlowCloseShaper: Shaper {
    var delay: TimeSpan

    mutating func shape(_ piece: Piece, at arrival: Instant, into queue: inout PieceQueue) -> ShapingEffect {
        switch piece {
        case .end(.fin):
            queue.append(piece, due: arrival + max(delay, .zero))
        case .end(.rst):
            // A reset overtakes a FIN that is still in the queue.
            for entry in queue.removeAll() where entry.piece != .end(.fin) {
                queue.append(entry.piece, due: entry.due)
            }
            queue.append(piece, due: arrival)
        case .bytes:
            queue.append(piece, due: arrival)
        }
        return .none
    }

    mutating func adjust(to fault: any LinkFault, queue: inout PieceQueue, at now: Instant) {
        guard let fault = fault as? Fault.SlowClose else { return }
        delay = fault.delay
        queue.limitDueTimes(to: now + max(delay, .zero))
    }
}
