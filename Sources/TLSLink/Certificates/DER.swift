/// Encodes ASN.1 values according to the distinguished encoding rules (X.690). It supports only the types that
/// certificates need.
enum DER {
    static func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        [tag] + length(content.count) + content
    }

    private static func length(_ count: Int) -> [UInt8] {
        guard count >= 0x80 else { return [UInt8(count)] }
        var bytes: [UInt8] = []
        var rest = count
        while rest > 0 {
            bytes.insert(UInt8(truncatingIfNeeded: rest), at: 0)
            rest >>= 8
        }
        return [0x80 | UInt8(bytes.count)] + bytes
    }

    static func sequence(_ parts: [UInt8]...) -> [UInt8] { sequence(parts) }
    static func sequence(_ parts: [[UInt8]]) -> [UInt8] { element(0x30, parts.flatMap { $0 }) }
    static func set(_ part: [UInt8]) -> [UInt8] { element(0x31, part) }
    static func text(_ text: String) -> [UInt8] { element(0x0C, Array(text.utf8)) }
    static func octets(_ bytes: [UInt8]) -> [UInt8] { element(0x04, bytes) }
    static func bits(_ bytes: [UInt8], unused: UInt8 = 0) -> [UInt8] { element(0x03, [unused] + bytes) }
    static let trueElement: [UInt8] = element(0x01, [0xFF])

    /// Encodes a non-negative integer, given as bytes with the most significant byte first.
    static func integer(_ magnitude: [UInt8]) -> [UInt8] {
        let digits = Array(magnitude.drop { $0 == 0 })
        let isPlain = digits.first.map { $0 < 0x80 } ?? false
        return element(0x02, isPlain ? digits : [0] + digits)
    }

    /// Encodes an object identifier, such as `1.2.840.10045.4.3.2`.
    static func objectIdentifier(_ first: UInt, _ second: UInt, _ rest: UInt...) -> [UInt8] {
        var bytes: [UInt8] = []
        for arc in [first * 40 + second] + rest {
            var digits = [UInt8(truncatingIfNeeded: arc & 0x7F)]
            var left = arc >> 7
            while left > 0 {
                digits.insert(0x80 | UInt8(truncatingIfNeeded: left & 0x7F), at: 0)
                left >>= 7
            }
            bytes += digits
        }
        return element(0x06, bytes)
    }

    /// Encodes a time in seconds since 1970. A time before 2050 is encoded as UTCTime, a later one as GeneralizedTime
    /// (RFC 5280 section 4.1.2.5).
    static func time(_ seconds: Int64) -> [UInt8] {
        let (year, month, day) = date(ofDay: seconds.flooredDivision(by: 86_400))
        let second = seconds - seconds.flooredDivision(by: 86_400) * 86_400
        func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let rest = two(month) + two(day) + two(second / 3600) + two(second / 60 % 60) + two(second % 60) + "Z"
        return 1950..<2050 ~= year
            ? element(0x17, Array((two(year % 100) + rest).utf8)) : element(0x18, Array(("\(year)" + rest).utf8))
    }

    /// Converts a day number, counted from 1 January 1970, to a Gregorian date.
    private static func date(ofDay day: Int64) -> (year: Int64, month: Int64, day: Int64) {
        // Years begin in March here, so that the leap day is the last day of a year.
        let shifted = day + 719_468
        let era = shifted.flooredDivision(by: 146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let month = (5 * dayOfYear + 2) / 153
        let isAfterNewYear = month >= 10
        return (
            yearOfEra + era * 400 + (isAfterNewYear ? 1 : 0), isAfterNewYear ? month - 9 : month + 3,
            dayOfYear - (153 * month + 2) / 5 + 1
        )
    }
}

extension Int64 {
    fileprivate func flooredDivision(by divisor: Int64) -> Int64 {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}
