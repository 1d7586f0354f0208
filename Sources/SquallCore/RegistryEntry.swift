/// The origin of an observation, which determines how far it can be trusted.
package enum Provenance: String, Hashable, Sendable, CaseIterable {
    /// Squall has read it from the wire.
    case observed
    /// The client has reported it about itself.
    case reported
    /// Squall has caused it: a fault or a command.
    case injected
}

/// How the sim and live worlds are compared for one name.
package enum ParityClass: String, Hashable, Sendable, CaseIterable {
    /// The sequences of values must be equal, after repeats are merged.
    case exact
    /// The sequences of fields must be equal, without measured fields.
    case log
    /// The multisets of values between two changes of the connection's state must be equal.
    case unordered
    /// The values are not compared.
    case measured
}

/// The level of an adapter that is necessary for a name to be available.
package enum AdapterLevel: Int, Hashable, Sendable, Comparable, CaseIterable {
    /// No adapter: Squall reads it from the wire.
    case wire = 0
    /// The adapter reports the client's states and messages.
    case reports = 1
    /// Commands.
    case commands = 2
    /// Control of the lifecycle, network path, kill and restart.
    case device = 3

    package static func < (left: AdapterLevel, right: AdapterLevel) -> Bool {
        left.rawValue < right.rawValue
    }
}

/// The kind of value of a name.
package enum ValueKind: Hashable, Sendable {
    case flag, integer, text, duration, instant, list
    /// One of a closed set of words.
    case word([String])
    /// The fields of an event, with the names of those that are measured and therefore not compared.
    case fields([EventField], measured: [String])
}

extension ValueKind {
    /// Says why a value is not of this kind; nil if it is. Null is a value of every kind.
    package func problem(with value: JSON) -> String? {
        if value.isNull { return nil }
        switch self {
        case .flag: return value.boolValue == nil ? "\(value) is not true or false" : nil
        case .integer, .duration, .instant: return value.intValue == nil ? "\(value) is not a whole number" : nil
        case .text: return value.stringValue == nil ? "\(value) is not a text" : nil
        case .list: return value.arrayValue == nil ? "\(value) is not a list" : nil
        case .word(let words):
            if let word = value.stringValue, words.contains(word) { return nil }
            return "\(value) is not one of \(words.joined(separator: ", "))"
        case .fields: return nil
        }
    }
}

/// A field of an event with the kind of its value; a string literal makes a field of kind text.
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
    /// A field whose value is one of `words`.
    package static func word(_ name: String, _ words: [String]) -> EventField { EventField(name, .word(words)) }
    package static func word<Word: RawRepresentable<String> & CaseIterable>(_ name: String, _ type: Word.Type)
        -> EventField
    {
        .word(name, type.allCases.map(\.rawValue))
    }
    /// A field that is a list of texts.
    package static func list(_ name: String) -> EventField { EventField(name, .list) }
}

/// The definition of an observable, event or fault, for the schema, the documentation, parity and `squall explain`.
package struct RegistryEntry: Hashable, Sendable {
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        case observable, event, fault
    }

    package let kind: Kind
    /// The full name, such as `connection.state`.
    package let name: String
    package let value: ValueKind
    /// The kind of key in `name[key]`, such as `message` or `conversation`; nil if the name has no key.
    package let key: String?
    package let provenance: Provenance
    package let parity: ParityClass
    package let level: AdapterLevel
    /// One sentence for the documentation and `squall explain`.
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

    /// The fields of an event; empty for other entries.
    package var fields: [EventField] {
        if case .fields(let fields, _) = value { fields } else { [] }
    }
}
