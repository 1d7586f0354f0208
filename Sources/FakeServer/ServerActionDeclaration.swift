package import SquallCore

/// The declaration of a server action.
///
/// The action in the scenario language, its schema and the text of `squall explain` are derived from the declaration.
struct ServerActionDeclaration: Sendable {
    let entry: ActionEntry
    /// Creates the action; returns nil if mutually exclusive arguments are given, or if none of several alternatives
    /// is. It throws ``InvalidArgument`` if an argument is invalid, or if it is required but missing.
    let create: @Sendable (Arguments) throws(InvalidArgument) -> ServerAction?

    /// Declares an action. `main` is the parameter that an unnamed value sets.
    init<each Value: Sendable>(
        _ verb: String,
        main: String? = nil,
        _ meaning: String,
        _ parameters: repeat ActionParameter<each Value>,
        create: @escaping @Sendable (repeat each Value) -> ServerAction?
    ) {
        var entries: [Parameter?] = []
        for parameter in repeat each parameters { entries.append(parameter.entry) }
        let takesLabel = entries.contains(nil)
        entry = ActionEntry(.server, verb, main: main, takesLabel: takesLabel, entries.compactMap(\.self), meaning)
        self.create = { arguments throws(InvalidArgument) in
            create(repeat try (each parameters).read(arguments))
        }
    }
}

extension ServerAction {
    private static let declarations = messages + lifecycle + connections + answers + settings + people
    private static let byVerb = Dictionary(uniqueKeysWithValues: declarations.map { ($0.entry.verb, $0) })

    /// The server's actions, as used by the parser, the schema and the documentation.
    package static let actions: [ActionEntry] = declarations.map(\.entry)

    /// Creates the action for a verb and its arguments.
    ///
    /// Returns nil if the server has no such verb, if mutually exclusive arguments are given, or if none of several
    /// alternatives is.
    ///
    /// - Throws: ``InvalidArgument`` if an argument is missing, of the wrong kind or out of range.
    package init?(verb: String, _ arguments: Arguments) throws(InvalidArgument) {
        guard let action = try Self.byVerb[verb]?.create(arguments) else { return nil }
        self = action
    }
}
