/// The link-layer header that precedes the IP packet in a captured frame.
enum LinkLayer {
    /// The supported link types. The raw values are libpcap's DLT_… numbers, which differ from the LINKTYPE_ numbers in
    /// capture files.
    private enum Kind: Int32 {
        /// A four-byte header: the protocol family in host byte order.
        case null = 0
        case ethernet = 1
        /// No header precedes the IP packet. The number of this link type depends on the operating system.
        case raw = 12
        case rawOfOpenBSD = 14
        /// The same header as `null`, but in network byte order.
        case loop = 108
        /// Linux's header for packets captured on all devices at once.
        case linuxCooked = 113
        case ipv4 = 228
        case ipv6 = 229
        case linuxCookedSecond = 276
    }

    /// Returns the IP packet in a captured frame; nil if the link type is unknown or the frame is too short.
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

    /// Returns the length, in bytes, of the VLAN tags (IEEE 802.1Q) before an Ethernet frame's type field.
    private static func tagLength(in frame: [UInt8]) -> Int {
        var length = 0
        while frame.count > 13 + length,
            [[0x81, 0x00], [0x88, 0xA8]].contains(Array(frame[12 + length...13 + length]))
        {
            length += 4
        }
        return length
    }

    /// Returns the IPv4 packet in a captured frame; nil if it is not IPv4 or carries neither TCP nor UDP.
    static func segment(in frame: [UInt8], of kind: Int32) -> LoopbackSegment? {
        packet(in: frame, of: kind).flatMap { LoopbackSegment(packet: Array($0)) }
    }
}

/// An IPv4 packet that carries TCP or UDP.
struct LoopbackSegment {
    let bytes: [UInt8]
    let source: Int
    let destination: Int
    /// Whether the packet carries TCP; otherwise it carries UDP.
    let isTCP: Bool

    init?(packet: [UInt8]) {
        guard let first = packet.first, first >> 4 == 4 else { return nil }
        let header = Int(first & 0xF) * 4
        guard header >= 20, packet.count >= header + 4, packet[9] == 6 || packet[9] == 17 else { return nil }
        func number(_ index: Int) -> Int { Int(packet[index]) << 8 | Int(packet[index + 1]) }
        isTCP = packet[9] == 6
        source = number(header)
        destination = number(header + 2)
        // Ethernet pads short frames, so the packet's length is taken from the IP header.
        let length = number(2)
        bytes = length >= header && length < packet.count ? Array(packet.prefix(length)) : packet
    }
}
