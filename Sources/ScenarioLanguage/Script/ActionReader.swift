import ChatWire
import FakeServer
import Faults
import ReferenceClient
import ScenarioModel
import SquallCore
import TemporalLogic

/// Reads what an actor does: `background`, `{ open: stukov }`, `{ restart: { down: 12s } }`, `{ send: hi, to: stukov
/// }`.
struct ActionReader {
    let names: NameReader
    let log: MistakeLog
    /// The step of the row; nil for one that an anchor takes out of it.
    let step: Int?

    private var values: ValueReader { names.values }
    private var source: SourceText { names.values.source }

    /// The actor as the step names it.
    struct Who {
        var actor: Actor
        /// The clients of the prefix; nil without one.
        var members: [ClientID]?
        var node: SourceNode
    }

    /// None after a mistake; several where a group means each of its members.
    func read(_ node: SourceNode, by who: Who, as label: SourceNode?) -> [Stimulus] {
        guard let written = written(node, by: who) else { return [] }
        guard let entry = entry(written.verb, of: who) else { return [] }
        var label = label
        var parameters = written.parameters
        if let place = parameters.firstIndex(where: { $0.name == "as" }) {
            let inner = parameters.remove(at: place)
            if label != nil { log.add(inner.key.mistake("'as' stands twice at this step", in: source)) }
            label = inner.value
        }
        guard var arguments = arguments(parameters, main: written.main, of: entry, written.verb, who) else { return [] }
        arguments.label = self.label(label, of: entry, who)
        noteUnwritten(entry, arguments, who)
        if let label, let name = arguments.label, let kind = entry.labelKind {
            let count = entry.verb == "post" ? arguments.integer("count").flatMap { $0 > 1 ? $0 : nil } : nil
            names.labels.define(label, name, kind, count: count, step: step)
        }
        return stimuli(entry, arguments, who, written)
    }

    // MARK: - What is written

    private struct Written {
        var verb: SourceNode
        /// What stands behind the verb, where it is no mapping of parameters.
        var main: SourceNode?
        var parameters: [SourceNode.Member]

        /// Where that client is named.
        func client(_ name: String) -> SourceNode {
            let values = parameters.filter { $0.name == "client" || $0.name == "clients" }.map(\.value)
            return values.flatMap { $0.list ?? [$0] }.first { $0.scalar == name } ?? verb
        }
    }

    private func written(_ node: SourceNode, by who: Who) -> Written? {
        switch node.kind {
        case .scalar(let text, _) where !text.isEmpty: return Written(verb: node, main: nil, parameters: [])
        case .scalar, .list:
            log.add(
                node.mistake(
                    "'\(who.actor.rawValue)' must be told what to do, not \(node.inWords)",
                    help: "'squall explain \(who.actor.rawValue)' lists what it can do",
                    in: source
                )
            )
            return nil
        case .mapping(let members):
            guard let first = members.first(where: { $0.name != "as" }) else {
                log.add(node.mistake("'\(who.actor.rawValue)' must be told what to do", in: source))
                return nil
            }
            let others = members.filter { $0.name != first.name }
            if let entry = Registry.action(of: who.actor, first.name), isParameters(first.value, of: entry) {
                return Written(verb: first.key, main: nil, parameters: (first.value.members ?? []) + others)
            }
            return Written(verb: first.key, main: first.value.isEmpty ? nil : first.value, parameters: others)
        }
    }

    /// A mapping behind a verb holds its parameters, unless the verb's main one takes any value and no name fits.
    private func isParameters(_ node: SourceNode, of entry: ActionEntry) -> Bool {
        guard let members = node.members else { return false }
        guard let main = entry.parameters.first(where: { $0.name == entry.main }), main.kind == .json else {
            return true
        }
        return members.contains { member in entry.parameters.contains { $0.name == member.name } }
    }

    private func entry(_ verb: SourceNode, of who: Who) -> ActionEntry? {
        let name = verb.scalar ?? ""
        let actor = who.actor
        if let entry = Registry.action(of: actor, name) { return entry }
        let known = Registry.actions(of: actor).map(\.verb)
        let elsewhere = Actor.allCases.filter { Registry.action(of: $0, name) != nil }.map(\.rawValue)
        // `confirm` is `confirm_delete`.
        let longer = known.filter { $0.split(separator: "_").contains(Substring(name)) }
        let near = Suggestion.nearest(to: name, among: known) ?? (longer.count == 1 ? longer.first : nil)
        var help = near.map { "did you mean '\($0)'?" }
        if help == nil, !elsewhere.isEmpty {
            help = "'\(name)' is what the \(elsewhere.joined(separator: " or the ")) does"
        }
        log.add(
            verb.mistake(
                "the \(actor.rawValue) cannot '\(name.shortened)'",
                help: help ?? "'squall explain \(actor.rawValue)' lists what it can do",
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
        _ who: Who
    ) -> Arguments? {
        var found: [(name: String, value: ArgumentValue)] = []
        var isWhole = true
        func take(_ node: SourceNode, _ parameter: Parameter) {
            guard !found.contains(where: { $0.name == parameter.name }) else {
                let isMain = main != nil && parameter.name == entry.main
                let others = entry.parameters.map(\.name).filter { $0 != parameter.name }
                let rest = others.joined(separator: ", ")
                let help = "'\(entry.verb): …' says '\(parameter.name)' already; it also has: \(rest)"
                log.add(
                    node.mistake(
                        "'\(parameter.name)' of '\(entry.verb)' stands twice",
                        help: isMain && !others.isEmpty ? help : nil,
                        in: source
                    )
                )
                isWhole = false
                return
            }
            let value = log.attempt { () throws(Diagnostic) in
                try values.argument(node, parameter.kind, called: parameter.name)
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
                let help = entry.parameters.isEmpty ? nil : "name what it is: \(Self.list(entry))"
                log.add(main.mistake("'\(entry.verb)' takes no value of its own", help: help, in: source))
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
            help = "'\(member.name)' stands beside '\(entry.actor.rawValue)', not in it"
        } else {
            help = Suggestion.nearest(to: member.name, among: entry.parameters.map(\.name))
                .map { "did you mean '\($0)'?" }
        }
        return member.key.mistake(
            "'\(entry.verb)' has no parameter '\(member.name.shortened)'",
            help: help ?? (entry.parameters.isEmpty ? "it has none" : "it has: \(Self.list(entry))"),
            in: source
        )
    }

    private static func list(_ entry: ActionEntry) -> String {
        entry.parameters.map(\.name).joined(separator: ", ")
    }

    // MARK: - Labels

    private func label(_ node: SourceNode?, of entry: ActionEntry, _ who: Who) -> String? {
        guard let node else { return nil }
        guard entry.takesLabel else {
            log.add(node.mistake("'\(entry.verb)' makes nothing that could be named", in: source))
            return nil
        }
        let name = log.attempt { () throws(Diagnostic) in try values.label(node, called: "as") }
        if let name, entry.labelKind == .message, Self.listEnds.contains(name) {
            log.add(
                node.mistake(
                    "a message cannot be called '\(name)': that is where a list can be scrolled to",
                    in: source
                )
            )
        }
        if let name { refuseShared(name, node, entry, who) }
        return name
    }

    /// What each of several clients makes would have one label, and all but the first could be named by nobody.
    private func refuseShared(_ name: String, _ node: SourceNode, _ entry: ActionEntry, _ who: Who) {
        guard entry.actor == .user, let kind = entry.labelKind else { return }
        let makers = who.members ?? names.roster.clients
        guard makers.count > 1, let first = makers.first else { return }
        let what = kind == .upload ? "a file" : "a message"
        log.add(
            node.mistake(
                "'\(name)' cannot name \(what) of each of \(makers.count) clients",
                help: "say it per client, '\(first).user: { \(entry.verb): … }', each with a label of its own",
                in: source
            )
        )
    }

    /// Where `scroll` goes besides messages.
    private static let listEnds = ["start", "end"]

    /// Arguments that are somebody else's `as:`.
    private func note(_ parameter: Parameter, _ node: SourceNode, _ entry: ActionEntry) {
        guard let text = node.scalar else { return }
        if parameter.kind == .label {
            // An end of the list is nobody's name.
            if entry.verb == "scroll", Self.listEnds.contains(text) { return }
            let kind = entry.actor == .network ? ActionEntry.LabelKind.fault : .message
            let instead = entry.verb == "scroll" ? "a list scrolls to 'start', to 'end' or to a message's label" : nil
            names.labels.use(node, text[...], kind, step: step, by: "'\(entry.verb)'", instead: instead)
        } else if entry.actor == .server, entry.verb == "release", parameter.name == "label" {
            names.labels.use(node, text[...], .hold, step: step, by: "'release'")
        }
    }

    /// What has a name although nobody gave it one: a fault its verb, a hold its frame or route, a phone without a
    /// network.
    private func noteUnwritten(_ entry: ActionEntry, _ arguments: Arguments, _ who: Who) {
        switch (entry.labelKind, arguments.label) {
        case (.fault?, nil): names.labels.defineUnwritten(entry.verb, .fault, step: step)
        case (.hold?, nil):
            guard let name = arguments.text("frame") ?? arguments.text("route") else { break }
            names.labels.defineUnwritten(name, .hold, step: step)
        default: break
        }
        guard entry.actor == .device else { return }
        if entry.verb == "handoff" { names.labels.defineUnwritten("handoff", .fault, step: step) }
        if entry.verb == "network" {
            for client in who.members ?? names.roster.clients {
                let name = client == .only ? "offline" : "offline-\(client)"
                names.labels.defineUnwritten(name, .fault, step: step)
            }
        }
    }

    // MARK: - Stimuli

    private func stimuli(
        _ entry: ActionEntry,
        _ arguments: Arguments,
        _ who: Who,
        _ written: Written
    ) -> [Stimulus] {
        switch entry.actor {
        case .user, .device:
            let command = ClientCommand(actor: entry.actor, verb: entry.verb, arguments: arguments)
            return made(command.map { .client($0) }, entry, arguments, who.members ?? [], written)
        case .server: return server(entry, arguments, who, written)
        case .network:
            guard let clients = clients(of: arguments, who, written) else { return [] }
            let deed: Stimulus.Operation?
            switch entry.verb {
            case "heal": deed = arguments.text("label").map { .heal(label: $0) }
            case "heal_all": deed = .healAll
            case "replay_login": deed = .replayLogin
            default: deed = Fault(verb: entry.verb, arguments).map { .begin($0) }
            }
            return made(deed, entry, arguments, clients, written)
        }
    }

    private func made(
        _ deed: Stimulus.Operation?,
        _ entry: ActionEntry,
        _ arguments: Arguments,
        _ clients: [ClientID],
        _ written: Written
    ) -> [Stimulus] {
        guard let deed else {
            log.add(
                written.verb.mistake(
                    "'\(entry.verb)' cannot be done with these values",
                    help: "'squall explain \(entry.verb)' tells what it takes",
                    in: source
                )
            )
            return []
        }
        return [
            Stimulus(actor: entry.actor, verb: entry.verb, deed: deed, clients: clients, label: arguments.label)
        ]
    }

    /// The server's actions are for one client or for all: for a group there is one for each.
    private func server(
        _ entry: ActionEntry,
        _ arguments: Arguments,
        _ who: Who,
        _ written: Written
    ) -> [Stimulus] {
        guard entry.parameters.contains(where: { $0.name == "client" }) else {
            if who.members != nil {
                log.add(who.node.mistake("'\(entry.verb)' is for everybody; leave the prefix out", in: source))
                return []
            }
            return made(ServerAction(verb: entry.verb, arguments).map { .server($0) }, entry, arguments, [], written)
        }
        guard let clients = clients(of: arguments, who, written) else { return [] }
        guard !clients.isEmpty else {
            return made(ServerAction(verb: entry.verb, arguments).map { .server($0) }, entry, arguments, [], written)
        }
        return clients.flatMap { client in
            let others = arguments.values.filter { $0.name != "client" }
            let own = Arguments(others + [("client", .text(client.name))], label: arguments.label)
            return made(ServerAction(verb: entry.verb, own).map { .server($0) }, entry, own, [client], written)
        }
    }

    /// Whom `client:`, `clients:` or the prefix means; empty for everybody, nil after a mistake.
    private func clients(of arguments: Arguments, _ who: Who, _ written: Written) -> [ClientID]? {
        let named = arguments.text("client").map { [$0] } ?? arguments.texts("clients") ?? []
        if !named.isEmpty, who.members != nil {
            log.add(who.node.mistake("say whom once: by the prefix, or by 'client'", in: source))
            return nil
        }
        var clients: [ClientID] = []
        for name in named {
            guard let members = names.roster.members(of: name) else {
                log.add(
                    written.client(name).mistake(
                        "there is no client '\(name.shortened)'",
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
