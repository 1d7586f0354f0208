import SquallCore

extension Fault {
    /// A fault in which bytes are neither acknowledged nor delivered, and neither side is notified.
    ///
    /// Connections that are open when the fault begins are lost for good, as after a handoff or a NAT rebinding: after
    /// the fault, only new connections work. Connection attempts hang during the fault, and remain lost after it.
    package struct Blackhole: Hashable, Sendable {
        /// The direction in which bytes are lost. A connection attempt needs both directions, so it hangs in either
        /// case.
        package var stream: Stream

        package init(stream: Stream = .both) {
            self.stream = stream
        }
    }
}

extension Fault.Kind {
    package static func blackhole(_ fault: Fault.Blackhole) -> Self { Self(fault) }
}

extension Fault.Blackhole: LinkFault {
    static let declaration = FaultDeclaration(
        "blackhole",
        Self(),
        main: "for",
        [.stream(\.stream)],
        "Nothing arrives or is acknowledged, and connecting hangs; open connections stay dead after the fault ends."
    )

    var hiddenActions: HiddenActions { .everything }
    var acceptMode: AcceptMode { .dropping }
    var immediateEffect: ImmediateEffect? { .lose(stream) }

    func alter(_ datagram: inout Datagram, drawing generator: inout SeededGenerator) {
        datagram.isLost = true
    }
}
