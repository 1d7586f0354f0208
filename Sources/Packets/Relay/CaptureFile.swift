package import SquallCore

/// Encodes IP packets as a pcap file with nanosecond timestamps (LINKTYPE_RAW).
package enum CaptureFile {
    /// The file header; numbers are little-endian.
    package static let header = bytes(0xA1B2_3C4D) + [2, 0, 4, 0] + bytes(0) + bytes(0) + bytes(262_144) + bytes(101)

    /// Returns the record for one packet; `time` is counted from 1970 (UTC).
    package static func record(_ packet: [UInt8], at time: Instant) -> [UInt8] {
        let nanoseconds = UInt64(clamping: time.nanoseconds)
        let length = UInt32(clamping: packet.count)
        return bytes(UInt32(truncatingIfNeeded: nanoseconds / 1_000_000_000))
            + bytes(UInt32(nanoseconds % 1_000_000_000)) + bytes(length) + bytes(length) + packet
    }

    private static func bytes(_ number: UInt32) -> [UInt8] {
        withUnsafeBytes(of: number.littleEndian) { Array($0) }
    }
}
