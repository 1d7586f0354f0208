/// A JSON value.
public enum JSONValue: Hashable, Sendable {
    case null
    case bool(Bool)
    case integer(Int)
    case number(Double)
    case text(String)
    case list([JSONValue])
    case object([String: JSONValue])

    /// The integer; nil for any other value.
    public var integer: Int? { if case .integer(let integer) = self { integer } else { nil } }
    /// The string; nil for any other value.
    public var text: String? { if case .text(let text) = self { text } else { nil } }
    /// The array; nil for any other value.
    public var list: [JSONValue]? { if case .list(let list) = self { list } else { nil } }
    /// The object; nil for any other value.
    public var object: [String: JSONValue]? { if case .object(let object) = self { object } else { nil } }
}

extension JSONValue: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let flag = try? container.decode(Bool.self) {
            self = .bool(flag)
        } else if let integer = try? container.decode(Int.self) {
            self = .integer(integer)
        } else if let number = try? container.decode(Double.self) {
            self = .number(number)
        } else if let text = try? container.decode(String.self) {
            self = .text(text)
        } else if let list = try? container.decode([JSONValue].self) {
            self = .list(list)
        } else {
            self = .object(try container.decode([String: JSONValue].self))
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let flag): try container.encode(flag)
        case .integer(let integer): try container.encode(integer)
        case .number(let number): try container.encode(number)
        case .text(let text): try container.encode(text)
        case .list(let list): try container.encode(list)
        case .object(let object): try container.encode(object)
        }
    }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral {
    public init(stringLiteral text: String) { self = .text(text) }
    public init(integerLiteral integer: Int) { self = .integer(integer) }
    public init(booleanLiteral flag: Bool) { self = .bool(flag) }
}

extension JSONValue: ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral {
    public init(arrayLiteral items: JSONValue...) { self = .list(items) }
    public init(dictionaryLiteral members: (String, JSONValue)...) {
        self = .object(Dictionary(members) { $1 })
    }
}
