/// Masks or unmasks the bytes from index `start` on, in place (RFC 6455 section 5.3).
///
/// `offset` is the position of the first of these bytes in the frame's payload, which may arrive in pieces.
func applyMask(_ key: UInt32, to bytes: inout [UInt8], from start: Int, payloadOffset offset: Int = 0) {
    // The key is repeated over eight bytes and rotated so that its highest byte applies to the byte at `start`.
    let turn = UInt32(offset & 3) * 8
    let turned = key << turn | key >> (32 - turn)
    let pattern = UInt64(turned) << 32 | UInt64(turned)
    bytes.withUnsafeMutableBytes { bytes in
        var index = start
        while index + 8 <= bytes.count {
            let word = bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            bytes.storeBytes(of: word ^ pattern.bigEndian, toByteOffset: index, as: UInt64.self)
            index += 8
        }
        var rest = pattern
        while index < bytes.count {
            bytes[index] ^= UInt8(truncatingIfNeeded: rest >> 56)
            rest <<= 8
            index += 1
        }
    }
}
