import ScenarioModel
package import SquallCore

/// One step of a draft.
package struct Move: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        case act(ActionEntry, Arguments)
        case rest(TimeSpan)
        /// A `wait` for a condition, as YAML, and its `within`; only drafts that were read from a file have it.
        case wait(String, within: String?)
    }

    package var kind: Kind
    /// The clients that the action concerns; empty for all.
    package var clients: [ClientID]
    /// What the step's `at:` says, as YAML; only drafts that were read from a file have it.
    package var anchor: String?

    package init(_ kind: Kind, clients: [ClientID] = [], anchor: String? = nil) {
        self.kind = kind
        self.clients = clients
        self.anchor = anchor
    }

    /// An action of the registry; nil if there is no such action.
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

    /// The action as a scenario names it (`user.open`); nil for a move that is not an action.
    package var name: String? {
        action.map { "\($0.entry.actor.rawValue).\($0.entry.verb)" }
    }

    /// Whether it is this action.
    package func `is`(_ actor: Actor, _ verb: String) -> Bool {
        guard let entry = action?.entry else { return false }
        return entry.actor == actor && entry.verb == verb
    }
}

extension Move {
    /// The labels that the action defines, with what they label.
    var defined: [(label: String, kind: ActionEntry.LabelKind)] {
        guard let (entry, arguments) = action, let kind = entry.labelKind else { return [] }
        if let label = arguments.label {
            if entry.verb == "post", let count = arguments.integer("count"), count > 1 {
                return (1...min(count, Self.mostLabels)).map { ("\(label)-\($0)", kind) }
            }
            return [(label, kind)]
        }
        switch kind {
        case .fault: return [(entry.verb, kind)]
        case .hold: return (arguments.text("frame") ?? arguments.text("route")).map { [($0, kind)] } ?? []
        case .message, .upload, .rule: return []
        }
    }

    /// The labels that the action defines, including the common label of several messages.
    var allDefined: [String] { defined.map(\.label) + (action?.arguments.label.map { [$0] } ?? []) }

    /// Labels of one post that moves may refer to.
    private static let mostLabels: Int64 = 200

    /// The labels that the action refers to, with what they must label.
    var used: [(label: String, kind: ActionEntry.LabelKind)] {
        guard let (entry, arguments) = action else { return [] }
        return entry.parameters.compactMap { parameter in
            guard let text = arguments.text(parameter.name) else { return nil }
            return entry.labelKind(referredToBy: parameter, text).map { (text, $0) }
        }
    }
}

extension ActionEntry {
    /// The label in a parameter's value, with the kind of thing it must name; nil if the value is not a label.
    func labelKind(referredToBy parameter: Parameter, _ text: String = "") -> LabelKind? {
        // An end of the list is not a label.
        if verb == "scroll", text == "start" || text == "end" { return nil }
        if parameter.kind == .label { return actor == .network ? .fault : .message }
        return actor == .server && verb == "release" && parameter.name == "label" ? .hold : nil
    }

    /// Whether the action can be addressed to one of several clients.
    var choosesClients: Bool {
        switch actor {
        case .user, .device: true
        case .server, .network: parameters.contains { $0.name == "client" || $0.name == "clients" }
        }
    }

    var fullName: String { "\(actor.rawValue).\(verb)" }
}
