/// Base64 with the standard alphabet and padding (RFC 4648 section 4).
package enum Base64 {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    private static let padding = UInt8(ascii: "=")

    package static func encode(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
            for place in 0..<4 {
                text.append(place <= group.count ? alphabet[bits >> (18 - 6 * place) & 0x3F] : padding)
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Nil unless it is whole groups of the alphabet, padded at the end alone.
    ///
    /// The bits that padding leaves over may have any value: RFC 4648 section 3.5 lets a decoder choose.
    package static func decode(_ text: String) -> [UInt8]? {
        guard text.utf8.count % 4 == 0 else { return nil }
        let digits = text.utf8.reversed().drop { $0 == padding }.reversed()
        let missing = text.utf8.count - digits.count
        guard missing <= 2 else { return nil }
        var bytes: [UInt8] = []
        var bits = 0
        for (index, digit) in digits.enumerated() {
            guard let value = alphabet.firstIndex(of: digit) else { return nil }
            bits = bits << 6 | value
            // The first digit of a group completes no byte, each other one does.
            if index % 4 > 0 {
                bytes.append(UInt8(truncatingIfNeeded: bits >> (6 - 2 * (index % 4))))
            }
        }
        return bytes
    }
}
