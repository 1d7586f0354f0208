/// A number outside ``JSON/integer(_:)``: with a fraction or an exponent, minus zero, or too large for `Int64`.
///
/// Numbers are equal if their texts are: `1.0`, `1.00` and `1e0` are three different values.
package struct JSONNumber: Hashable, Sendable {
    /// The text of the number, which encoding reproduces.
    package let text: String

    /// Parses a text; nil unless it is a JSON number (RFC 8259 section 6) that ``JSON/integer(_:)`` cannot represent.
    package init?(_ text: String) {
        guard case .number(let number)? = try? JSON.decode(text), number.text.utf8.count == text.utf8.count else {
            return nil
        }
        self = number
    }

    /// Creates a number from a text that the reader has already checked.
    init(checked text: String) {
        self.text = text
    }
}

extension JSONNumber: CustomStringConvertible {
    package var description: String { text }
}

extension JSON {
    /// Creates an exact number, also beyond `Int64`.
    package init(unsigned value: UInt64) {
        if let small = Int64(exactly: value) {
            self = .integer(small)
        } else {
            self = .number(JSONNumber(checked: String(value)))
        }
    }

    /// The integer from 0 to `UInt64.max`; nil for any other value.
    package var unsignedValue: UInt64? {
        switch self {
        case .integer(let number): UInt64(exactly: number)
        case .number(let number): UInt64(number.text)
        case .null, .bool, .string, .array, .object: nil
        }
    }
}
