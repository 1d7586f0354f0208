/// A number outside ``JSON/integer(_:)``: with a fraction or an exponent, minus zero, or too large for `Int64`.
///
/// Equal when written the same: `1.0`, `1.00` and `1e0` are three.
package struct JSONNumber: Hashable, Sendable {
    /// The number as it was written, which is how it will be written again.
    package let text: String

    /// `nil` unless the text is one JSON number (RFC 8259, section 6) that ``JSON/integer(_:)`` does not stand for.
    package init?(_ text: String) {
        guard case .number(let number)? = try? JSON.decode(text), number.text.utf8.count == text.utf8.count else {
            return nil
        }
        self = number
    }

    /// For the reader, which has just checked the text.
    init(checked text: String) {
        self.text = text
    }
}

extension JSONNumber: CustomStringConvertible {
    package var description: String { text }
}

extension JSON {
    /// Exact beyond `Int64` too.
    package init(unsigned value: UInt64) {
        if let small = Int64(exactly: value) {
            self = .integer(small)
        } else {
            self = .number(JSONNumber(checked: String(value)))
        }
    }

    /// A whole number from 0 on, exact beyond `Int64` too.
    package var unsignedValue: UInt64? {
        switch self {
        case .integer(let number): UInt64(exactly: number)
        case .number(let number): UInt64(number.text)
        case .null, .bool, .string, .array, .object: nil
        }
    }
}
