/// The two ways of a link.
package enum PacketDirection: String, Hashable, Sendable, CaseIterable {
    /// From the command to what it reaches.
    case up
    case down

    var index: Int { self == .up ? 0 : 1 }
}
