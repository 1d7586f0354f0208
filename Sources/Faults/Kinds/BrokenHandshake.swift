import SquallCore

extension Fault {
    /// New connections of a link with TLS come about, and their handshake does not; those that are there go on.
    package struct BrokenHandshake: Hashable, Sendable {
        package enum Outcome: String, Hashable, Sendable, CaseIterable {
            /// An alert, `handshake_failure`, and the end.
            case fail
            /// No answer at all.
            case stall
        }

        package var outcome: Outcome

        package init(_ outcome: Outcome = .fail) {
            self.outcome = outcome
        }
    }
}

extension Fault.BrokenHandshake: LinkFault {
    static let action = ActionEntry.fault(
        "handshake",
        main: "outcome",
        [
            Parameter(
                "outcome",
                .words(Outcome.self),
                "By an alert, fail, or without any answer, stall: fail, unless said."
            )
        ],
        "The TLS handshake of new connections comes to nothing, on a link with TLS; those that are there go on."
    )

    init(_ arguments: FaultArguments) throws(FaultArguments.Unfit) {
        outcome = try arguments.word("outcome", default: .fail)
    }

    var kind: Fault.Kind { .brokenHandshake(self) }
    /// Nothing but what its handshake does.
    var hides: ClientVisibility { .nothing }
    var handshake: Handshake? { outcome == .fail ? .fails : .stalls }
}
