/// A number that ``JSON/integer(_:)`` cannot hold: it has a fraction or an exponent, is minus zero, or does not fit
/// into `Int64`.
///
/// Numbers are equal if and only if they are written identically: `1.0`, `1.00` and `1e0` are three different values.
package struct JSONNumber: Hashable, Sendable {
    /// The number as written in the JSON text; encoding reproduces it.
    package let text: String

    /// Parses a JSON number (RFC 8259 section 6); returns nil if the text is not one, or if ``JSON/integer(_:)`` can
    /// hold it.
    package init?(_ text: String) {
        guard case .number(let number)? = try? JSON.decode(text), number.text.utf8.count == text.utf8.count else {
            return nil
        }
        self = number
    }

    /// Creates a number from text that the reader has already validated.
    init(checked text: String) {
        self.text = text
    }
}

extension JSONNumber: CustomStringConvertible {
    package var description: String { text }
}

extension JSON {
    /// Creates the exact number, even if it exceeds `Int64.max`.
    package init(unsigned value: UInt64) {
        if let small = Int64(exactly: value) {
            self = .integer(small)
        } else {
            self = .number(JSONNumber(checked: String(value)))
        }
    }

    /// The value as an integer from 0 to `UInt64.max`; nil if it is not an integer in this range.
    package var unsignedValue: UInt64? {
        switch self {
        case .integer(let number): UInt64(exactly: number)
        case .number(let number): UInt64(number.text)
        case .null, .bool, .string, .array, .object: nil
        }
    }
}
