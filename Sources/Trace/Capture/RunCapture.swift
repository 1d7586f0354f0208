/// A capture as a file, and what reports tell of it.
package struct RunCapture: Hashable, Sendable {
    /// What a file of packets is called, in the folder of its run.
    package static let name = "capture.pcapng"

    package var bytes: [UInt8]
    package var packets: Int
    /// Packets that passed unseen, because the system had no room for them.
    package var dropped: Int
    /// Packets that were seen behind the limit, and not kept.
    package var leftOut: Int

    /// Of a run with these events, some of which are marked in it.
    package init(_ capture: PacketCapture, of events: [TraceEvent]) {
        var capture = capture
        capture.mark(events)
        bytes = Pcapng.encode(capture)
        packets = capture.packets.count
        dropped = capture.dropped
        leftOut = capture.leftOut
    }

    /// What is missing of it, in words; nil where nothing is.
    package var gap: String? {
        var parts: [String] = []
        if dropped > 0 { parts.append("\(dropped) packets were not seen, for which the system had no room") }
        if leftOut > 0 {
            parts.append("\(leftOut) packets are left out: a capture ends at \(PacketCapture.limit >> 20) MiB")
        }
        return parts.isEmpty ? nil : parts.joined(separator: "; ")
    }
}
