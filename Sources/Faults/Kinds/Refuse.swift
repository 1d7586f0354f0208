import SquallCore

extension Fault {
    /// A fault that refuses new connections, as a port without a listener does; open connections continue.
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

    var hiddenActions: HiddenActions { .attempts }
    var acceptMode: AcceptMode { .refusing }
}
