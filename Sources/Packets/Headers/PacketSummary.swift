import SquallCore

/// The addresses, protocol and TCP fields from a packet's headers, which identify the packet in events.
package struct PacketSummary: Hashable, Sendable {
    package struct TCP: Hashable, Sendable {
        package var sequence: UInt32
        package var acknowledgement: UInt32
        /// The TCP flags that are set (RFC 9293 section 3.1), such as `SYN,ACK`.
        package var flags: String
        /// The number of payload bytes.
        package var payload: Int
    }

    /// The protocol: `tcp`, `udp`, `icmp`, `icmpv6`, or its number.
    package var transport: String
    /// The source address, with the port if there is one: `10.77.0.1:40000`.
    package var source: String
    package var destination: String
    package var tcp: TCP?

    /// Parses the headers; returns nil if the packet is not IPv4 or IPv6 (RFC 791, RFC 8200) or is truncated.
    package init?(_ packet: [UInt8]) {
        guard let first = packet.first else { return nil }
        let number: UInt8
        let header: Int
        let end: Int
        let isFragment: Bool
        switch first >> 4 {
        case 4:
            header = Int(first & 0xF) * 4
            guard header >= 20, packet.count >= header else { return nil }
            number = packet[9]
            end = min(packet.count, Self.word(packet, 2))
            // Only the first fragment has a transport header.
            isFragment = Self.word(packet, 6) & 0x1FFF != 0
            source = packet[12..<16].map(String.init).joined(separator: ".")
            destination = packet[16..<20].map(String.init).joined(separator: ".")
        case 6:
            header = 40
            guard packet.count >= header else { return nil }
            number = packet[6]
            end = min(packet.count, header + Self.word(packet, 4))
            isFragment = false
            source = "[\(Self.address6(packet[8..<24]))]"
            destination = "[\(Self.address6(packet[24..<40]))]"
        default: return nil
        }
        transport = Self.name(number)
        guard number == 6 || number == 17, !isFragment, packet.count >= header + 8 else { return }
        source += ":\(Self.word(packet, header))"
        destination += ":\(Self.word(packet, header + 2))"
        guard number == 6, packet.count >= header + 20 else { return }
        let length = Int(packet[header + 12] >> 4) * 4
        let names = ["FIN", "SYN", "RST", "PSH", "ACK", "URG"]
        let bits = packet[header + 13]
        tcp = TCP(
            sequence: UInt32(Self.word(packet, header + 4)) << 16 | UInt32(Self.word(packet, header + 6)),
            acknowledgement: UInt32(Self.word(packet, header + 8)) << 16 | UInt32(Self.word(packet, header + 10)),
            flags: names.indices.filter { bits >> $0 & 1 == 1 }.map { names[$0] }.joined(separator: ","),
            payload: max(0, end - header - length)
        )
    }

    /// Returns whether a packet has a link-local IPv6 source address (RFC 4291 section 2.5.6). The kernel's router
    /// solicitations have one.
    ///
    /// Programs that use the link never send from such an address.
    package static func isLinkLocal(_ packet: UnsafeRawBufferPointer) -> Bool {
        packet.count >= 40 && packet[0] >> 4 == 6 && packet[8] == 0xFE && packet[9] & 0xC0 == 0x80
    }

    private static func word(_ bytes: [UInt8], _ index: Int) -> Int {
        Int(bytes[index]) << 8 | Int(bytes[index + 1])
    }

    private static func name(_ number: UInt8) -> String {
        switch number {
        case 1: "icmp"
        case 6: "tcp"
        case 17: "udp"
        case 58: "icmpv6"
        default: "\(number)"
        }
    }

    /// Formats an IPv6 address as specified by RFC 5952.
    ///
    /// The result is in lower case, with `::` for the first longest run of at least two zero groups.
    private static func address6(_ bytes: ArraySlice<UInt8>) -> String {
        let bytes = Array(bytes)
        let groups = (0..<8).map { word(bytes, 2 * $0) }
        var longest = 0..<0
        var start = 0
        while start < 8 {
            let end = groups[start...].firstIndex { $0 != 0 } ?? 8
            if end - start >= 2, end - start > longest.count { longest = start..<end }
            start = max(end, start + 1)
        }
        func text(_ range: Range<Int>) -> String {
            groups[range].map { String($0, radix: 16) }.joined(separator: ":")
        }
        guard !longest.isEmpty else { return text(0..<8) }
        return "\(text(0..<longest.lowerBound))::\(text(longest.upperBound..<8))"
    }
}
