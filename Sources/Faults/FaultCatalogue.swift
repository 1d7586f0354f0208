package import SquallCore

/// The faults that exist.
package enum FaultCatalogue {
    /// One line for each file in `Kinds`, in the order in which `squall explain` lists them.
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

    /// The names of the faults' types, which are those of their files too.
    package static let typeNames = kinds.map { String(describing: $0) }

    package static let verbs = kinds.map { $0.verb }

    /// The fault's own parameters, in order; nil if no fault has this verb.
    package static func parameters(of verb: String) -> [FaultParameter]? {
        kindsByVerb[verb]?.parameters
    }

    fileprivate static func kind(_ verb: String) -> (any LinkFault.Type)? { kindsByVerb[verb] }

    fileprivate static let faultActions: [ActionEntry] = kinds.map { $0.action }
}

extension Fault {
    /// Everything that a scenario can have the network do: begin each of the faults, end them, and replay a login.
    package static let actions: [ActionEntry] =
        FaultCatalogue.faultActions + [
            ActionEntry(
                .network,
                "heal",
                main: "label",
                [Parameter("label", .label, required: true, "The fault's `as:` name, or its verb where it has none.")],
                "Ends a fault before its time."
            ),
            ActionEntry(.network, "heal_all", [], "Ends every fault that lasts."),
            ActionEntry(
                .network,
                "replay_login",
                [],
                "A third party on the path opens a connection and replays, byte for byte, the recorded login of a "
                    + "client's last login."
            ),
        ]

    /// Reads the fault of this verb; nil if no fault has it.
    ///
    /// - Throws: If an argument is missing, of the wrong kind or out of range.
    package init?(verb: String, _ arguments: Arguments) throws(UnfitArgument) {
        guard let kind = FaultCatalogue.kind(verb) else { return nil }
        self = try kind.read(arguments)
    }
}
