package import SquallCore

/// The faults of one direction of a link, named as in Linux's netem.
package struct PacketFaults: Hashable, Sendable {
    /// netem's default queue limit, in packets.
    package static let defaultLimit = 1000
    /// The upper bound of both delay and jitter.
    package static let maximumDelay = TimeSpan.seconds(3600)

    package var loss = LossModel.none
    /// The numbers of the packets that are always dropped, counted from 1, as sorted, non-overlapping ranges.
    package var drop: [ClosedRange<UInt64>] = []
    /// The probability that a packet is duplicated. The duplicate is delayed independently of the packet.
    package var duplicate = PacketChance.never
    /// The probability that one random bit of a packet is flipped.
    ///
    /// Checksums detect most of these errors, and the receiver then drops the packet.
    package var corrupt = PacketChance.never
    /// The probability that a packet is sent immediately and overtakes all delayed packets.
    package var reorder = PacketChance.never
    /// Only every `gap`-th packet can be reordered; 1 means that every packet can.
    package var gap: UInt64 = 1
    package var delay = PacketDelay()
    /// Whether packets keep their order despite jitter, except for packets that ``reorder`` selects.
    package var keepsOrder = false
    /// The rate limit, in bits per second, counting whole IP packets; nil means no limit.
    package var rate: UInt64?
    /// The maximum number of queued packets; further packets are dropped.
    package var limit = PacketFaults.defaultLimit

    package init() {}
}
