/// Base64 with the standard alphabet and padding (RFC 4648 section 4).
package enum Base64 {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    private static let padding = UInt8(ascii: "=")
    /// The value of each byte as a Base64 digit, indexed by the byte; nil for bytes outside the alphabet.
    private static let values: [Int?] = {
        var values = [Int?](repeating: nil, count: 256)
        for (value, digit) in alphabet.enumerated() { values[Int(digit)] = value }
        return values
    }()

    package static func encode(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let count = min(3, bytes.count - start)
            var bits = 0
            for place in 0..<3 { bits = bits << 8 | (place < count ? Int(bytes[start + place]) : 0) }
            for place in 0..<4 {
                text.append(place <= count ? alphabet[bits >> (18 - 6 * place) & 0x3F] : padding)
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Decodes the text. Returns nil if the text does not consist of complete groups of four, with padding only at the
    /// end.
    ///
    /// The unused bits before the padding may have any value, as RFC 4648 section 3.5 permits.
    package static func decode(_ text: String) -> [UInt8]? {
        guard text.utf8.count % 4 == 0 else { return nil }
        let digits = Array(text.utf8)
        let missing = digits.reversed().prefix { $0 == padding }.count
        guard missing <= 2 else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(digits.count / 4 * 3)
        var bits = 0
        for index in 0..<digits.count - missing {
            guard let value = values[Int(digits[index])] else { return nil }
            bits = bits << 6 | value
            // The first digit of a group does not complete a byte, but each of the other three does.
            if index % 4 > 0 {
                bytes.append(UInt8(truncatingIfNeeded: bits >> (6 - 2 * (index % 4))))
            }
        }
        return bytes
    }
}
