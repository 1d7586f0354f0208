/// Collects packets in the order in which they are reported, up to a total size in bytes.
package struct PacketLog: Sendable {
    private var packets: [PacketCapture.Packet] = []
    private var bytes = 0
    private let limit: Int
    /// The number of packets that ``takeAll()`` has removed.
    private var taken = 0
    /// The number of packets reported so far, including those beyond the limit.
    package private(set) var count = 0

    package init(limit: Int) {
        self.limit = limit
    }

    /// The number of packets beyond the limit.
    package var leftOut: Int { count - taken - packets.count }

    package mutating func add(_ packet: PacketCapture.Packet) {
        // Once a packet has been left out, all later ones are left out as well, so that the capture has no gaps.
        let fits = leftOut == 0 && bytes + packet.bytes.count <= limit
        count += 1
        guard fits else { return }
        bytes += packet.bytes.count
        packets.append(packet)
    }

    /// Sets the comment on the packets with these numbers, except those already removed or left out.
    mutating func comment(_ text: String, on places: Range<Int>) {
        for index in places where packets.indices.contains(index - taken) { packets[index - taken].comment = text }
    }

    /// Removes and returns all packets, in the order in which they were reported.
    mutating func takeAll() -> [PacketCapture.Packet] {
        taken += packets.count
        bytes = 0
        defer { packets.removeAll(keepingCapacity: true) }
        return packets
    }

    /// The packets, ordered by time. Packets with equal times keep the order in which they were reported.
    package var sorted: [PacketCapture.Packet] {
        packets.enumerated().sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }.map(\.element)
    }
}
