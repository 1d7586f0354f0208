package import SquallCore

/// The catalogue of all kinds of fault.
package enum FaultCatalogue {
    /// All kinds of fault, in the order in which `squall explain` lists them. Each kind is declared in its own file in
    /// the folder `Kinds`.
    private static let kinds: [any LinkFault.Type] = [
        Fault.Latency.self,
        Fault.Bandwidth.self,
        Fault.Slicer.self,
        Fault.SlowClose.self,
        Fault.LimitData.self,
        Fault.Timeout.self,
        Fault.Drop.self,
        Fault.ResetPeer.self,
        Fault.Refuse.self,
        Fault.AcceptThenClose.self,
        Fault.Cut.self,
        Fault.Stall.self,
        Fault.Blackhole.self,
        Fault.HalfOpen.self,
        Fault.CaptivePortal.self,
        Fault.UpgradeStatus.self,
        Fault.Flap.self,
        Fault.Corrupt.self,
        Fault.Frames.self,
        Fault.SlowHTTP.self,
        Fault.Certificate.self,
        Fault.BrokenHandshake.self,
    ]

    private static let kindsByVerb = Dictionary(uniqueKeysWithValues: kinds.map { ($0.verb, $0) })

    /// The type name of each kind of fault, which is also its file name.
    package static let typeNames = kinds.map { String(describing: $0) }

    package static let verbs = kinds.map { $0.verb }

    /// Returns the parameters specific to the kind of fault with this verb, in order; nil if no fault has the verb.
    package static func parameters(of verb: String) -> [FaultParameter]? {
        kindsByVerb[verb]?.parameters
    }

    /// Returns whether the verb begins a fault that has no effect on a link without TLS.
    package static func isAboutHandshakes(_ verb: String) -> Bool { kindsByVerb[verb]?.isAboutHandshakes ?? false }

    fileprivate static func kind(_ verb: String) -> (any LinkFault.Type)? { kindsByVerb[verb] }

    fileprivate static let faultActions: [ActionEntry] = kinds.map { $0.action }
}

extension Fault {
    /// The network actions available to a scenario: one action to begin each kind of fault, the actions that end
    /// faults, and the action that replays a login.
    package static let actions: [ActionEntry] =
        FaultCatalogue.faultActions + [
            ActionEntry(
                .network,
                "heal",
                main: "label",
                [Parameter("label", .label, required: true, "The fault's `as:` label, or its verb if it has none.")],
                "Ends a fault before its duration has passed."
            ),
            ActionEntry(.network, "heal_all", [], "Ends every active fault."),
            ActionEntry(
                .network,
                "replay_login",
                [],
                "A third party on the path opens a connection and replays, byte for byte, the last recorded "
                    + "login of a client."
            ),
        ]

    /// Creates the fault with this verb from `arguments`; returns nil if no fault has the verb.
    ///
    /// - Throws: ``InvalidArgument`` if an argument is missing, of the wrong kind or out of range.
    package init?(verb: String, _ arguments: Arguments) throws(InvalidArgument) {
        guard let kind = FaultCatalogue.kind(verb) else { return nil }
        self = try kind.read(arguments)
    }
}
