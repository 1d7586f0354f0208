import SquallCore

/// A JSON value (RFC 8259), as used in clients' reports and in traces.
public enum JSONValue: Hashable, Sendable {
    case null
    case bool(Bool)
    case integer(Int64)
    /// A number that is not an integer in the range of `Int64`; the string is the number as written in the JSON text.
    case number(String)
    case string(String)
    case array([JSONValue])
    /// An object, with its members in order.
    case object([Member])

    /// A name and its value in an object.
    public struct Member: Hashable, Sendable {
        /// The member's name.
        public let name: String
        /// The member's value.
        public let value: JSONValue

        /// Creates a member.
        public init(_ name: String, _ value: JSONValue) {
            self.name = name
            self.value = value
        }
    }

    /// The first member with this name; nil if there is none, or if the value is not an object.
    public subscript(name: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.name == name }?.value
    }

    /// Returns a duration as Squall's events represent it: an integer number of nanoseconds.
    public static func nanoseconds(_ duration: Duration) -> JSONValue { .integer(TimeSpan(duration).nanoseconds) }
}

extension JSONValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByStringLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// Creates a JSON null from a nil literal.
    public init(nilLiteral: ()) { self = .null }
    /// Creates a JSON Boolean from a Boolean literal.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    /// Creates a JSON integer from an integer literal.
    public init(integerLiteral value: Int64) { self = .integer(value) }
    /// Creates a JSON string from a string literal.
    public init(stringLiteral value: String) { self = .string(value) }
    /// Creates a JSON array from an array literal.
    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    /// Creates a JSON object from a dictionary literal; the members retain their order.
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(elements.map { Member($0.0, $0.1) })
    }
}

extension JSONValue: CustomStringConvertible {
    /// The compact JSON text.
    public var description: String { String(decoding: json.encode(), as: UTF8.self) }
}

extension JSONValue {
    init(_ json: JSON) {
        self =
            switch json {
            case .null: .null
            case .bool(let flag): .bool(flag)
            case .integer(let number): .integer(number)
            case .number(let number): .number(number.text)
            case .string(let text): .string(text)
            case .array(let items): .array(items.map { JSONValue($0) })
            case .object(let members): .object(members.map { Member($0.name, JSONValue($0.value)) })
            }
    }

    /// The value as a SquallCore `JSON`; a `number` whose text is not a JSON number becomes null.
    var json: JSON {
        switch self {
        case .null: .null
        case .bool(let flag): .bool(flag)
        case .integer(let number): .integer(number)
        case .number(let text): JSONNumber(text).map { .number($0) } ?? .null
        case .string(let text): .string(text)
        case .array(let items): .array(items.map(\.json))
        case .object(let members): .object(members.map { JSONMember($0.name, $0.value.json) })
        }
    }
}

extension Duration {
    init(_ span: TimeSpan) { self = .nanoseconds(span.nanoseconds) }
}
