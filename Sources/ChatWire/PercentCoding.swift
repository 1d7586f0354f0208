/// Percent-encoding of a path segment or a query value (RFC 3986, section 2.1). A plus sign is not decoded as a space.
package enum PercentCoding {
    /// Encodes all characters except the unreserved ones, so the result is valid anywhere in a request target.
    static func encode(_ text: String) -> String {
        // A segment that consists only of dots would be removed as a relative path step (RFC 3986, section 5.2.4), so
        // its dots are encoded, although they are unreserved.
        let onlyDots = text.utf8.allSatisfy { $0 == UInt8(ascii: ".") }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        for byte in text.utf8 {
            if isUnreserved(byte), !onlyDots {
                bytes.append(byte)
            } else {
                bytes.append(UInt8(ascii: "%"))
                bytes.append(digit(byte >> 4))
                bytes.append(digit(byte & 0xF))
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Decodes a segment or a query value; returns nil for a byte that is not allowed in `place`, an escape without two
    /// hexadecimal digits, or ill-formed UTF-8.
    package static func decode(_ bytes: some Sequence<UInt8>, in place: Place) -> String? {
        var decoded: [UInt8] = []
        var iterator = bytes.makeIterator()
        while let byte = iterator.next() {
            if byte == UInt8(ascii: "%") {
                guard let high = iterator.next().flatMap(value), let low = iterator.next().flatMap(value) else {
                    return nil
                }
                decoded.append(high << 4 | low)
            } else {
                guard isAllowed(byte, in: place) else { return nil }
                decoded.append(byte)
            }
        }
        return String(validating: decoded, as: UTF8.self)
    }

    package enum Place {
        case segment, query
    }

    /// Returns whether the byte is a character of `pchar` (RFC 3986, section 3.3) or, in a query, a slash or a question
    /// mark (section 3.4).
    static func isAllowed(_ byte: UInt8, in place: Place) -> Bool {
        switch byte {
        case UInt8(ascii: "!"), UInt8(ascii: "$"), UInt8(ascii: "&")...UInt8(ascii: ","), UInt8(ascii: ":"),
            UInt8(ascii: ";"), UInt8(ascii: "="), UInt8(ascii: "@"):
            true
        case UInt8(ascii: "/"), UInt8(ascii: "?"): place == .query
        default: isUnreserved(byte)
        }
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"):
            true
        default: false
        }
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
    }

    private static func value(_ digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        default: nil
        }
    }
}
