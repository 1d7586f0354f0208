/// The link-layer headers that devices put before an IP packet.
enum LinkLayer {
    /// libpcap's numbers (DLT_…), which differ from the LINKTYPE_ numbers in capture files.
    private enum Kind: Int32 {
        /// The protocol family in four bytes, in host byte order.
        case null = 0
        case ethernet = 1
        /// Nothing before the IP header; the number depends on the system.
        case raw = 12
        case rawOfOpenBSD = 14
        /// Like `null`, in network byte order.
        case loop = 108
        /// The header of Linux for packets that were captured on all devices.
        case linuxCooked = 113
        case ipv4 = 228
        case ipv6 = 229
        case linuxCookedSecond = 276
    }

    /// Returns the IP packet in a captured frame; nil for an unknown kind of header.
    static func packet(in frame: [UInt8], of kind: Int32) -> ArraySlice<UInt8>? {
        let start: Int
        switch Kind(rawValue: kind) {
        case .ethernet: start = 14 + tagLength(in: frame)
        case .null, .loop: start = 4
        case .raw, .rawOfOpenBSD, .ipv4, .ipv6: start = 0
        case .linuxCooked: start = 16
        case .linuxCookedSecond: start = 20
        case nil: return nil
        }
        return frame.count > start ? frame[start...] : nil
    }

    /// The length of the VLAN tags (IEEE 802.1Q) before an Ethernet frame's type.
    private static func tagLength(in frame: [UInt8]) -> Int {
        var length = 0
        while frame.count > 13 + length,
            [[0x81, 0x00], [0x88, 0xA8]].contains(Array(frame[12 + length...13 + length]))
        {
            length += 4
        }
        return length
    }

    /// Returns the TCP or UDP packet in a captured frame; nil for anything but TCP and UDP over IPv4.
    static func segment(in frame: [UInt8], of kind: Int32) -> LoopbackSegment? {
        packet(in: frame, of: kind).flatMap { LoopbackSegment(packet: Array($0)) }
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
