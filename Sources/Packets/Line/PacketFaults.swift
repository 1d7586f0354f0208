package import SquallCore

/// The faults of one direction of a link, named as in Linux's netem.
package struct PacketFaults: Hashable, Sendable {
    /// netem's default for the number of packets that may wait.
    package static let usualLimit = 1000
    /// The upper bound of both delay and jitter.
    package static let longestDelay = TimeSpan.seconds(3600)

    package var loss = LossModel.none
    /// Packets that are always lost: their numbers from 1, as sorted ranges that do not overlap.
    package var drop: [ClosedRange<UInt64>] = []
    /// How often a packet is duplicated. The copy is delayed independently.
    package var duplicate = PacketChance.never
    /// How often one random bit of a packet is flipped.
    ///
    /// Checksums detect most of these, and the receiver drops the packet.
    package var corrupt = PacketChance.never
    /// How often a packet is sent at once and overtakes all delayed packets.
    package var reorder = PacketChance.never
    /// Only every `gap`-th packet can be reordered; 1 means every packet.
    package var gap: UInt64 = 1
    package var delay = PacketDelay()
    /// Whether packets keep their order despite jitter, except those that ``reorder`` selects.
    package var keepsOrder = false
    /// The rate limit in bits of whole IP packets per second; nil means no limit.
    package var rate: UInt64?
    /// The number of packets that may wait; more are dropped.
    package var limit = PacketFaults.usualLimit

    package init() {}
}
