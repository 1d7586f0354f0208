/// Validates UTF-8 (RFC 3629) that arrives in pieces. It reports an error at the first byte that makes the text
/// invalid, whatever follows.
package struct UTF8Validator: Hashable, Sendable {
    /// The number of continuation bytes that the current scalar still requires.
    private var remainingBytes = 0
    /// The allowed range of the next continuation byte. It is narrower than 0x80...0xBF after some first bytes, to
    /// exclude overlong forms, surrogates and values above U+10FFFF.
    private var allowed: ClosedRange<UInt8> = 0x80...0xBF

    package init() {}

    /// Whether the bytes so far end at a scalar boundary.
    package var isComplete: Bool { remainingBytes == 0 }

    /// Validates the bytes from `start` on. Returns the index of the first invalid byte, or nil if there is none. Do
    /// not use the validator again after it has found an invalid byte.
    package mutating func firstError(in bytes: [UInt8], from start: Int = 0) -> Int? {
        var (remainingBytes, allowed) = (remainingBytes, allowed)
        defer { (self.remainingBytes, self.allowed) = (remainingBytes, allowed) }
        return bytes.withUnsafeBytes { bytes in
            var index = start
            while index < bytes.count {
                let byte = bytes[index]
                if remainingBytes > 0 {
                    guard allowed.contains(byte) else { return index }
                    remainingBytes -= 1
                    allowed = 0x80...0xBF
                } else if byte < 0x80 {
                    while index + 8 < bytes.count,
                        bytes.loadUnaligned(fromByteOffset: index + 1, as: UInt64.self) & 0x8080_8080_8080_8080 == 0
                    {
                        index += 8
                    }
                } else {
                    switch byte {
                    case 0xC2...0xDF: remainingBytes = 1
                    case 0xE0: (remainingBytes, allowed) = (2, 0xA0...0xBF)
                    case 0xED: (remainingBytes, allowed) = (2, 0x80...0x9F)
                    case 0xE1...0xEF: remainingBytes = 2
                    case 0xF0: (remainingBytes, allowed) = (3, 0x90...0xBF)
                    case 0xF1...0xF3: remainingBytes = 3
                    case 0xF4: (remainingBytes, allowed) = (3, 0x80...0x8F)
                    default: return index
                    }
                }
                index += 1
            }
            return nil
        }
    }
}
