extension JSONReader {
    /// Reads the number that begins at the position with a minus or a digit.
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
        // Minus zero is a number of its own, which no integer can hold.
        if isWhole, let whole, !(negative && whole == 0) { return .integer(whole) }
        let text = UnsafeBufferPointer(start: bytes + start, count: position - start)
        return .number(JSONNumber(checked: String(decoding: text, as: UTF8.self)))
    }

    /// `nil` for digits that are no `Int64`. Counts downwards where negative, for the lowest one has no opposite.
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

    /// At least one.
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
