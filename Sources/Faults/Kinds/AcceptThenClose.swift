import SquallCore

extension Fault {
    /// New connections are accepted and ended at once, as by a load balancer with no server behind it.
    package struct AcceptThenClose: Hashable, Sendable {
        package var how: LinkEnd

        package init(_ how: LinkEnd = .fin) {
            self.how = how
        }
    }
}

extension Fault.AcceptThenClose: LinkFault {
    static let action = ActionEntry.fault(
        "accept_then_close",
        main: "how",
        [Parameter("how", .words(LinkEnd.self), "By FIN or RST: fin, unless said.")],
        "New connections are accepted and ended at once; the server never sees them."
    )

    init(_ arguments: FaultArguments) throws(FaultArguments.Unfit) {
        how = try arguments.word("how", default: .fin)
    }

    var kind: Fault.Kind { .acceptThenClose(self) }
    /// Whether a request still came hangs on who was faster.
    var hides: ClientVisibility { .attempts }
    static var target: FaultTarget? { .arrival }
    var standsIn: Bool { true }
    var acceptOutcome: AcceptOutcome { .close(how) }
}
