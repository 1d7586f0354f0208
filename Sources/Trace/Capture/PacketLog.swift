/// Packets as they become known, which is not yet the order of their times; no more of them than a capture holds.
package struct PacketLog: Sendable {
    private var packets: [PacketCapture.Packet] = []
    private var bytes = 0
    private let limit: Int
    /// How many were taken out.
    private var taken = 0
    /// How many packets there were, those that are not kept included.
    package private(set) var count = 0

    package init(limit: Int) {
        self.limit = limit
    }

    package var leftOut: Int { count - taken - packets.count }

    package mutating func add(_ packet: PacketCapture.Packet) {
        // From the first that is too much on: what came later would stand there without what led to it.
        let fits = leftOut == 0 && bytes + packet.bytes.count <= limit
        count += 1
        guard fits else { return }
        bytes += packet.bytes.count
        packets.append(packet)
    }

    mutating func comment(_ text: String, on places: Range<Int>) {
        for place in places where packets.indices.contains(place - taken) { packets[place - taken].comment = text }
    }

    /// Takes out all that is there, as it became known.
    mutating func takeAll() -> [PacketCapture.Packet] {
        taken += packets.count
        bytes = 0
        defer { packets.removeAll(keepingCapacity: true) }
        return packets
    }

    /// In the order of time; what passed at once in the order in which it became known.
    package var sorted: [PacketCapture.Packet] {
        packets.enumerated().sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }.map(\.element)
    }
}
