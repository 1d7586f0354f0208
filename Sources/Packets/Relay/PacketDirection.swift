/// A direction of a link.
package enum PacketDirection: String, Hashable, Sendable, CaseIterable {
    /// The direction from the command to the services.
    case up
    /// The direction from the services to the command.
    case down

    var index: Int { self == .up ? 0 : 1 }
}
