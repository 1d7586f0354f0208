package import SquallCore

extension ValuePredicate {
    /// Describes the predicate as worded after "expected" in failure messages: `"Reconnected."`, `at least 3`, `one of
    /// connected, degraded`.
    package func describe(for client: ClientID?) -> String {
        switch self {
        case .equals(let value): value.readable
        case .compares(.exactly, let bound): String(describing: bound)
        case .compares(let comparison, let bound): "\(comparison.words) \(bound)"
        case .oneOf(let choices): "one of \(choices.map(\.readable).joined(separator: ", "))"
        case .contains(let part): "containing \(part.readable)"
        case .matches(let pattern): "matching \(pattern)"
        case .set(true): "a value"
        case .set(false): "no value"
        case .sameAs(let other): "the same as \(other.text(for: client))"
        case .each(let filter, let predicate):
            "each item\(filter.chosen(for: client)) \(predicate.describe(for: client))"
        case .any(let filter, let predicate): "an item\(filter.chosen(for: client)) \(predicate.describe(for: client))"
        case .counted(let filter, let predicate):
            "\(predicate.describe(for: client)) items\(filter.chosen(for: client))"
        case .field(let name, let predicate): "\(name) \(predicate.describe(for: client))"
        case .keyed(let name, let predicate): "with \(name) \(predicate.describe(for: client))"
        case .all(let predicates): predicates.map { $0.describe(for: client) }.joined(separator: " and ")
        case .not(let predicate): "not \(predicate.describe(for: client))"
        }
    }

    /// Whether the predicate compares durations, which messages show with a unit.
    var isAboutTime: Bool {
        switch self {
        case .compares(_, .duration): true
        case .all(let predicates): predicates.contains(where: \.isAboutTime)
        case .not(let predicate): predicate.isAboutTime
        default: false
        }
    }
}

extension ValuePredicate? {
    fileprivate func chosen(for client: ClientID?) -> String {
        guard let self else { return "" }
        return " where \(self.describe(for: client)),"
    }
}

extension JSON {
    /// The maximum number of list items that a message shows.
    static let shownItems = 12

    /// The value as formatted in messages: plain words without quotes, other strings quoted, long lists shortened.
    package var readable: String {
        switch self {
        case .string(let text) where text.isPlainWord: return text
        case .array(let items):
            var parts = items.prefix(JSON.shownItems).map(\.readable)
            if items.count > parts.count { parts.append("… \(items.count - parts.count) more") }
            return "[\(parts.joined(separator: ", "))]"
        case .null, .bool, .integer, .number, .string, .object: return description
        }
    }
}

extension String {
    /// Returns whether the byte is a lower-case letter, a digit or `_`.
    private static func isWordByte(_ byte: UInt8) -> Bool {
        (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || byte == 0x5F
    }

    fileprivate var isPlainWord: Bool {
        guard let first = utf8.first, (0x61...0x7A).contains(first) else { return false }
        // Without quotes, the strings "null", "true" and "false" would look like JSON literals.
        return utf8.allSatisfy(String.isWordByte) && self != "null" && self != "true" && self != "false"
    }
}
