extension JSONReader {
    /// Reads the number at the current position, which begins with a minus sign or a digit.
    mutating func readNumber() throws(JSONError) -> JSON {
        let start = position
        let negative = bytes[position] == UInt8(ascii: "-")
        if negative { position += 1 }
        let first = position
        let whole = try readWhole(negative: negative)
        guard position - first == 1 || bytes[first] != UInt8(ascii: "0") else {
            throw JSONError(.leadingZero, at: first)
        }
        var isWhole = true
        if position < count, bytes[position] == UInt8(ascii: ".") {
            isWhole = false
            position += 1
            try skipDigits()
        }
        if position < count, bytes[position] | 0x20 == UInt8(ascii: "e") {
            isWhole = false
            position += 1
            if position < count, bytes[position] == UInt8(ascii: "+") || bytes[position] == UInt8(ascii: "-") {
                position += 1
            }
            try skipDigits()
        }
        // An integer cannot represent minus zero.
        if isWhole, let whole, !(negative && whole == 0) { return .integer(whole) }
        let text = UnsafeBufferPointer(start: bytes + start, count: position - start)
        return .number(JSONNumber(checked: String(decoding: text, as: UTF8.self)))
    }

    /// Reads the digits of the integer part; returns nil if they exceed the range of `Int64`.
    ///
    /// Negative numbers are accumulated downwards, because the magnitude of `Int64.min` exceeds `Int64.max`.
    private mutating func readWhole(negative: Bool) throws(JSONError) -> Int64? {
        var value: Int64 = 0
        var overflowed = false
        let start = position
        while position < count {
            let digit = bytes[position] &- UInt8(ascii: "0")
            guard digit <= 9 else { break }
            let (product, tooLarge) = value.multipliedReportingOverflow(by: 10)
            let (sum, carried) =
                negative
                ? product.subtractingReportingOverflow(Int64(digit))
                : product.addingReportingOverflow(Int64(digit))
            overflowed = overflowed || tooLarge || carried
            value = sum
            position += 1
        }
        guard position > start else { throw missingDigit() }
        return overflowed ? nil : value
    }

    /// Skips one or more digits.
    private mutating func skipDigits() throws(JSONError) {
        let start = position
        while position < count, bytes[position] &- UInt8(ascii: "0") <= 9 { position += 1 }
        guard position > start else { throw missingDigit() }
    }

    private func missingDigit() -> JSONError {
        guard position < count else { return unexpected() }
        return JSONError(.missingDigit, at: position, found: bytes[position])
    }
}
