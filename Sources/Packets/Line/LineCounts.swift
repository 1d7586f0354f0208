/// The counters of one ``PacketLine``. All of them count packets, except ``bytes``.
package struct LineCounts: Hashable, Sendable {
    package var arrived: UInt64 = 0
    package var bytes: UInt64 = 0
    package var lost: UInt64 = 0
    /// The number of packets dropped because their number is listed in ``PacketFaults/drop``.
    package var dropped: UInt64 = 0
    /// The number of packets dropped because the queue already contained ``PacketFaults/limit`` packets.
    package var overLimit: UInt64 = 0
    package var duplicated: UInt64 = 0
    package var reordered: UInt64 = 0
    package var corrupted: UInt64 = 0
    package var delivered: UInt64 = 0
    /// The number of packets that were delivered but rejected by the kernel, for example because corruption made the
    /// header invalid.
    package var rejected: UInt64 = 0
    /// The number of packets that are currently queued, including duplicates.
    package var queued: UInt64 { arrived + duplicated - delivered - lost - dropped - overLimit }

    package init() {}
}
