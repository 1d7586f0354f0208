/// How much of what a client or a wire showed can be trusted.
package enum Provenance: String, Hashable, Sendable, CaseIterable {
    /// Seen on the wire by Squall itself.
    case observed
    /// Said by the client of itself.
    case reported
    /// Done by Squall: a fault, a command.
    case injected
}

/// How the two worlds are compared on one name.
package enum ParityClass: String, Hashable, Sendable, CaseIterable {
    /// The sequence of values, repeats merged.
    case exact
    /// The sequence of payloads without their measured fields.
    case log
    /// A multiset between two changes of the connection's state.
    case unordered
    /// Never compared.
    case measured
}

/// What a client must offer before Squall can read a name from it.
package enum AdapterLevel: Int, Hashable, Sendable, Comparable, CaseIterable {
    /// Nothing: Squall reads it from the wire.
    case wire = 0
    /// Reported states and messages.
    case reports = 1
    /// Commands.
    case commands = 2
    /// Lifecycle, network path, kill and restart.
    case device = 3

    package static func < (left: AdapterLevel, right: AdapterLevel) -> Bool {
        left.rawValue < right.rawValue
    }
}

/// The kind of value that a name carries.
package enum ValueKind: Hashable, Sendable {
    case flag, integer, text, duration, instant, list
    /// One of a closed set of words.
    case word([String])
    /// An event's fields; the names of those that are measured and so never compared.
    case fields([EventField], measured: [String])
}

extension ValueKind {
    /// What is wrong with a value of this kind; null is none, whatever the kind.
    package func problem(with value: JSON) -> String? {
        if value.isNull { return nil }
        switch self {
        case .flag: return value.boolValue == nil ? "\(value) is neither true nor false" : nil
        case .integer, .duration, .instant: return value.intValue == nil ? "\(value) is no whole number" : nil
        case .text: return value.stringValue == nil ? "\(value) is no text" : nil
        case .list: return value.arrayValue == nil ? "\(value) is no list" : nil
        case .word(let words):
            if let word = value.stringValue, words.contains(word) { return nil }
            return "\(value) is none of \(words.joined(separator: ", "))"
        case .fields: return nil
        }
    }
}

/// A field of an event, and the kind of value that it has; a name alone is a text's.
package struct EventField: Hashable, Sendable, ExpressibleByStringLiteral {
    package let name: String
    package let kind: ValueKind

    package init(_ name: String, _ kind: ValueKind) {
        self.name = name
        self.kind = kind
    }

    package init(stringLiteral name: String) {
        self.init(name, .text)
    }

    package static func flag(_ name: String) -> EventField { EventField(name, .flag) }
    package static func integer(_ name: String) -> EventField { EventField(name, .integer) }
    package static func duration(_ name: String) -> EventField { EventField(name, .duration) }
    /// One of these and no other.
    package static func word(_ name: String, _ words: [String]) -> EventField { EventField(name, .word(words)) }
    package static func word<Word: RawRepresentable<String> & CaseIterable>(_ name: String, _ type: Word.Type)
        -> EventField
    {
        .word(name, type.allCases.map(\.rawValue))
    }
    /// Of texts.
    package static func list(_ name: String) -> EventField { EventField(name, .list) }
}

/// One observable, event or fault as the schema, the documentation, the linter, parity and `squall explain` read it.
package struct RegistryEntry: Hashable, Sendable {
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        case observable, event, fault
    }

    package let kind: Kind
    /// The name in full, `connection.state`.
    package let name: String
    package let value: ValueKind
    /// What the `[key]` behind the name stands for: `message`, `conversation`; nil where there is none.
    package let key: String?
    package let provenance: Provenance
    package let parity: ParityClass
    package let level: AdapterLevel
    /// One line.
    package let meaning: String

    package init(
        _ kind: Kind,
        _ name: String,
        _ value: ValueKind,
        key: String? = nil,
        provenance: Provenance = .reported,
        parity: ParityClass = .exact,
        level: AdapterLevel = .reports,
        _ meaning: String
    ) {
        self.kind = kind
        self.name = name
        self.value = value
        self.key = key
        self.provenance = provenance
        self.parity = parity
        self.level = level
        self.meaning = meaning
    }

    /// An event's fields; of anything else none.
    package var fields: [EventField] {
        if case .fields(let fields, _) = value { fields } else { [] }
    }
}
