package import SquallCore

extension Fault {
    private static let kinds: [any LinkFault.Type] = [
        Latency.self, Bandwidth.self, Slicer.self, SlowClose.self, LimitData.self, Timeout.self, Drop.self,
        ResetPeer.self, Refuse.self, AcceptThenClose.self, Cut.self, Stall.self, Blackhole.self, HalfOpen.self,
        CaptivePortal.self, UpgradeStatus.self, Flap.self, Corrupt.self,
        Frames.self, SlowHTTP.self, Certificate.self, BrokenHandshake.self,
    ]

    /// Everything that the network can be told to do: a verb for each fault, and how faults end.
    package static let actions: [ActionEntry] =
        kinds.map { $0.action } + [
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
                "A third party on the path opens a connection and says again, byte for byte, what it has recorded of a "
                    + "client's last login."
            ),
        ]

    /// Nil where the verb is none of a fault's, or an argument is missing, of the wrong kind or out of range.
    package init?(verb: String, _ arguments: Arguments) {
        guard let type = Self.kinds.first(where: { $0.action.verb == verb }) else { return nil }
        let reader = FaultArguments(arguments)
        do {
            kind = try type.init(reader).kind
            duration = try reader.optionalDuration("for")
            let percent = try reader.integer("toxicity", in: 0...100, default: 100)
            guard let share = Ratio(UInt32(clamping: percent), of: 100) else { return nil }
            toxicity = share
        } catch {
            return nil
        }
    }
}
