/// A TCP segment (RFC 9293 section 3.1) from a capture, decoded from its IP packet.
struct CapturedSegment {
    /// An address and a port, formatted as in a URL: `127.0.0.1:8080`, `[::1]:8080`.
    struct Endpoint: Hashable, CustomStringConvertible {
        var address: [UInt8]
        var port: UInt16

        var description: String {
            if address.count == 4 { return address.map { "\($0)" }.joined(separator: ".") + ":\(port)" }
            let groups = stride(from: 0, to: address.count, by: 2).map { index in
                String(UInt16(address[index]) << 8 | UInt16(address[index + 1]), radix: 16)
            }
            return "[\(groups.joined(separator: ":"))]:\(port)"
        }
    }

    var source: Endpoint
    var destination: Endpoint
    var sequence: UInt32
    var isSYN: Bool
    var isACK: Bool
    var isFIN: Bool
    var isRST: Bool
    var payload: ArraySlice<UInt8>

    /// Decodes a packet; returns nil unless it is a complete TCP segment over IPv4 or IPv6. IP fragments are not
    /// reassembled.
    init?(packet: ArraySlice<UInt8>) {
        guard let body = Self.body(of: packet) else { return nil }
        let tcp = body.payload
        guard tcp.count >= 20 else { return nil }
        func number(_ offset: Int) -> UInt16 {
            UInt16(tcp[tcp.startIndex + offset]) << 8 | UInt16(tcp[tcp.startIndex + offset + 1])
        }
        let header = Int(tcp[tcp.startIndex + 12] >> 4) * 4
        guard header >= 20, tcp.count >= header else { return nil }
        source = Endpoint(address: body.source, port: number(0))
        destination = Endpoint(address: body.destination, port: number(2))
        sequence = UInt32(number(4)) << 16 | UInt32(number(6))
        let flags = tcp[tcp.startIndex + 13]
        isFIN = flags & 0x01 != 0
        isSYN = flags & 0x02 != 0
        isRST = flags & 0x04 != 0
        isACK = flags & 0x10 != 0
        payload = tcp.dropFirst(header)
    }

    private struct Body {
        var source: [UInt8]
        var destination: [UInt8]
        var payload: ArraySlice<UInt8>
    }

    private static let tcp: UInt8 = 6

    /// Returns the addresses and the payload of an IP packet; nil if the payload is not a complete TCP segment.
    private static func body(of packet: ArraySlice<UInt8>) -> Body? {
        let start = packet.startIndex
        func bytes(_ offset: Int, _ count: Int) -> [UInt8] { Array(packet[start + offset..<start + offset + count]) }
        func number(_ offset: Int) -> Int { Int(packet[start + offset]) << 8 | Int(packet[start + offset + 1]) }
        guard let first = packet.first else { return nil }
        switch first >> 4 {
        case 4:
            let header = Int(first & 0x0F) * 4
            guard header >= 20, packet.count >= header, packet[start + 9] == tcp else { return nil }
            // In a fragment, the offset is not 0 or the more-fragments flag is set (RFC 791 section 3.1).
            guard number(6) & 0x3FFF == 0 else { return nil }
            let length = whole(number(2), atLeast: header, of: packet)
            return Body(
                source: bytes(12, 4),
                destination: bytes(16, 4),
                payload: packet[start + header..<start + length]
            )
        case 6:
            // In practice, TCP is not preceded by IPv6 extension headers (RFC 8200 section 4), so packets with such
            // headers are ignored.
            guard packet.count >= 40, packet[start + 6] == tcp else { return nil }
            let length = whole(number(4) == 0 ? 0 : 40 + number(4), atLeast: 40, of: packet)
            return Body(source: bytes(8, 16), destination: bytes(24, 16), payload: packet[start + 40..<start + length])
        default: return nil
        }
    }

    /// Returns the length of the packet without padding.
    ///
    /// This is the length in the packet's header (`stated`), because Ethernet pads short frames. If the network card
    /// splits the packet into segments later (TSO), the length in the header is 0, and the length of `packet` is
    /// returned.
    private static func whole(_ stated: Int, atLeast header: Int, of packet: ArraySlice<UInt8>) -> Int {
        stated >= header && stated < packet.count ? stated : packet.count
    }
}
