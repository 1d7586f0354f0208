package import SquallCore

/// The description of a command's parameter, from which scenarios, the adapter protocol and the documentation are
/// derived.
package struct CommandField: Hashable, Sendable {
    package enum Role: Hashable, Sendable {
        case value
        /// The name that `as:` assigns to the object that the command creates.
        case name
        /// A message, identified by its label in scenarios and by its ID for clients.
        case message
        /// An adapter-protocol field that scenarios lack, because Squall fills it in.
        case filledIn
    }

    /// The parameter's name in scenarios.
    package var name: String
    /// The parameter's name in the adapter protocol; nil if clients do not receive the parameter.
    package var field: String?
    package var kind: ParameterKind
    package var isRequired = true
    package var role = Role.value
    /// One sentence that describes the parameter.
    package var meaning: String
    /// The parameter's value in the documentation's example of the command.
    package var example: JSON = .null

    /// The scenario parameter for this field; nil if the field is set by `as:` or filled in by Squall.
    var parameter: Parameter? {
        switch role {
        case .value, .message: Parameter(name, kind, required: isRequired, meaning)
        case .name, .filledIn: nil
        }
    }

    static func filledIn(
        _ name: String,
        required: Bool = true,
        example: String,
        _ meaning: String
    ) -> CommandField {
        CommandField(
            name: name,
            field: name,
            kind: .text,
            isRequired: required,
            role: .filledIn,
            meaning: meaning,
            example: .string(example)
        )
    }
}

/// A typed command parameter: its description, and the function that parses its value.
package struct CommandParameter<Value: Sendable>: Sendable {
    /// The error for an argument that is missing or invalid.
    struct Unfit: Error {}

    package let field: CommandField
    private let value: @Sendable (ArgumentValue) -> Value?
    private let missing: Value?

    /// Describes a parameter. `missing` is the value of an omitted argument; nil if the parameter is required.
    init(
        _ field: CommandField,
        missing: Value? = nil,
        _ value: @escaping @Sendable (ArgumentValue) -> Value?
    ) {
        var field = field
        field.isRequired = missing == nil
        self.field = field
        self.missing = missing
        self.value = value
    }

    func read(_ arguments: Arguments) throws(Unfit) -> Value {
        let argument = field.role == .name ? arguments.label.map { .text($0) } : arguments[field.name]
        guard let value = argument.map(value) ?? missing else { throw Unfit() }
        return value
    }
}

/// The functions that command declarations call to create their parameters.
extension ClientCommand {
    /// Creates a string parameter. `field` is the parameter's name in the adapter protocol, if it differs from `name`.
    static func text(
        _ name: String,
        field: String? = nil,
        example: String,
        _ meaning: String
    ) -> CommandParameter<String> {
        CommandParameter(
            CommandField(name: name, field: field ?? name, kind: .text, meaning: meaning, example: .string(example))
        ) { $0.text }
    }

    static func optionalText(
        _ name: String,
        field: String? = nil,
        example: String,
        _ meaning: String
    ) -> CommandParameter<String?> {
        CommandParameter(text(name, field: field, example: example, meaning).field, missing: .some(nil)) { $0.text }
    }

    /// Creates a parameter for the label of a message; the client receives the label unchanged.
    static func label(
        _ name: String,
        field: String? = nil,
        example: String,
        _ meaning: String
    ) -> CommandParameter<String> {
        CommandParameter(
            CommandField(name: name, field: field ?? name, kind: .label, meaning: meaning, example: .string(example))
        ) { $0.text }
    }

    /// Creates an optional parameter for the label of a message, which clients do not receive.
    static func optionalLabel(_ name: String, _ meaning: String) -> CommandParameter<String?> {
        CommandParameter(CommandField(name: name, kind: .label, meaning: meaning), missing: .some(nil)) { $0.text }
    }

    /// Creates a parameter for a message: scenarios specify its label, and the client receives its ID.
    static func message(_ meaning: String) -> CommandParameter<String> {
        CommandParameter(.message("message", meaning)) { $0.text }
    }

    static func optionalMessage(_ name: String, _ meaning: String) -> CommandParameter<String?> {
        CommandParameter(.message(name, meaning), missing: .some(nil)) { $0.text }
    }

    static func scrollTarget(_ name: String, _ meaning: String) -> CommandParameter<ScrollTarget> {
        CommandParameter(.message(name, meaning)) { $0.text.map { ScrollTarget(word: $0) } }
    }

    /// Creates the parameter for the name that `as:` assigns to the object that the command creates.
    static func name(example: String) -> CommandParameter<String?> {
        CommandParameter(
            CommandField(
                name: "as",
                field: "label",
                kind: .label,
                role: .name,
                meaning: "The label of the message or file in the scenario.",
                example: .string(example)
            ),
            missing: .some(nil)
        ) { $0.text }
    }

    static func integer(
        _ name: String,
        in range: ClosedRange<Int64>,
        default missing: Int64? = nil,
        _ meaning: String
    ) -> CommandParameter<Int64> {
        CommandParameter(
            CommandField(
                name: name,
                field: name,
                kind: .integer(range),
                meaning: missing.map { "\(meaning.dropLast()); \($0) by default." } ?? meaning,
                example: .integer(missing ?? 1)
            ),
            missing: missing
        ) { $0.integer.flatMap { range.contains($0) ? $0 : nil } }
    }

    static func duration(_ name: String, _ meaning: String) -> CommandParameter<TimeSpan> {
        CommandParameter(CommandField(name: name, kind: .duration, meaning: meaning)) { $0.duration }
    }

    static func optionalDuration(_ name: String, _ meaning: String) -> CommandParameter<TimeSpan?> {
        CommandParameter(duration(name, meaning).field, missing: .some(nil)) { $0.duration }
    }

    /// Creates a parameter whose value is a case of an enum.
    static func word<Word: RawRepresentable<String> & CaseIterable & Sendable>(
        _ name: String,
        of words: Word.Type,
        default missing: Word? = nil,
        _ meaning: String
    ) -> CommandParameter<Word> {
        let words = Word.allCases.map(\.rawValue)
        return CommandParameter(
            CommandField(
                name: name,
                field: name,
                kind: .word(words),
                meaning: missing.map { "\(meaning.dropLast()); \($0.rawValue) by default." } ?? meaning,
                example: words.last.map { .string($0) } ?? .null
            ),
            missing: missing
        ) { $0.text.flatMap { Word(rawValue: $0) } }
    }
}

extension CommandField {
    fileprivate static func message(_ name: String, _ meaning: String) -> CommandField {
        CommandField(name: name, field: name, kind: .label, role: .message, meaning: meaning, example: "m-17")
    }
}
