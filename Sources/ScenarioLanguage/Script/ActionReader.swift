import ChatWire
import FakeServer
import ReferenceClient
import ScenarioModel
import SquallCore
import TemporalLogic

/// Reads an actor's action, such as `background`, `{ open: stukov }` or `{ send: hi, to: stukov }`.
struct ActionReader {
    let names: NameReader
    let log: MistakeLog
    /// The step's number in the script; nil for a step with `at:`, which does not run in order.
    let step: Int?

    private var values: ValueReader { names.values }
    private var source: SourceText { names.values.source }

    /// The actor of a step, with the clients in the step's prefix.
    struct ActorReference {
        var actor: Actor
        /// The clients in the prefix; nil if there is no prefix.
        var members: [ClientID]?
        var node: SourceNode
    }

    /// An action with its arguments and the clients that it affects; an empty list means all clients.
    struct Action {
        var entry: ActionEntry
        var arguments: Arguments
        var clients: [ClientID]
    }

    /// Reads an action performed by `who`; returns its stimuli, or an empty array after reporting an error.
    func read(_ node: SourceNode, by who: ActorReference, as label: SourceNode?) -> [Stimulus] {
        guard let (action, written) = action(node, by: who, as: label) else { return [] }
        return stimuli(action, written)
    }

    /// Reads an action performed by `who` without creating its stimuli; returns nil after reporting an error.
    func action(_ node: SourceNode, by who: ActorReference, as label: SourceNode?) -> Action? {
        let read: Reading? = action(node, by: who, as: label)
        return read?.action
    }

    private typealias Reading = (action: Action, written: ParsedAction)

    private func action(_ node: SourceNode, by who: ActorReference, as label: SourceNode?) -> Reading? {
        guard let written = written(node, by: who) else { return nil }
        guard let entry = entry(written.verb, of: who) else { return nil }
        var label = label
        var parameters = written.parameters
        if let index = parameters.firstIndex(where: { $0.name == "as" }) {
            let inner = parameters.remove(at: index)
            if label != nil { log.add(inner.key.mistake("duplicate 'as'", in: source)) }
            label = inner.value
        }
        guard var arguments = arguments(parameters, main: written.main, of: entry, written.verb, who) else {
            return nil
        }
        arguments.label = self.label(label, of: entry, who)
        defineDefaultLabels(entry, arguments, who)
        if let label, let name = arguments.label, let kind = entry.labelKind {
            let count = entry.verb == "post" ? arguments.integer("count").flatMap { $0 > 1 ? $0 : nil } : nil
            names.labels.define(label, name, kind, count: count, step: step)
        }
        guard let clients = affectedClients(entry, arguments, who, written) else { return nil }
        return (Action(entry: entry, arguments: arguments, clients: clients), written)
    }

    // MARK: - Parts of an action

    private struct ParsedAction {
        var verb: SourceNode
        /// The value after the verb; nil if there is none or if it is a mapping of parameters.
        var main: SourceNode?
        var parameters: [SourceNode.Member]

        /// Returns the node that names the client, to be used as the location of an error; the verb's node if there is
        /// none.
        func client(_ name: String) -> SourceNode {
            let values = parameters.filter { $0.name == "client" || $0.name == "clients" }.map(\.value)
            return values.flatMap { $0.list ?? [$0] }.first { $0.scalar == name } ?? verb
        }
    }

    private func written(_ node: SourceNode, by who: ActorReference) -> ParsedAction? {
        switch node.kind {
        case .scalar(let text, _) where !text.isEmpty: return ParsedAction(verb: node, main: nil, parameters: [])
        case .scalar, .list:
            log.add(
                node.mistake(
                    node.isEmpty
                        ? "'\(who.actor.rawValue)' has no action"
                        : "'\(who.actor.rawValue)' takes an action, not \(node.inWords)",
                    help: node.isEmpty
                        ? """
                        is the next line indented too little? 'squall explain \(who.actor.rawValue)' lists the \
                        actions
                        """
                        : "'squall explain \(who.actor.rawValue)' lists the actions",
                    in: source
                )
            )
            return nil
        case .mapping(let members):
            guard let first = members.first(where: { $0.name != "as" }) else {
                log.add(node.mistake("'\(who.actor.rawValue)' has no action", in: source))
                return nil
            }
            let others = members.filter { $0.name != first.name }
            if let entry = Registry.action(of: who.actor, first.name), isParameters(first.value, of: entry) {
                return ParsedAction(verb: first.key, main: nil, parameters: (first.value.members ?? []) + others)
            }
            return ParsedAction(verb: first.key, main: first.value.isEmpty ? nil : first.value, parameters: others)
        }
    }

    /// Returns whether the mapping after a verb contains the action's parameters. If the main parameter accepts any
    /// JSON and no key names a parameter, the mapping is instead the value of the main parameter.
    private func isParameters(_ node: SourceNode, of entry: ActionEntry) -> Bool {
        guard let members = node.members else { return false }
        guard let main = entry.parameters.first(where: { $0.name == entry.main }), main.kind == .json else {
            return true
        }
        return members.contains { member in entry.parameters.contains { $0.name == member.name } }
    }

    private func entry(_ verb: SourceNode, of who: ActorReference) -> ActionEntry? {
        let (name, actor) = (verb.scalar ?? "", who.actor)
        if let entry = Registry.action(of: actor, name) { return entry }
        let known = Registry.actions(of: actor).map(\.verb)
        let elsewhere = Actor.allCases.filter { Registry.action(of: $0, name) != nil }.map(\.rawValue)
        // A longer name that contains the word is suggested as well: for example, `confirm_delete` for `confirm`.
        let longer = known.filter { $0.split(separator: "_").contains(Substring(name)) }
        let near = Suggestion.nearest(to: name, among: known) ?? (longer.count == 1 ? longer.first : nil)
        var help = near.map { "did you mean '\($0)'?" } ?? ActionSynonym.help(for: name)
        if help == nil, !elsewhere.isEmpty {
            help = "'\(name)' is an action of the \(elsewhere.joined(separator: " and the "))"
        }
        log.add(
            verb.mistake(
                "unknown \(actor.rawValue) action '\(name.shortened)'",
                help: help ?? "'squall explain \(actor.rawValue)' lists the actions",
                in: source
            )
        )
        return nil
    }

    // MARK: - Arguments

    private func arguments(
        _ members: [SourceNode.Member],
        main: SourceNode?,
        of entry: ActionEntry,
        _ verb: SourceNode,
        _ who: ActorReference
    ) -> Arguments? {
        var found: [(name: String, value: ArgumentValue)] = []
        var isWhole = true
        func take(_ node: SourceNode, _ parameter: Parameter) {
            guard !found.contains(where: { $0.name == parameter.name }) else {
                let isMain = main != nil && parameter.name == entry.main
                let others = entry.parameters.map(\.name).filter { $0 != parameter.name }
                let rest = others.joined(separator: ", ")
                let help = "'\(entry.verb): …' already sets '\(parameter.name)'; the other parameters are: \(rest)"
                log.add(
                    node.mistake(
                        "duplicate '\(parameter.name)' of '\(entry.verb)'",
                        help: isMain && !others.isEmpty ? help : nil,
                        in: source
                    )
                )
                isWhole = false
                return
            }
            let value = log.attempt { () throws(Diagnostic) in
                do throws(Diagnostic) {
                    return try values.argument(node, parameter.kind, called: parameter.name)
                } catch {
                    // If the number was written with a unit, the help text gives the parameter's meaning, which states
                    // the expected unit.
                    var mistake = error
                    if case .integer = parameter.kind, node.scalar?.first?.isNumber == true,
                        node.scalar?.last?.isLetter == true
                    {
                        mistake.help = mistake.help ?? "'\(parameter.name)': \(parameter.meaning.asPhrase)"
                    }
                    throw mistake
                }
            }
            guard let value else {
                isWhole = false
                return
            }
            note(parameter, node, entry)
            found.append((parameter.name, value))
        }
        if let main {
            if let parameter = entry.parameters.first(where: { $0.name == entry.main }) {
                take(main, parameter)
            } else {
                let help = entry.parameters.isEmpty ? nil : "name the parameter: \(Self.list(entry))"
                log.add(main.mistake("'\(entry.verb)' takes no value without a name", help: help, in: source))
                isWhole = false
            }
        }
        for member in members {
            guard let parameter = entry.parameters.first(where: { $0.name == member.name }) else {
                log.add(unknown(member, of: entry))
                isWhole = false
                continue
            }
            take(member.value, parameter)
        }
        for parameter in entry.parameters where parameter.required && isWhole {
            let isInPrefix = parameter.name == "client" && who.members != nil
            guard !isInPrefix, !found.contains(where: { $0.name == parameter.name }) else { continue }
            log.add(
                verb.mistake(
                    "'\(entry.verb)' needs '\(parameter.name)': \(parameter.meaning.asPhrase)",
                    help: Explanation.example(entry),
                    in: source
                )
            )
            isWhole = false
        }
        return isWhole ? Arguments(found) : nil
    }

    private func unknown(_ member: SourceNode.Member, of entry: ActionEntry) -> Diagnostic {
        var help: String?
        if ["at", "within", "wait", "covers"].contains(member.name) {
            help = "move '\(member.name)' beside '\(entry.actor.rawValue)'"
        } else {
            help = Suggestion.nearest(to: member.name, among: entry.parameters.map(\.name))
                .map { "did you mean '\($0)'?" }
        }
        return member.key.mistake(
            "'\(entry.verb)' has no parameter '\(member.name.shortened)'",
            help: help ?? (entry.parameters.isEmpty ? "it has none" : "its parameters are: \(Self.list(entry))"),
            in: source
        )
    }

    private static func list(_ entry: ActionEntry) -> String {
        entry.parameters.map(\.name).joined(separator: ", ")
    }

    // MARK: - Labels

    private func label(_ node: SourceNode?, of entry: ActionEntry, _ who: ActorReference) -> String? {
        guard let node else { return nil }
        guard entry.takesLabel else {
            log.add(node.mistake("'\(entry.verb)' creates nothing, so 'as' is not allowed here", in: source))
            return nil
        }
        let name = log.attempt { () throws(Diagnostic) in try values.label(node, called: "as") }
        if let name, entry.labelKind == .message, Self.listEnds.contains(name) {
            log.add(
                node.mistake(
                    "a message cannot be labelled '\(name)', which is a target of 'scroll'",
                    in: source
                )
            )
        }
        if let name { rejectSharedLabel(name, node, entry, who) }
        return name
    }

    /// Reports an error if several clients would create an item with the label `name`, because the label could refer
    /// only to the first of these items.
    private func rejectSharedLabel(_ name: String, _ node: SourceNode, _ entry: ActionEntry, _ who: ActorReference) {
        guard entry.actor == .user, let kind = entry.labelKind else { return }
        let makers = who.members ?? names.roster.clients
        guard makers.count > 1, let first = makers.first else { return }
        let what = kind == .upload ? "a file" : "a message"
        log.add(
            node.mistake(
                "'\(name)' would label \(what) of each of \(makers.count) clients",
                help: "write one step per client, '\(first).user: { \(entry.verb): … }', each with its own label",
                in: source
            )
        )
    }

    /// The targets of `scroll` that are not messages: the ends of the list.
    private static let listEnds = ["start", "end"]

    /// Records that the argument in `node` uses a label, if the parameter refers to one.
    private func note(_ parameter: Parameter, _ node: SourceNode, _ entry: ActionEntry) {
        guard let text = node.scalar else { return }
        if parameter.kind == .label {
            // In `scroll`, `start` and `end` refer to the ends of the list, not to labels.
            if entry.verb == "scroll", Self.listEnds.contains(text) { return }
            let kind = entry.actor == .network ? ActionEntry.LabelKind.fault : .message
            let instead = entry.verb == "scroll" ? "'scroll' takes 'start', 'end' or a message's label" : nil
            names.labels.use(node, text[...], kind, step: step, by: "'\(entry.verb)'", instead: instead)
        } else if entry.actor == .server, entry.verb == "release", parameter.name == "label" {
            names.labels.use(node, text[...], .hold, step: step, by: "'release'")
        }
    }

    /// Defines default labels. Without `as:`, a fault is labelled with its verb and a `hold` (which retains server
    /// replies until `release`) with its frame or route; a device's network faults are `offline` or `handoff`.
    private func defineDefaultLabels(_ entry: ActionEntry, _ arguments: Arguments, _ who: ActorReference) {
        switch (entry.labelKind, arguments.label) {
        case (.fault?, nil): names.labels.defineDefault(entry.verb, .fault, step: step)
        case (.hold?, nil):
            guard let name = arguments.text("frame") ?? arguments.text("route") else { break }
            names.labels.defineDefault(name, .hold, step: step)
        default: break
        }
        guard entry.actor == .device else { return }
        if entry.verb == "handoff" { names.labels.defineDefault("handoff", .fault, step: step) }
        if entry.verb == "network" {
            for client in who.members ?? names.roster.clients {
                let name = client == .only ? "offline" : "offline-\(client)"
                names.labels.defineDefault(name, .fault, step: step)
            }
        }
    }

    // MARK: - Stimuli

    private func stimuli(_ action: Action, _ written: ParsedAction) -> [Stimulus] {
        let entry = action.entry
        do throws(Stimulus.ArgumentError) {
            return try Stimulus.make(entry, action.arguments, clients: action.clients)
        } catch {
            switch error {
            case .argument(let argumentError): log.add(self.argumentError(argumentError, entry, written))
            case .values:
                log.add(
                    written.verb.mistake(
                        "'\(entry.verb)' does not accept these values",
                        help: "'squall explain \(entry.verb)' lists its parameters",
                        in: source
                    )
                )
            }
            return []
        }
    }

    /// Returns the clients that an action affects: an empty array for all clients, nil after reporting an error.
    private func affectedClients(
        _ entry: ActionEntry,
        _ arguments: Arguments,
        _ who: ActorReference,
        _ written: ParsedAction
    ) -> [ClientID]? {
        switch entry.actor {
        case .user, .device: return who.members ?? []
        case .network: return clients(of: arguments, who, written)
        case .server:
            guard !entry.parameters.contains(where: { $0.name == "client" }) else {
                return clients(of: arguments, who, written)
            }
            guard who.members != nil else { return [] }
            log.add(who.node.mistake("'\(entry.verb)' affects all clients; remove the prefix", in: source))
            return nil
        }
    }

    /// Creates the error for an argument of the right kind whose value the action does not accept.
    private func argumentError(_ error: InvalidArgument, _ entry: ActionEntry, _ written: ParsedAction) -> Diagnostic {
        let node = written.parameters.first { $0.name == error.name }?.value
        let given = error.value.map { ", not \($0.inFile)" } ?? ""
        return (node ?? written.main ?? written.verb).mistake(
            "'\(error.name)' of '\(entry.verb)' must be \(error.range)\(given)",
            in: source
        )
    }

    /// Returns the clients in `client:`, `clients:` or the prefix: empty for all clients, nil after reporting an error.
    private func clients(of arguments: Arguments, _ who: ActorReference, _ written: ParsedAction) -> [ClientID]? {
        let named = arguments.text("client").map { [$0] } ?? arguments.texts("clients") ?? []
        if !named.isEmpty, who.members != nil {
            log.add(who.node.mistake("name the client either in the prefix or in 'client', not both", in: source))
            return nil
        }
        var clients: [ClientID] = []
        for name in named {
            guard let members = names.roster.members(of: name) else {
                log.add(
                    written.client(name).mistake(
                        "unknown client '\(name.shortened)'",
                        help: Suggestion.help(for: name, among: names.roster.names),
                        in: source
                    )
                )
                return nil
            }
            clients += members.filter { !clients.contains($0) }
        }
        return named.isEmpty ? who.members ?? [] : clients
    }
}
