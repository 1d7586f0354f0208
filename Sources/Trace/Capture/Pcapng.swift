import SquallCore

/// Encodes captures in pcapng, the format of Wireshark and tcpdump (draft-ietf-opsawg-pcapng).
///
/// Files are little-endian, times are in nanoseconds, and packets begin with their IP header.
package enum Pcapng {
    /// LINKTYPE_IPV4 is used instead of LINKTYPE_RAW, because libpcap cannot read a LINKTYPE_RAW file that has several
    /// interfaces.
    private static let linkType: UInt16 = 228
    /// The snapshot length in bytes, which is greater than the size of any IP packet.
    private static let snapLength: UInt32 = 262_144

    /// The type of a secrets block that contains a TLS key log.
    private static let tlsKeyLog: UInt32 = 0x544C_534B

    private enum Block: UInt32 {
        case section = 0x0A0D_0D0A
        case interface = 1
        case names = 4
        case statistics = 5
        case packet = 6
        case secrets = 10
    }

    /// The codes of options. Except for `end` and `comment`, their meaning depends on the type of block.
    private enum Option {
        static let end: UInt16 = 0
        static let comment: UInt16 = 1
        static let interfaceName: UInt16 = 2
        static let interfaceDescription: UInt16 = 3
        static let application: UInt16 = 4
        static let timeResolution: UInt16 = 9
        static let received: UInt16 = 4
        static let dropped: UInt16 = 7
    }

    package static func encode(_ capture: PacketCapture) -> [UInt8] {
        var file = head(capture)
        for packet in capture.packets { append(packet, to: &file) }
        if let last = capture.packets.last { statistics(capture, at: last.time, to: &file) }
        return file
    }

    /// Encodes the blocks that precede the packets; any number of packet blocks may follow.
    package static func head(_ capture: PacketCapture) -> [UInt8] {
        var file: [UInt8] = []
        let note =
            capture.leftOut == 0
            ? capture.note : "\(capture.note) It is incomplete: \(capture.leftOut) packets are left out."
        append(.section, to: &file) { body in
            body += bytes(0x1A2B_3C4D as UInt32) + bytes(1 as UInt16) + bytes(0 as UInt16)
            // The section length is left unspecified, so that packets can be appended.
            body += bytes(UInt64.max)
            body += option(Option.comment, note) + option(Option.application, capture.tool) + option(Option.end, "")
        }
        for place in PacketCapture.CapturePoint.allCases {
            append(.interface, to: &file) { body in
                body += bytes(linkType) + bytes(0 as UInt16) + bytes(snapLength)
                body += option(Option.interfaceName, "\(place) side")
                if let text = capture.places[place] { body += option(Option.interfaceDescription, text) }
                body += option(Option.timeResolution, [9]) + option(Option.end, "")
            }
        }
        if !capture.secrets.isEmpty {
            append(.secrets, to: &file) { body in
                body += bytes(tlsKeyLog) + bytes(UInt32(clamping: capture.secrets.count)) + padded(capture.secrets)
            }
        }
        if !capture.hosts.isEmpty {
            append(.names, to: &file) { body in
                for host in capture.hosts {
                    let name = Array(host.name.utf8) + [0]
                    let record = withUnsafeBytes(of: host.address.bigEndian) { Array($0) } + name
                    body += bytes(1 as UInt16) + bytes(UInt16(clamping: record.count)) + padded(record)
                }
                body += bytes(0 as UInt16) + bytes(0 as UInt16)
            }
        }
        return file
    }

    /// Appends one packet's block.
    package static func append(_ packet: PacketCapture.Packet, to file: inout [UInt8]) {
        append(.packet, to: &file) { body in
            body += bytes(packet.place.rawValue) + time(packet.time)
            body += bytes(UInt32(clamping: packet.bytes.count)) + bytes(UInt32(clamping: packet.bytes.count))
            body += padded(packet.bytes)
            guard let comment = packet.comment else { return }
            body += option(Option.comment, comment) + option(Option.end, "")
        }
    }

    /// Appends the number of packets captured at each capture point.
    ///
    /// The capture point of a dropped packet is unknown, so all dropped packets are counted at the first point.
    private static func statistics(_ capture: PacketCapture, at time: Instant, to file: inout [UInt8]) {
        for place in PacketCapture.CapturePoint.allCases {
            let seen = capture.packets.count { $0.place == place }
            append(.statistics, to: &file) { body in
                body += bytes(place.rawValue) + Self.time(time)
                body += option(Option.received, bytes(UInt64(seen)))
                if place == .client { body += option(Option.dropped, bytes(UInt64(clamping: capture.dropped))) }
                body += option(Option.end, "")
            }
        }
    }

    private static func append(_ block: Block, to file: inout [UInt8], _ write: (inout [UInt8]) -> Void) {
        let start = file.count
        file += bytes(block.rawValue) + bytes(0 as UInt32)
        write(&file)
        let length = bytes(UInt32(clamping: file.count + 4 - start))
        file.replaceSubrange(start + 4..<start + 8, with: length)
        file += length
    }

    /// Encodes a timestamp in nanoseconds as two 32-bit words, the high one first.
    private static func time(_ time: Instant) -> [UInt8] {
        let nanoseconds = UInt64(clamping: time.nanoseconds)
        return bytes(UInt32(truncatingIfNeeded: nanoseconds >> 32)) + bytes(UInt32(truncatingIfNeeded: nanoseconds))
    }

    private static func option(_ code: UInt16, _ text: String) -> [UInt8] {
        option(code, Array(text.utf8))
    }

    /// Encodes an option. A value longer than 65,535 bytes is truncated.
    private static func option(_ code: UInt16, _ value: [UInt8]) -> [UInt8] {
        let value = value.count > Int(UInt16.max) ? Array(value.prefix(Int(UInt16.max))) : value
        return bytes(code) + bytes(UInt16(value.count)) + padded(value)
    }

    private static func padded(_ bytes: [UInt8]) -> [UInt8] {
        bytes + [UInt8](repeating: 0, count: (4 - bytes.count % 4) % 4)
    }

    private static func bytes(_ number: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: number.littleEndian) { Array($0) }
    }
}
