import ScenarioModel
import SquallCore
import TemporalLogic

/// Reads the steps of a script.
struct StepReader {
    let values: ValueReader
    let roster: ClientRoster
    let labels: LabelTable
    let log: MistakeLog
    /// The default time limit, for a `wait` that does not specify one.
    let within: TimeSpan
    /// Whether the steps belong to a script. Other steps, such as those typed at a prompt, cannot wait.
    var isScript = true

    private var source: SourceText { values.source }

    func read(_ node: SourceNode) -> [Step] {
        guard !node.isEmpty else { return [] }
        guard let items = node.list else {
            let help = MissingSpace.help(forItems: node)
            log.add(node.mistake("'script' must be a list of steps, each with a '-'", help: help, in: source))
            return []
        }
        return items.enumerated().flatMap { number, item -> [Step] in
            guard !log.isFull else { return [] }
            let mistakes = log.diagnostics.count
            let steps = step(item, number: number)
            if log.diagnostics.count > mistakes, let label = Self.label(of: item) { labels.defineInvalid(label) }
            return steps
        }
    }

    /// Returns the label of a step; nil if the step has no label. The label may be next to the action, inside it, or in
    /// its parameters.
    private static func label(of node: SourceNode) -> String? {
        if let label = node["as"]?.scalar { return label }
        let inside = (node.members ?? []).lazy.map(\.value)
        return inside.compactMap(label).first
    }

    // MARK: - Single steps

    static let beside = ["as", "at", "within"]

    private func step(_ node: SourceNode, number: Int) -> [Step] {
        guard let members = node.members else {
            log.add(
                node.mistake(
                    "a step must be an action or a wait, not \(node.inWords)",
                    help: node.scalar.flatMap(ActionSynonym.help)
                        ?? (isScript
                            ? "'- user: { open: stukov }', '- network: drop', '- wait: 5s'" : "network: drop"),
                    in: source
                )
            )
            return []
        }
        let main = members.filter { !Self.beside.contains($0.name) }
        guard let doing = main.first else {
            log.add(
                node.mistake("this step has no action", help: "add user, device, server, network or wait", in: source)
            )
            return []
        }
        if case .act(let who) = kind(of: doing), doing.value.isEmpty,
            let action = main.dropFirst().first(where: { Registry.action(of: who.actor, $0.name) != nil })
        {
            let actor = who.actor.rawValue
            log.add(
                action.key.mistake(
                    "'\(action.name)' is beside '\(actor)', not below it",
                    help: "indent it by two more columns, or write '- \(actor): { \(action.name): … }'",
                    in: source
                )
            )
            return []
        }
        for other in main.dropFirst() {
            let isActor = kind(of: other) != nil
            log.add(
                other.key.mistake(
                    isActor
                        ? "a step has one action; give '\(other.name)' its own '-'"
                        : "'\(other.name.shortened)' is not a key of a step",
                    help: isActor ? nil : help(for: other, beside: doing),
                    in: source
                )
            )
        }
        guard let kind = kind(of: doing) else {
            log.add(unknown(doing))
            return []
        }
        let place = node["at"]
        let anchor = place.flatMap(self.anchor)
        let row = place == nil ? number : nil
        let names = NameReader(values: values, roster: roster, labels: labels, step: row)
        switch kind {
        case .wait:
            for name in ["as", "at"] {
                guard let member = members.first(where: { $0.name == name }) else { continue }
                log.add(member.key.mistake("'\(name)' is not allowed on a wait", in: source))
            }
            return wait(doing.value, beside: node["within"], names, node)
        case .act(let who):
            if let member = members.first(where: { $0.name == "within" }) {
                log.add(member.key.mistake("'within' is only allowed on a wait", in: source))
            }
            let reader = ActionReader(names: names, log: log, step: row)
            let stimuli = reader.read(doing.value, by: who, as: node["as"])
            guard place == nil || anchor != nil else { return [] }
            return stimuli.map { Step(.act($0), anchor: anchor, location: node.location(in: source)) }
        }
    }

    enum Kind {
        case wait
        case act(ActionReader.ActorReference)
    }

    func kind(of member: SourceNode.Member) -> Kind? {
        let name = member.name
        if name == "wait" { return .wait }
        if let actor = Actor(rawValue: name) {
            return .act(ActionReader.ActorReference(actor: actor, members: nil, node: member.key))
        }
        guard let dot = name.firstIndex(of: "."), let actor = Actor(rawValue: String(name[name.index(after: dot)...])),
            let members = roster.members(of: String(name[..<dot]))
        else { return nil }
        return .act(ActionReader.ActorReference(actor: actor, members: members, node: member.key))
    }

    private func unknown(_ member: SourceNode.Member) -> Diagnostic {
        let parts = member.name.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        if parts.count == 2, Actor(rawValue: String(parts[1])) != nil || parts[1] == "wait" {
            if parts[1] == "wait" {
                return member.key.mistake(
                    "'wait' takes no client prefix",
                    help: "wait: { \(parts[0]).connection.state: connected }",
                    in: source
                )
            }
            return member.key.mistake(
                about: parts[0],
                "unknown client '\(parts[0])'",
                help: roster.help(for: String(parts[0])),
                in: source
            )
        }
        let actors = Actor.allCases.filter { Registry.action(of: $0, member.name) != nil }
        let example = actors.first.map { actor in
            let step = "\(actor.rawValue): \(member.name)"
            return isScript ? "'- \(step)'" : step
        }
        return member.key.mistake(
            "unknown step '\(member.name.shortened)'",
            help: example ?? MissingSpace.help(forKey: member.name) ?? help(for: member.name),
            in: source
        )
    }

    /// Returns the help text for the unexpected key `other` next to the actor `doing`. The key may be an action of that
    /// actor that is not indented far enough.
    private func help(for other: SourceNode.Member, beside doing: SourceNode.Member) -> String? {
        if case .act(let who)? = kind(of: doing), doing.value.isEmpty,
            Registry.action(of: who.actor, other.name) != nil
        {
            return "indent it under '\(doing.name):'"
        }
        return help(for: other.name)
    }

    private func help(for name: String) -> String? {
        LanguageWord.synonyms[name] ?? ActionSynonym.help(for: name)
            ?? Suggestion.help(
                for: name,
                among: Actor.allCases.map(\.rawValue) + (isScript ? ["wait"] + Self.beside : ["as"])
            )
    }

    // MARK: - at

    /// Reads the value of `at:`; returns nil after reporting an error.
    private func anchor(_ node: SourceNode) -> Step.Anchor? {
        if isDuration(node) {
            return log.attempt { () throws(Diagnostic) in
                .time(.zero + (try values.length(node, called: "at")))
            }
        }
        var each = EachBinding()
        let names = NameReader(values: values, roster: roster, labels: labels, step: nil)
        let condition = ConditionReader(names: names, log: log).read(node, for: "at", each: &each)
        return expanded(condition, each, node).map { .event($0) }
    }

    private func isDuration(_ node: SourceNode) -> Bool {
        guard let text = node.scalar, let first = text.first else { return false }
        if node.plain == nil { return DurationText.parse(text) != nil }
        return first == "$" || first == "-" || first.isNumber
    }

    // MARK: - wait

    private func wait(_ node: SourceNode, beside: SourceNode?, _ names: NameReader, _ step: SourceNode) -> [Step] {
        let location = step.location(in: source)
        if isDuration(node) {
            if let beside { log.add(beside.mistake("'within' is not allowed on a pause", in: source)) }
            let span = log.attempt { () throws(Diagnostic) in try values.length(node, called: "wait") }
            return span.map { [Step(.pause($0), location: location)] } ?? []
        }
        if let inner = node["within"], beside != nil {
            log.add(inner.mistake("duplicate 'within'", in: source))
        }
        var within: TimeSpan? = self.within
        if let bound = beside ?? node["within"] {
            within = log.attempt { () throws(Diagnostic) in try values.positiveDuration(bound, called: "within") }
        }
        var each = EachBinding()
        let reader = ConditionReader(names: names, log: log)
        let condition: Condition?
        let next = node["next"]
        if let next {
            for other in node.members ?? [] where other.name != "next" && other.name != "within" {
                log.add(other.key.mistake("move '\(other.name)' under 'next'", in: source))
            }
            condition = reader.read(next, for: "next", each: &each)
        } else {
            condition = reader.read(node, for: "wait", options: ["within", "next"], each: &each)
        }
        guard let condition = expanded(condition, each, next ?? node), let within else { return [] }
        return [Step(.wait(condition, next: next != nil, within: within), location: location)]
    }

    /// Expands a group of clients in a condition into its members, because a running step can refer only to one client
    /// or to all.
    ///
    /// Returns nil after reporting an error.
    private func expanded(_ condition: Condition?, _ each: EachBinding, _ node: SourceNode) -> Condition? {
        guard var condition, let members = each.clients, members != roster.clients else { return condition }
        guard condition.event?.client != .each else {
            log.add(
                node.mistake(
                    "a step can wait for an event of one client or of all clients, not of a group",
                    help: "wait for a state, which works for groups",
                    in: source
                )
            )
            return nil
        }
        condition.state.levels = condition.state.levels.flatMap { level in
            guard level.observable.client == .each else { return [level] }
            return members.map { member in
                var own = level
                own.observable.client = .one(member)
                return own
            }
        }
        return condition
    }
}
