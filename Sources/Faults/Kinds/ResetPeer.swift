package import SquallCore

extension Fault {
    /// A fault that resets every connection on both sides after some time, even if the connection carries traffic.
    ///
    /// If the fault has no duration, it affects only connections that are already open. Otherwise, it also affects
    /// connections that are accepted while it lasts.
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
        [.duration("after", \.after, "The time until each connection is reset.")],
        common: [
            .duration(
                "for",
                \.duration,
                "The time for which new connections are also reset; if omitted, new connections are not affected."
            ),
            .clients, .toxicity,
        ],
        "Every open connection is reset on both sides."
    )

    static var target: FaultTarget? { .connection }
    /// Connection attempts are hidden if connections are reset immediately, because the relay then does not read a
    /// request.
    var hiddenActions: HiddenActions { after > .zero ? .nothing : .attempts }
    func duration(given: TimeSpan?) -> TimeSpan? { given ?? after }
    var delayedEnd: DelayedEnd? { DelayedEnd(after: after, how: .rst) }
}
