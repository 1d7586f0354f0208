import SquallCore

extension Fault {
    /// Nothing passes and nothing is lost: what is under way is held in order and released at the end.
    ///
    /// Afterwards all goes on as if it had been slow. The sockets of the hit directions are not read: whoever writes
    /// succeeds until the buffers are full.
    package struct Stall: Hashable, Sendable {
        /// What connections that come in meanwhile do.
        package enum New: String, Hashable, Sendable, CaseIterable {
            /// Come about and are silent.
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

extension Fault.Stall: LinkFault {
    static let action = ActionEntry.toxic(
        "stall",
        main: "for",
        [Parameter("new", .words(New.self), "What new connections do: stall, come about and are silent, unless said.")],
        "Nothing passes and nothing is lost: what is under way is held and released in order when it ends."
    )

    init(_ arguments: FaultArguments) throws(FaultArguments.Unfit) {
        stream = try arguments.stream()
        new = try arguments.word("new", default: .stall)
    }

    var kind: Fault.Kind { .stall(self) }
    var hides: ClientVisibility { .everything }
    var acceptMode: AcceptMode { new == .refuse ? .refusing : .open }
    var followsNew: Bool { new == .stall }

    func shaper(drawing generator: SeededGenerator) -> (any Shaper)? {
        HoldingShaper()
    }
}

struct HoldingShaper: Shaper {
    var holdsAll: Bool { true }

    mutating func shape(_ piece: Piece, at arrival: Instant, into queue: inout PieceQueue) -> ShapingEffect {
        queue.append(piece, due: .never)
        return .none
    }
}
