import SquallCore

extension Fault {
    /// A fault that accepts new connections and closes them immediately, like a load balancer with no server behind it.
    package struct AcceptThenClose: Hashable, Sendable {
        package var how: LinkEnd

        package init(_ how: LinkEnd = .fin) {
            self.how = how
        }
    }
}

extension Fault.Kind {
    package static func acceptThenClose(_ fault: Fault.AcceptThenClose) -> Self { Self(fault) }
}

extension Fault.AcceptThenClose: LinkFault {
    static let declaration = FaultDeclaration(
        "accept_then_close",
        Self(),
        main: "how",
        [.word("how", \.how, "How the connection is closed: with a FIN or an RST.")],
        "New connections are accepted and closed immediately; the server never sees them."
    )

    static var target: FaultTarget? { .arrival }
    /// The fault hides connection attempts, because the relay reads a request only if it arrives before the connection
    /// is closed.
    var hiddenActions: HiddenActions { .attempts }
    var answersForServer: Bool { true }
    var acceptOutcome: AcceptOutcome { .close(how) }
}
