/// SHA-1 (FIPS 180-4), which the opening handshake requires (RFC 6455 section 4.2.2).
///
/// SHA-1 is no longer secure, so do not use it to protect secrets.
package enum SHA1 {
    /// Returns the 20-byte digest.
    package static func digest(_ message: [UInt8]) -> [UInt8] {
        var state: [UInt32] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476, 0xC3D2_E1F0]
        let padded = padded(message)
        for block in stride(from: 0, to: padded.count, by: 64) { mix(padded, from: block, into: &state) }
        var digest: [UInt8] = []
        digest.reserveCapacity(20)
        for word in state {
            for shift in stride(from: 24, through: 0, by: -8) {
                digest.append(UInt8(truncatingIfNeeded: word >> shift))
            }
        }
        return digest
    }

    /// Padding: appends a one bit, zeros and the length in bits, so that the result is a whole number of 64-byte
    /// blocks.
    private static func padded(_ message: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(message.count + 72)
        bytes += message
        bytes.append(0x80)
        bytes.append(contentsOf: repeatElement(0, count: (120 - bytes.count % 64) % 64))
        let bits = UInt64(message.count) &* 8
        for shift in stride(from: 56, through: 0, by: -8) { bytes.append(UInt8(truncatingIfNeeded: bits >> shift)) }
        return bytes
    }

    private static func mix(_ bytes: [UInt8], from start: Int, into state: inout [UInt32]) {
        var words: [UInt32] = Array(repeating: 0, count: 80)
        for index in 0..<16 {
            let place = start + 4 * index
            let upper = UInt32(bytes[place]) << 24 | UInt32(bytes[place + 1]) << 16
            words[index] = upper | UInt32(bytes[place + 2]) << 8 | UInt32(bytes[place + 3])
        }
        for index in 16..<80 {
            words[index] = rotated(words[index - 3] ^ words[index - 8] ^ words[index - 14] ^ words[index - 16], by: 1)
        }
        var (a, b, c, d, e) = (state[0], state[1], state[2], state[3], state[4])
        for round in 0..<80 {
            let (choice, constant): (UInt32, UInt32) =
                switch round {
                case 0..<20: (b & c | ~b & d, 0x5A82_7999)
                case 20..<40: (b ^ c ^ d, 0x6ED9_EBA1)
                case 40..<60: (b & c | b & d | c & d, 0x8F1B_BCDC)
                default: (b ^ c ^ d, 0xCA62_C1D6)
                }
            let next = rotated(a, by: 5) &+ choice &+ e &+ constant &+ words[round]
            (a, b, c, d, e) = (next, a, rotated(b, by: 30), c, d)
        }
        state[0] &+= a
        state[1] &+= b
        state[2] &+= c
        state[3] &+= d
        state[4] &+= e
    }

    private static func rotated(_ word: UInt32, by bits: UInt32) -> UInt32 {
        word << bits | word >> (32 - bits)
    }
}
