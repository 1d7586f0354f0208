import SquallCore

extension Fault {
    /// New connections are refused, as by a port on which nobody listens; those that are there go on.
    package struct Refuse: Hashable, Sendable {
        package init() {}
    }
}

extension Fault.Refuse: LinkFault {
    static let action = ActionEntry.fault(
        "refuse",
        main: "for",
        [],
        "New connections are refused; those that are there go on."
    )

    init(_ arguments: FaultArguments) throws(FaultArguments.Unfit) {}

    var kind: Fault.Kind { .refuse(self) }
    var hides: ClientVisibility { .attempts }
    var acceptMode: AcceptMode { .refusing }
}
