import ScenarioModel
package import SquallCore

/// One step of a draft (a scenario that can be generated, mutated or shrunk).
package struct Move: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        case act(ActionEntry, Arguments)
        case rest(TimeSpan)
        /// A `wait` for a condition, with its time limit (`within`), both as YAML. It occurs only in drafts that were
        /// read from a file.
        case wait(String, within: String?)
    }

    package var kind: Kind
    /// The clients that the action affects; empty for all clients.
    package var clients: [ClientID]
    /// The value of the step's `at:` as YAML; occurs only in drafts that were read from a file.
    package var anchor: String?

    package init(_ kind: Kind, clients: [ClientID] = [], anchor: String? = nil) {
        self.kind = kind
        self.clients = clients
        self.anchor = anchor
    }

    /// Creates a move (a step of a draft) that performs an action; returns nil if Squall's registry has no such action.
    package init?(
        _ actor: Actor,
        _ verb: String,
        _ values: [(name: String, value: ArgumentValue)] = [],
        label: String? = nil,
        clients: [ClientID] = []
    ) {
        guard let entry = Registry.action(of: actor, verb) else { return nil }
        self.init(.act(entry, Arguments(values, label: label)), clients: clients)
    }

    package static func rest(_ span: TimeSpan) -> Move { Move(.rest(span)) }

    package var action: (entry: ActionEntry, arguments: Arguments)? {
        if case .act(let entry, let arguments) = kind { (entry, arguments) } else { nil }
    }

    package var rest: TimeSpan? {
        if case .rest(let span) = kind { span } else { nil }
    }

    /// The name of the action in scenarios (`user.open`); nil for a move that is not an action.
    package var name: String? {
        action.map { "\($0.entry.actor.rawValue).\($0.entry.verb)" }
    }

    /// Returns whether the move performs the action `verb` of `actor`.
    package func `is`(_ actor: Actor, _ verb: String) -> Bool {
        guard let entry = action?.entry else { return false }
        return entry.actor == actor && entry.verb == verb
    }
}

extension Move {
    /// The labels that the action defines, each with the kind of object that it identifies, such as a message or a
    /// fault.
    var defined: [(label: String, kind: ActionEntry.LabelKind)] {
        guard let (entry, arguments) = action, let kind = entry.labelKind else { return [] }
        if let label = arguments.label {
            if entry.verb == "post", let count = arguments.integer("count"), count > 1 {
                return (1...min(count, Self.maximumLabels)).map { ("\(label)-\($0)", kind) }
            }
            return [(label, kind)]
        }
        switch kind {
        case .fault: return [(entry.verb, kind)]
        case .hold: return (arguments.text("frame") ?? arguments.text("route")).map { [($0, kind)] } ?? []
        case .message, .upload, .rule: return []
        }
    }

    /// The labels that the action defines, including the label shared by messages that are posted together.
    var allDefined: [String] { defined.map(\.label) + (action?.arguments.label.map { [$0] } ?? []) }

    /// The maximum number of labels defined by one `post` that other moves can refer to.
    private static let maximumLabels: Int64 = 200

    /// The labels that the action refers to, each with the kind of object that it must identify.
    var used: [(label: String, kind: ActionEntry.LabelKind)] {
        guard let (entry, arguments) = action else { return [] }
        return entry.parameters.compactMap { parameter in
            guard let text = arguments.text(parameter.name) else { return nil }
            return entry.labelKind(referredToBy: parameter, text).map { (text, $0) }
        }
    }
}

extension ActionEntry {
    /// Returns the kind of object, such as a message, that a parameter's label must identify; nil if the parameter's
    /// value is not a label.
    func labelKind(referredToBy parameter: Parameter, _ text: String = "") -> LabelKind? {
        // `start` and `end` are the ends of the message list, not labels.
        if verb == "scroll", text == "start" || text == "end" { return nil }
        if parameter.kind == .label { return actor == .network ? .fault : .message }
        return actor == .server && verb == "release" && parameter.name == "label" ? .hold : nil
    }

    /// Whether the action can be limited to some of the clients.
    var choosesClients: Bool {
        switch actor {
        case .user, .device: true
        case .server, .network: parameters.contains { $0.name == "client" || $0.name == "clients" }
        }
    }

    var fullName: String { "\(actor.rawValue).\(verb)" }
}
