/// A participant in a scenario that can perform actions.
package enum Actor: String, Hashable, Sendable, CaseIterable {
    case user, device, server, network
}

/// The kind of value that a parameter takes in a scenario file.
package indirect enum ParameterKind: Hashable, Sendable {
    case text
    /// A whole number in this closed range.
    case integer(ClosedRange<Int64>)
    case duration
    case flag
    /// A keyword from a fixed set.
    case word([String])
    /// The label of a sent or posted message, or of a fault, defined by `as:` in the same file.
    case label
    case list(ParameterKind)
    /// Any JSON or YAML value.
    case json

    /// The allowed values, as a phrase that completes "must be", such as `0 to 100` or `one of fin, rst`.
    package var range: String {
        switch self {
        case .text, .label: "text"
        case .integer(let range): "\(range.lowerBound) to \(range.upperBound)"
        case .duration: "a duration"
        case .flag: "true or false"
        case .word(let words): "one of \(words.joined(separator: ", "))"
        case .list: "a list"
        case .json: "JSON"
        }
    }
}

/// One parameter of an action.
package struct Parameter: Hashable, Sendable {
    package let name: String
    package let kind: ParameterKind
    package let required: Bool
    /// The default value; nil if there is none, or if only ``meaning`` states it.
    package let initial: ArgumentValue?
    /// A one-line description of what the parameter sets, with its unit and default.
    package let meaning: String

    package init(
        _ name: String,
        _ kind: ParameterKind,
        required: Bool = false,
        initial: ArgumentValue? = nil,
        _ meaning: String
    ) {
        self.name = name
        self.kind = kind
        self.required = required
        self.initial = initial
        self.meaning = meaning
    }
}

/// An action that an actor can perform, as defined for the parser, the schema and the documentation.
package struct ActionEntry: Hashable, Sendable {
    package let actor: Actor
    package let verb: String
    package let parameters: [Parameter]
    /// The name of the parameter that an unnamed value sets: `open: stukov` means `open: { conversation: stukov }`.
    package let main: String?
    /// Whether the action accepts `as:`, which labels the item or fault that it creates.
    package let takesLabel: Bool
    package let meaning: String

    package init(
        _ actor: Actor,
        _ verb: String,
        main: String? = nil,
        takesLabel: Bool = false,
        _ parameters: [Parameter] = [],
        _ meaning: String
    ) {
        self.actor = actor
        self.verb = verb
        self.parameters = parameters
        self.main = main
        self.takesLabel = takesLabel
        self.meaning = meaning
    }
}

/// The value of a parameter, converted to the parameter's kind.
package enum ArgumentValue: Hashable, Sendable {
    /// A string, a keyword or a label.
    case text(String)
    case integer(Int64)
    case duration(TimeSpan)
    case flag(Bool)
    case list([ArgumentValue])
    case json(JSON)

    package var text: String? { if case .text(let text) = self { text } else { nil } }
    package var integer: Int64? { if case .integer(let number) = self { number } else { nil } }
    package var duration: TimeSpan? { if case .duration(let span) = self { span } else { nil } }
    package var flag: Bool? { if case .flag(let flag) = self { flag } else { nil } }
    package var json: JSON? { if case .json(let value) = self { value } else { nil } }
}

/// The error for an argument that is invalid, or that is required but missing.
package struct InvalidArgument: Error, Hashable {
    /// The parameter's name.
    package let name: String
    /// The invalid value; nil if a required argument is missing.
    package let value: ArgumentValue?
    /// The allowed values, as a phrase that completes "must be", such as `0 to 100` or `one of fin, rst`.
    package let range: String

    package init(name: String, value: ArgumentValue?, range: String) {
        (self.name, self.value, self.range) = (name, value, range)
    }
}

/// The arguments of one action, already checked against its ``ActionEntry``.
package struct Arguments: Hashable, Sendable {
    package private(set) var values: [(name: String, value: ArgumentValue)]
    /// The label that `as:` defines; nil if there is none.
    package var label: String?

    package init(_ values: [(name: String, value: ArgumentValue)] = [], label: String? = nil) {
        self.values = values
        self.label = label
    }

    package subscript(name: String) -> ArgumentValue? {
        values.first { $0.name == name }?.value
    }

    package func text(_ name: String) -> String? { self[name]?.text }
    package func integer(_ name: String) -> Int64? { self[name]?.integer }
    package func duration(_ name: String) -> TimeSpan? { self[name]?.duration }
    package func flag(_ name: String) -> Bool? { self[name]?.flag }
    package func json(_ name: String) -> JSON? { self[name]?.json }

    package func texts(_ name: String) -> [String]? {
        guard case .list(let items)? = self[name] else { return nil }
        return items.compactMap(\.text)
    }

    package static func == (left: Arguments, right: Arguments) -> Bool {
        left.label == right.label
            && left.values.elementsEqual(right.values) { $0.name == $1.name && $0.value == $1.value }
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(label)
        for (name, value) in values {
            hasher.combine(name)
            hasher.combine(value)
        }
    }
}

/// A profile field, with the name that scenario files use for it: `$heartbeat.pong_limit`.
package struct ProfileField<Profile>: Sendable {
    package let name: String
    package let kind: ParameterKind
    package let meaning: String
    package let get: @Sendable (Profile) -> ArgumentValue
    /// Sets the field; a value of the wrong kind is ignored.
    package let set: @Sendable (inout Profile, ArgumentValue) -> Void

    package init(
        _ name: String,
        _ kind: ParameterKind,
        _ meaning: String,
        get: @escaping @Sendable (Profile) -> ArgumentValue,
        set: @escaping @Sendable (inout Profile, ArgumentValue) -> Void
    ) {
        self.name = name
        self.kind = kind
        self.meaning = meaning
        self.get = get
        self.set = set
    }
}
