/// The link-layer headers that loopback devices put before an IP packet.
enum LinkLayer {
    /// libpcap's numbers (DLT_…), which differ from the LINKTYPE_ numbers in capture files.
    private enum Kind: Int32 {
        /// The protocol family in four bytes, in host byte order.
        case null = 0
        case ethernet = 1
        /// Like `null`, in network byte order.
        case loop = 108
    }

    /// Returns the TCP or UDP packet in a captured frame; nil for anything but TCP and UDP over IPv4.
    static func segment(in frame: [UInt8], of kind: Int32) -> LoopbackSegment? {
        let start: Int
        switch Kind(rawValue: kind) {
        case .ethernet: start = 14
        case .null, .loop: start = 4
        case nil: return nil
        }
        guard frame.count > start else { return nil }
        return LoopbackSegment(packet: Array(frame[start...]))
    }
}

/// An IPv4 packet that carries TCP or UDP.
struct LoopbackSegment {
    let bytes: [UInt8]
    let source: Int
    let destination: Int
    /// Whether it carries TCP; otherwise it carries UDP.
    let isTCP: Bool

    init?(packet: [UInt8]) {
        guard let first = packet.first, first >> 4 == 4 else { return nil }
        let header = Int(first & 0xF) * 4
        guard header >= 20, packet.count >= header + 4, packet[9] == 6 || packet[9] == 17 else { return nil }
        func number(_ place: Int) -> Int { Int(packet[place]) << 8 | Int(packet[place + 1]) }
        isTCP = packet[9] == 6
        source = number(header)
        destination = number(header + 2)
        // Ethernet pads short frames, so the IP header's length counts.
        let length = number(2)
        bytes = length >= header && length < packet.count ? Array(packet.prefix(length)) : packet
    }
}
