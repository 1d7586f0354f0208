package import SquallCore

extension Fault {
    /// Every connection is torn down on both sides by an RST, after a while; traffic or none makes no difference.
    ///
    /// Without a duration it hits the connections that are there; with one, also those that come while it lasts.
    package struct ResetPeer: Hashable, Sendable {
        package var after: TimeSpan

        package init(after: TimeSpan = .zero) {
            self.after = after
        }
    }
}

extension Fault.ResetPeer: LinkFault {
    static let action = ActionEntry(
        .network,
        "reset_peer",
        main: "after",
        takesLabel: true,
        [
            Parameter("after", .duration, "How long each connection still has; 0s, at once, unless said."),
            Parameter("for", .duration, "With it, connections that come in meanwhile are reset too."),
            .clients,
            .toxicity,
        ],
        "Every connection that is there is reset on both sides."
    )

    init(_ arguments: FaultArguments) throws(FaultArguments.Unfit) {
        after = try arguments.duration("after", default: .zero)
    }

    var kind: Fault.Kind { .resetPeer(self) }
    /// A connection that has no time left is gone before its request is read.
    var hides: ClientVisibility { after > .zero ? .nothing : .attempts }
    static var target: FaultTarget? { .connection }
    func duration(given: TimeSpan?) -> TimeSpan? { given ?? after }
    var closing: DelayedEnd? { DelayedEnd(after: after, how: .rst) }
}
