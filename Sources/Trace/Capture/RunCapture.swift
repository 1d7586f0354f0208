/// The encoded capture file of a run, with the packet counts for reports.
package struct RunCapture: Hashable, Sendable {
    /// The name of the capture file in the run's folder.
    package static let name = "capture.pcapng"

    package var bytes: [UInt8]
    /// The number of packets in the file.
    package var packets: Int
    /// The number of packets that were not captured because the kernel's buffer was full.
    package var dropped: Int
    /// The number of packets beyond ``PacketCapture/limit``, which are not stored.
    package var leftOut: Int

    /// Encodes the capture of a run, with comments on the packets at which its faults began and ended.
    package init(_ capture: PacketCapture, of events: [TraceEvent]) {
        var capture = capture
        capture.mark(events)
        bytes = Pcapng.encode(capture)
        packets = capture.packets.count
        dropped = capture.dropped
        leftOut = capture.leftOut
    }

    /// Creates the capture from a file that has been read.
    package init(bytes: [UInt8], packets: Int, dropped: Int, leftOut: Int) {
        self.bytes = bytes
        self.packets = packets
        self.dropped = dropped
        self.leftOut = leftOut
    }

    /// A sentence that says how many packets are missing and why; nil if none are missing.
    package var gap: String? {
        var parts: [String] = []
        if dropped > 0 { parts.append("\(dropped) packets were dropped because the kernel's buffer was full") }
        if leftOut > 0 {
            parts.append("\(leftOut) packets are left out: a capture holds at most \(PacketCapture.limit >> 20) MiB")
        }
        return parts.isEmpty ? nil : parts.joined(separator: "; ")
    }
}
