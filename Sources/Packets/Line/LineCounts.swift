/// The counters of one line; in packets, except ``bytes``.
package struct LineCounts: Hashable, Sendable {
    package var arrived: UInt64 = 0
    package var bytes: UInt64 = 0
    package var lost: UInt64 = 0
    /// Dropped because their number is listed in ``PacketFaults/drop``.
    package var dropped: UInt64 = 0
    /// Dropped because ``PacketFaults/limit`` packets were waiting.
    package var overLimit: UInt64 = 0
    package var duplicated: UInt64 = 0
    package var reordered: UInt64 = 0
    package var corrupted: UInt64 = 0
    package var delivered: UInt64 = 0
    /// Delivered but rejected by the kernel; corruption may have made the header invalid.
    package var refused: UInt64 = 0
    /// Packets that are waiting now, duplicates included.
    package var underWay: UInt64 { arrived + duplicated - delivered - lost - dropped - overLimit }

    package init() {}
}
