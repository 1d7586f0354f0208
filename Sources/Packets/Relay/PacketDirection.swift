/// A direction of a link.
package enum PacketDirection: String, Hashable, Sendable, CaseIterable {
    /// From the command to the services.
    case up
    /// From the services to the command.
    case down

    var index: Int { self == .up ? 0 : 1 }
}
