/// Finds the bytes of a JSON string that need escaping, eight bytes at a time.
///
/// The result is a mask with the high bit set in each matching byte. Bits after the first match may be wrong, so
/// callers use only the first one. Words are little-endian: the first byte in memory is the least significant one.
enum JSONBytes {
    private static let ones: UInt64 = 0x0101_0101_0101_0101
    private static let highs: UInt64 = 0x8080_8080_8080_8080

    @inline(__always)
    static func load(_ bytes: UnsafePointer<UInt8>) -> UInt64 {
        UInt64(littleEndian: UnsafeRawPointer(bytes).loadUnaligned(as: UInt64.self))
    }

    @inline(__always)
    static func loadFour(_ bytes: UnsafePointer<UInt8>) -> UInt32 {
        UInt32(littleEndian: UnsafeRawPointer(bytes).loadUnaligned(as: UInt32.self))
    }

    /// Marks quotes, backslashes and bytes below 0x20.
    @inline(__always)
    static func needingEscape(_ word: UInt64) -> UInt64 {
        let quotes = word ^ (ones &* 0x22)
        let backslashes = word ^ (ones &* 0x5C)
        let found = ((quotes &- ones) & ~quotes) | ((backslashes &- ones) & ~backslashes)
        return (found | ((word &- (ones &* 0x20)) & ~word)) & highs
    }

    /// Marks the bytes that may need an escape in HTML: `<`, and 0xE2, the first byte of U+2028 and U+2029.
    @inline(__always)
    static func hazardousInHTML(_ word: UInt64) -> UInt64 {
        let angles = word ^ (ones &* 0x3C)
        let separators = word ^ (ones &* 0xE2)
        return ((angles &- ones) & ~angles | (separators &- ones) & ~separators) & highs
    }

    @inline(__always)
    static func isASCII(_ word: UInt64) -> Bool {
        word & highs == 0
    }

    @inline(__always)
    static func needsEscape(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == 0x22 || byte == 0x5C
    }

    /// Returns the index of the first ill-formed UTF-8 sequence (Unicode 16.0, table 3-7); nil if there is none.
    static func firstInvalidUTF8(in bytes: UnsafeBufferPointer<UInt8>) -> Int? {
        var index = 0
        while index < bytes.count {
            if bytes.count - index >= 8, let start = bytes.baseAddress, isASCII(load(start + index)) {
                index += 8
                continue
            }
            let length = wellFormedLength(at: index, in: bytes)
            guard length > 0 else { return index }
            index += length
        }
        return nil
    }

    /// Returns the length in bytes of the UTF-8 sequence at `index`; 0 if it is ill-formed or truncated.
    private static func wellFormedLength(at index: Int, in bytes: UnsafeBufferPointer<UInt8>) -> Int {
        let second: ClosedRange<UInt8>
        let length: Int
        switch bytes[index] {
        case 0x00...0x7F: return 1
        case 0xC2...0xDF: (length, second) = (2, 0x80...0xBF)
        // A second byte below 0xA0 would make an overlong form.
        case 0xE0: (length, second) = (3, 0xA0...0xBF)
        // A second byte above 0x9F would make a surrogate.
        case 0xED: (length, second) = (3, 0x80...0x9F)
        case 0xE1...0xEF: (length, second) = (3, 0x80...0xBF)
        case 0xF0: (length, second) = (4, 0x90...0xBF)
        case 0xF1...0xF3: (length, second) = (4, 0x80...0xBF)
        // A second byte above 0x8F would make a scalar beyond U+10FFFF.
        case 0xF4: (length, second) = (4, 0x80...0x8F)
        default: return 0
        }
        guard index + length <= bytes.count, second.contains(bytes[index + 1]) else { return 0 }
        for place in (index + 2)..<max(index + 2, index + length) where bytes[place] & 0xC0 != 0x80 { return 0 }
        return length
    }
}

extension String {
    /// Calls `body` with the string's UTF-8: in place if it is stored contiguously, otherwise with a copy.
    @inline(__always)
    func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        if let result = utf8.withContiguousStorageIfAvailable(body) { return result }
        return Array(utf8).withUnsafeBufferPointer(body)
    }
}

extension UnsafeBufferPointer<UInt8> {
    @inline(__always)
    func hasSameBytes(as other: UnsafeBufferPointer<UInt8>) -> Bool {
        guard count == other.count, let left = baseAddress, let right = other.baseAddress else {
            return count == other.count
        }
        // Equal names usually come from the same string literal, and therefore have the same address.
        guard left != right else { return true }
        var index = 0
        while index + 8 <= count {
            guard JSONBytes.load(left + index) == JSONBytes.load(right + index) else { return false }
            index += 8
        }
        while index < count {
            guard left[index] == right[index] else { return false }
            index += 1
        }
        return true
    }
}
