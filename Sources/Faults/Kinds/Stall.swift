import SquallCore

extension Fault {
    /// A fault in which nothing passes and nothing is lost: the bytes in flight are held in order and released when the
    /// fault ends.
    ///
    /// A stall without a duration (`for`) lasts until it is healed. Afterwards the connection continues as if it had
    /// merely been slow. The sockets of the stalled directions are not read, so writes succeed until the kernel's
    /// buffers are full.
    package struct Stall: Hashable, Sendable {
        /// How new connections are treated while the stall lasts.
        package enum New: String, Hashable, Sendable, CaseIterable {
            /// New connections are accepted but carry no bytes.
            case stall
            case work
            case refuse
        }

        package var stream: Stream
        package var new: New

        package init(stream: Stream = .both, new: New = .stall) {
            self.stream = stream
            self.new = new
        }
    }
}

extension Fault.Kind {
    package static func stall(_ fault: Fault.Stall) -> Self { Self(fault) }
}

extension Fault.Stall: LinkFault {
    static let declaration = FaultDeclaration(
        "stall",
        Self(),
        main: "for",
        [
            .word(
                "new",
                \.new,
                "How new connections are treated: stall (accepted, then silent), work, or refuse (refused)."
            ),
            .stream(\.stream),
        ],
        common: .toxicityDurationAndClients,
        "No bytes pass and none are lost: bytes in flight are held, and released in order when the fault ends."
    )

    var hiddenActions: HiddenActions { .everything }
    var acceptMode: AcceptMode { new == .refuse ? .refusing : .open }
    var appliesToNewConnections: Bool { new == .stall }

    func shaper(drawing generator: SeededGenerator) -> (any Shaper)? {
        HoldingShaper()
    }
}

/// Holds all bytes until the shaper is removed.
struct HoldingShaper: Shaper {
    var holdsAll: Bool { true }

    mutating func shape(_ piece: Piece, at arrival: Instant, into queue: inout PieceQueue) -> ShapingEffect {
        queue.append(piece, due: .never)
        return .none
    }
}
