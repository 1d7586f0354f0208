import ScenarioModel
import SquallCore
import TemporalLogic

/// The observable or event that a name in a file refers to.
enum ResolvedName {
    case observable(ObservableReference, RegistryEntry)
    /// An event pattern with its time offset, and all registry entries that match it.
    case event(EventPattern, [RegistryEntry], offset: TimeSpan)
}

/// The group of clients for which an expectation or step is repeated, once per client. All names in the expectation or
/// step must refer to the same group.
struct EachBinding {
    private(set) var clients: [ClientID]?

    /// Binds the clients that a name refers to; returns false if an earlier name refers to different clients.
    mutating func join(_ members: [ClientID]) -> Bool {
        guard let clients else {
            self.clients = members
            return true
        }
        return clients == members
    }
}

/// Resolves names against the registry, the clients and the labels.
struct NameReader {
    let values: ValueReader
    let roster: ClientRoster
    let labels: LabelTable
    /// The number of the step that contains the names; nil if the order of the steps does not matter.
    var step: Int?

    private var source: SourceText { values.source }

    /// Resolves a name. `[*]` becomes ``KeySelector/every``, which the caller changes to ``KeySelector/any`` for the
    /// predicate `any`.
    func read(_ node: SourceNode, each: inout EachBinding) throws(Diagnostic) -> ResolvedName {
        let text = try NameText.parse(node, in: source)
        let (who, name) = split(text.path)
        if let entry = Registry.observable(named: name) {
            return try observable(entry, text, who, node, &each)
        }
        let entries = events(name, of: who)
        guard !entries.isEmpty else { throw unknown(text, who, name, node) }
        return try event(entries, text, who, node, &each)
    }

    /// Resolves a name that must refer to an observable.
    func observable(
        _ node: SourceNode,
        for word: String,
        each: inout EachBinding
    ) throws(Diagnostic) -> (ObservableReference, RegistryEntry) {
        switch try read(node, each: &each) {
        case .observable(let reference, let entry): return (reference, entry)
        case .event(let pattern, _, _):
            throw node.mistake("'\(word)' takes an observable, but '\(pattern.name)' is an event", in: source)
        }
    }

    // MARK: - Clients

    private enum Who {
        case unspecified
        case named(Substring, [ClientID])
    }

    private func split(_ path: Substring) -> (Who, String) {
        if let dot = path.firstIndex(of: "."), let members = roster.members(of: String(path[..<dot])),
            !(roster.isSingle && members == [.only])
        {
            return (.named(path[..<dot], members), String(path[path.index(after: dot)...]))
        }
        return (.unspecified, String(path))
    }

    private func selector(
        _ who: Who,
        isClients: Bool,
        _ node: SourceNode,
        _ each: inout EachBinding
    ) throws(Diagnostic) -> ClientSelector? {
        let members: [ClientID]
        switch who {
        case .unspecified:
            guard isClients else { return nil }
            members = roster.clients
        case .named(_, let clients): members = clients
        }
        if members.count == 1, let client = members.first { return .one(client) }
        guard each.join(members) else {
            throw node.mistake(
                "an expectation can refer to only one group of clients",
                help: "give all names the same prefix, or the prefix of a single client",
                in: source
            )
        }
        return .each
    }

    // MARK: - Observables and events

    private func observable(
        _ entry: RegistryEntry,
        _ text: NameText,
        _ who: Who,
        _ node: SourceNode,
        _ each: inout EachBinding
    ) throws(Diagnostic) -> ResolvedName {
        guard text.ordinal == nil, text.offset == nil else {
            throw node.mistake(
                "'\(entry.name)' is an observable; only events take '#' and '+'",
                in: source
            )
        }
        var key = KeySelector.none
        switch (entry.key, text.key) {
        case (nil, nil): break
        case (nil, let given?):
            throw node.mistake(about: given, "'\(entry.name)' has no key", help: "write '\(entry.name)'", in: source)
        case (let kind?, nil):
            throw node.mistake(
                "'\(entry.name)' needs its \(kind) in brackets",
                help: "write \"\(entry.name)[…]\", or \"\(entry.name)[*]\" with 'each' or 'any'",
                in: source
            )
        case (_?, "*"?): key = .every
        case (let kind?, let given?):
            key = .one(String(given))
            note(given, kind, node, by: "'\(entry.name)'")
        }
        let client = try selector(who, isClients: true, node, &each) ?? .any
        return .observable(ObservableReference(entry.name, key: key, of: client), entry)
    }

    /// Returns the events that a name matches. After a client's prefix (`who`), `connected` means `client.connected`.
    private func events(_ name: String, of who: Who) -> [RegistryEntry] {
        if case .named = who {
            let own = Registry.events(named: "client.\(name)")
            if !own.isEmpty { return own }
        }
        return Registry.events(named: name)
    }

    private func event(
        _ entries: [RegistryEntry],
        _ text: NameText,
        _ who: Who,
        _ node: SourceNode,
        _ each: inout EachBinding
    ) throws(Diagnostic) -> ResolvedName {
        let (_, path) = split(text.path)
        let isShort = isNamed(who) && !Registry.events(named: "client.\(path)").isEmpty
        let name = isShort ? "client.\(path)" : path
        var key: String?
        if let given = text.key, given != "*" {
            guard let kind = entries.lazy.compactMap(\.key).first else {
                throw node.mistake(about: given, "'\(name)' has no key", help: "write '\(name)'", in: source)
            }
            key = String(given)
            note(given, kind, node, by: "'\(name)'")
        }
        let isClients = !roster.isSingle && ["client", "user", "device"].contains(name.prefix { $0 != "." })
        let client = try selector(who, isClients: isClients, node, &each) ?? .any
        let pattern = EventPattern(name, key: key, of: client, ordinal: text.ordinal)
        return .event(pattern, entries, offset: try offset(text, node))
    }

    private func isNamed(_ who: Who) -> Bool {
        if case .named = who { true } else { false }
    }

    private func offset(_ text: NameText, _ node: SourceNode) throws(Diagnostic) -> TimeSpan {
        guard let offset = text.offset else { return .zero }
        let part = SourceNode(kind: .scalar(String(offset), quoted: false), line: node.line, column: node.column)
        do throws(Diagnostic) {
            return try values.length(part, called: "offset")
        } catch {
            throw node.mistake(about: offset, error.message, help: error.help, in: source)
        }
    }

    private func note(_ key: Substring, _ kind: String, _ node: SourceNode, by word: String) {
        switch kind {
        case "message": labels.use(node, key, .message, step: step, by: word)
        case "upload": labels.use(node, key, .upload, step: step, by: word)
        case "label", "fault": labels.use(node, key, .fault, step: step, by: word)
        case "hold": labels.use(node, key, .hold, step: step, by: word)
        case "rule": labels.use(node, key, .rule, step: step, by: word)
        case "conversation", "user": labels.useOther(node, key, kind)
        default: break
        }
    }

    private func isKnown(_ name: String) -> Bool {
        Registry.observable(named: name) != nil || !Registry.events(named: name).isEmpty
            || !Registry.events(named: "client.\(name)").isEmpty
    }

    private func unknown(_ text: NameText, _ who: Who, _ name: String, _ node: SourceNode) -> Diagnostic {
        var known = Registry.observables.map(\.name) + Registry.events.map(\.name)
        if case .named(let client, _) = who {
            known += Registry.events.map(\.name).filter { $0.hasPrefix("client.") }.map { String($0.dropFirst(7)) }
            return node.mistake(
                about: text.path,
                "'\(client)' has no observable or event '\(name)'",
                help: Suggestion.help(for: name, among: known).map { $0.replacing("mean '", with: "mean '\(client).") }
                    ?? "'squall explain observables' and 'squall explain events' list them",
                in: source
            )
        }
        if let dot = text.path.firstIndex(of: "."), isKnown(String(text.path[text.path.index(after: dot)...])),
            case let first = text.path[..<dot], first != "client", Actor(rawValue: String(first)) == nil
        {
            return node.mistake(
                about: first,
                "unknown client '\(first)'",
                help: roster.help(for: String(first)),
                in: source
            )
        }
        return node.mistake(
            about: text.path,
            "unknown observable or event '\(name)'",
            help: synonymHelp(for: name, among: known) ?? Suggestion.help(for: name, among: known)
                ?? "'squall explain observables' and 'squall explain events' list them",
            in: source
        )
    }

    /// Suggests a known name that differs from `name` only in a synonym at its end, such as `failure` instead of
    /// `error`; returns nil if there is none.
    private func synonymHelp(for name: String, among known: [String]) -> String? {
        guard let dot = name.lastIndex(of: ".") else { return nil }
        let words = [["state", "status"], ["error", "failure"]]
        let last = String(name[name.index(after: dot)...])
        let others = words.filter { $0.contains(last) }.flatMap(\.self).map { "\(name[...dot])\($0)" }
        return others.first(where: known.contains).map { "did you mean '\($0)'?" }
    }
}
