package import SquallCore

/// The declaration of a command, independent of the client that carries it out.
///
/// The action in the scenario language, its schema, the text of `squall explain`, and the adapter protocol with its
/// documentation page are derived from the declaration.
package struct CommandDeclaration: Sendable {
    package let verb: String
    /// One sentence that describes the command.
    package let meaning: String
    /// The scenario action that issues the command; nil if only Squall itself issues the command.
    package let action: ActionEntry?
    /// The adapter level at which a client under test receives the command; nil if the adapter protocol does not
    /// contain it.
    package let level: AdapterLevel?
    /// Additional information for an implementer of the adapter protocol; nil if there is none.
    package let note: String?
    /// The fields that Squall fills in, then the parameters.
    package let fields: [CommandField]
    /// Whether the command is allowed while no user is signed in.
    package let isAllowedSignedOut: Bool
    /// The observables and events that the command affects, identified by the last component of their names; nil if it
    /// may affect any.
    ///
    /// Expectations on these names are skipped for a client that does not support the command.
    package let affects: [String]?
    /// Creates the command; returns nil if an argument is missing or invalid.
    let create: @Sendable (Arguments) -> ClientCommand?

    /// Declares a command.
    ///
    /// - Parameters:
    ///   - actor: The actor in scenarios; nil for a command that only Squall issues.
    ///   - main: The parameter that a single unnamed value is assigned to; by default the first required parameter.
    ///   - fills: The fields of the adapter protocol that Squall fills in.
    init<each Value: Sendable>(
        _ actor: Actor?,
        _ verb: String,
        _ meaning: String,
        adapter level: AdapterLevel? = .commands,
        note: String? = nil,
        signedOut isAllowedSignedOut: Bool = false,
        affects: [String]? = nil,
        main: String? = nil,
        fills: [CommandField] = [],
        _ parameters: repeat CommandParameter<each Value>,
        create: @escaping @Sendable (repeat each Value) -> ClientCommand?
    ) {
        var fields = fills
        for parameter in repeat each parameters { fields.append(parameter.field) }
        self.verb = verb
        self.meaning = meaning
        self.level = level
        self.note = note
        self.fields = fields
        self.isAllowedSignedOut = isAllowedSignedOut
        self.affects = affects
        self.create = { arguments in try? create(repeat (each parameters).read(arguments)) }
        let written = fields.compactMap(\.parameter)
        action = actor.map { actor in
            ActionEntry(
                actor,
                verb,
                main: main ?? written.first { $0.required }?.name,
                takesLabel: fields.contains { $0.role == .name },
                written,
                meaning
            )
        }
    }
}

/// A command's argument values, in the order of its parameter declarations.
package struct CommandCall: Sendable {
    package let verb: String
    package let values: [(any CommandValue)?]

    init(_ verb: String, _ values: (any CommandValue)?...) {
        self.verb = verb
        self.values = values
    }
}

extension ClientCommand {
    /// The actions of the user and the device, as written in scenario files.
    package static let actions = declarations.compactMap(\.action)

    private static let byVerb = Dictionary(uniqueKeysWithValues: declarations.map { ($0.verb, $0) })

    package static func declaration(of verb: String) -> CommandDeclaration? { byVerb[verb] }

    package var declaration: CommandDeclaration {
        let verb = call.verb
        guard let declaration = Self.byVerb[verb] else { preconditionFailure("'\(verb)' is not declared") }
        return declaration
    }

    /// Creates the command for an action; fails if the verb is not in ``actions`` or the arguments are invalid.
    package init?(actor: Actor, verb: String, arguments: Arguments) {
        guard let declaration = Self.byVerb[verb], declaration.action?.actor == actor,
            let command = declaration.create(arguments)
        else { return nil }
        self = command
    }

    /// The command's fields with their values. Fields that Squall fills in have no value.
    package var arguments: [(field: CommandField, value: ArgumentValue?)] {
        let fields = declaration.fields
        let filledIn = fields.prefix { $0.role == .filledIn }
        let values = call.values.map { $0?.argument }
        return filledIn.map { ($0, nil) } + zip(fields.dropFirst(filledIn.count), values).map { ($0, $1) }
    }

    /// Returns the command with each message's scenario label replaced by the ID that the client knows.
    package func renamingMessages(_ rename: (String) -> String) -> ClientCommand {
        let declaration = declaration
        guard declaration.fields.contains(where: { $0.role == .message }) else { return self }
        var renamed: [(name: String, value: ArgumentValue)] = []
        var name: String?
        for (field, value) in arguments {
            switch (field.role, value) {
            case (.message, .text(let label)?): renamed.append((field.name, .text(rename(label))))
            case (.name, .text(let text)?): name = text
            case (_, let value?): renamed.append((field.name, value))
            case (_, nil): break
            }
        }
        return declaration.create(Arguments(renamed, label: name)) ?? self
    }
}
