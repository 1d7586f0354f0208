/// One TCP segment (RFC 9293 section 3.1), encoded as an IPv4 packet (RFC 791).
struct TCPSegment {
    struct Flags: OptionSet {
        let rawValue: UInt8

        static let fin = Flags(rawValue: 1)
        static let syn = Flags(rawValue: 2)
        static let rst = Flags(rawValue: 4)
        static let psh = Flags(rawValue: 8)
        static let ack = Flags(rawValue: 16)
    }

    /// The maximum segment size in bytes, for the MTU of Ethernet (RFC 9293 section 3.7.1).
    static let maximumSize = 1460
    /// The window scale shift count that both endpoints announce (RFC 7323 section 2).
    static let windowScale: UInt8 = 7

    var source: PacketCapture.Endpoint
    var destination: PacketCapture.Endpoint
    var sequence: UInt32
    var acknowledgement: UInt32
    var flags: Flags
    /// The value of the window field, which is scaled in every segment except a SYN.
    var window: UInt16
    var payload: ArraySlice<UInt8> = []

    /// The encoded IPv4 packet, including the IP header and both checksums.
    var packet: [UInt8] {
        let options: [UInt8] =
            flags.contains(.syn)
            ? [2, 4, UInt8(Self.maximumSize >> 8), UInt8(Self.maximumSize & 0xFF), 1, 3, 3, Self.windowScale] : []
        let length = 40 + options.count + payload.count
        var bytes: [UInt8] = []
        bytes.reserveCapacity(length)
        // The header's fixed fields: version 4, 20 bytes long, default type of service, don't fragment, TTL 64,
        // protocol TCP.
        bytes += [0x45, 0, UInt8(length >> 8 & 0xFF), UInt8(length & 0xFF), 0, 0, 0x40, 0, 64, 6, 0, 0]
        Self.append(source.address, to: &bytes)
        Self.append(destination.address, to: &bytes)
        Self.set(Self.checksum(bytes[...]), in: &bytes, at: 10)
        let start = bytes.count
        Self.append(UInt32(source.port) << 16 | UInt32(destination.port), to: &bytes)
        Self.append(sequence, to: &bytes)
        Self.append(flags.contains(.ack) ? acknowledgement : 0, to: &bytes)
        bytes += [UInt8((20 + options.count) / 4) << 4, flags.rawValue]
        bytes += [UInt8(window >> 8), UInt8(window & 0xFF), 0, 0, 0, 0]
        bytes += options
        bytes += payload
        // The pseudo-header (RFC 9293 section 3.1). Both addresses directly precede the segment in `bytes`; `pseudo` is
        // the sum of the protocol and the length.
        let pseudo = UInt64(6 + length - 20)
        Self.set(Self.checksum(bytes[(start - 8)...], pseudo), in: &bytes, at: start + 16)
        return bytes
    }

    /// Returns the Internet checksum (RFC 1071) of the bytes. The sum begins at `start`, and an odd number of bytes is
    /// padded with a zero byte.
    static func checksum(_ bytes: ArraySlice<UInt8>, _ start: UInt64 = 0) -> UInt16 {
        var sum = start
        var isHigh = true
        for byte in bytes {
            sum += isHigh ? UInt64(byte) << 8 : UInt64(byte)
            isHigh.toggle()
        }
        while sum >> 16 != 0 { sum = (sum & 0xFFFF) + sum >> 16 }
        return ~UInt16(truncatingIfNeeded: sum)
    }

    private static func set(_ number: UInt16, in bytes: inout [UInt8], at index: Int) {
        bytes[index] = UInt8(number >> 8)
        bytes[index + 1] = UInt8(number & 0xFF)
    }

    private static func append(_ number: UInt32, to bytes: inout [UInt8]) {
        for shift in stride(from: 24, through: 0, by: -8) { bytes.append(UInt8(number >> UInt32(shift) & 0xFF)) }
    }
}
