package import SquallCore

extension Fault {
    /// Every connection is reset on both sides after some time, whether or not it carries traffic.
    ///
    /// Without a duration the fault affects the connections that are open; with one, also those that are accepted while
    /// it lasts.
    package struct ResetPeer: Hashable, Sendable {
        package var after: TimeSpan

        package init(after: TimeSpan = .zero) {
            self.after = after
        }
    }
}

extension Fault.Kind {
    package static func resetPeer(_ fault: Fault.ResetPeer) -> Self { Self(fault) }
}

extension Fault.ResetPeer: LinkFault {
    static let declaration = FaultDeclaration(
        "reset_peer",
        Self(),
        main: "after",
        [.duration("after", \.after, "How long each connection still lasts.")],
        common: [
            .duration("for", \.duration, "The time during which new connections are reset too; without it, none are."),
            .clients, .toxicity,
        ],
        "Every open connection is reset on both sides."
    )

    static var target: FaultTarget? { .connection }
    /// A connection that is reset at once is gone before the relay reads its request.
    var hides: ClientVisibility { after > .zero ? .nothing : .attempts }
    func duration(given: TimeSpan?) -> TimeSpan? { given ?? after }
    var delayedEnd: DelayedEnd? { DelayedEnd(after: after, how: .rst) }
}
