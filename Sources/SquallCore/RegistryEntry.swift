/// The origin of an observation, which determines how far it can be trusted.
package enum Provenance: String, Hashable, Sendable, CaseIterable {
    /// Squall has read the value from the wire.
    case observed
    /// The client has reported the value.
    case reported
    /// Squall has caused the event: a fault or a command.
    case injected
}

/// The rule for comparing the values recorded under a registry name in a simulated run with those in a live run.
package enum ParityClass: String, Hashable, Sendable, CaseIterable {
    /// The sequences of values must be equal after consecutive repeats are merged.
    case exact
    /// The sequences of events must be equal in all fields except those that depend on measurements.
    case log
    /// Between successive connection state changes, the multisets of values must be equal.
    case unordered
    /// The values are not compared.
    case measured
}

/// The level of client-adapter support that a registry name requires.
package enum AdapterLevel: Int, Hashable, Sendable, Comparable, CaseIterable {
    /// No adapter is required: Squall reads the value from the wire.
    case wire = 0
    /// The adapter reports the client's states and messages.
    case reports = 1
    /// The adapter also executes commands.
    case commands = 2
    /// The adapter also controls the app's lifecycle and network path, and kills and restarts the app.
    case device = 3

    package static func < (left: AdapterLevel, right: AdapterLevel) -> Bool {
        left.rawValue < right.rawValue
    }
}

/// The kind of value that is recorded under a registry name.
package enum ValueKind: Hashable, Sendable {
    case flag, integer, text, duration, instant, list
    /// A keyword from a fixed set.
    case word([String])
    /// The fields of an event; `measured` lists the fields that depend on measurements and are therefore not compared.
    case fields([EventField], measured: [String])
}

extension ValueKind {
    /// Describes why a value is not of this kind; returns nil if it is. Null is valid for every kind.
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

/// An event field and the kind of its value; a string literal creates a text field.
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
    /// Creates a field whose value is one of `words`.
    package static func word(_ name: String, _ words: [String]) -> EventField { EventField(name, .word(words)) }
    package static func word<Word: RawRepresentable<String> & CaseIterable>(_ name: String, _ type: Word.Type)
        -> EventField
    {
        .word(name, type.allCases.map(\.rawValue))
    }
    /// Creates a field whose value is a list of strings.
    package static func list(_ name: String) -> EventField { EventField(name, .list) }
}

/// The definition of an observable, event or fault, used by the schema, the documentation, `squall explain`, and the
/// comparison of simulated and live runs.
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
