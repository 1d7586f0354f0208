import SquallCore

extension Fault {
    /// What is sent is never acknowledged and never arrives; neither side learns it.
    ///
    /// Connections that are there are gone for good, as after a handoff or a NAT rebinding: its end is for new ones
    /// only. Connecting hangs meanwhile, and an attempt begun then stays lost.
    package struct Blackhole: Hashable, Sendable {
        /// The direction whose bytes vanish; connecting needs both.
        package var stream: Stream

        package init(stream: Stream = .both) {
            self.stream = stream
        }
    }
}

extension Fault.Blackhole: LinkFault {
    static let action = ActionEntry.fault(
        "blackhole",
        main: "for",
        [.stream],
        "Nothing arrives or is acknowledged, connecting hangs; connections that are there stay lost after its end."
    )

    init(_ arguments: FaultArguments) throws(FaultArguments.Unfit) {
        stream = try arguments.stream()
    }

    var kind: Fault.Kind { .blackhole(self) }
    var hides: ClientVisibility { .everything }
    var acceptMode: AcceptMode { .dropping }
    var applyImmediately: ImmediateEffect? { .lose(stream) }
}
