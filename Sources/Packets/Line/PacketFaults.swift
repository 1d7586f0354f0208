package import SquallCore

/// What one way of a link does to its packets, in netem's words.
package struct PacketFaults: Hashable, Sendable {
    /// netem's own limit of packets that wait.
    package static let usualLimit = 1000
    /// The longest delay and jitter.
    package static let longestDelay = TimeSpan.seconds(3600)

    package var loss = LossModel.none
    /// Packets that are lost whatever the chance, by their numbers from 1, in order and apart.
    package var drop: [ClosedRange<UInt64>] = []
    /// A second copy arrives, with a delay of its own.
    package var duplicate = PacketChance.never
    /// One bit of the packet, any bit, arrives changed. Checksums find most of it: then the receiver drops the packet.
    package var corrupt = PacketChance.never
    /// The packet goes at once and overtakes all that are delayed.
    package var reorder = PacketChance.never
    /// Of so many packets only the last can be reordered; 1 is each.
    package var gap: UInt64 = 1
    package var delay = PacketDelay()
    /// Packets keep their order, whatever the jitter; those that ``reorder`` chooses do not.
    package var keepsOrder = false
    /// Bits a second, of whole IP packets; nil is no limit.
    package var rate: UInt64?
    /// Packets that may wait; what comes beyond them is lost.
    package var limit = PacketFaults.usualLimit

    package init() {}
}
