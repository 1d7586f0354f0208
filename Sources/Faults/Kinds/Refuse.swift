import SquallCore

extension Fault {
    /// New connections are refused, as by a port without a listener; open connections continue.
    package struct Refuse: Hashable, Sendable {
        package init() {}
    }
}

extension Fault.Kind {
    package static func refuse(_ fault: Fault.Refuse) -> Self { Self(fault) }
}

extension Fault.Refuse: LinkFault {
    static let declaration = FaultDeclaration(
        "refuse",
        Self(),
        main: "for",
        [],
        "New connections are refused; open connections continue."
    )

    var hides: ClientVisibility { .attempts }
    var acceptMode: AcceptMode { .refusing }
}
