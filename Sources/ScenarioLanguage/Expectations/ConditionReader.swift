import ScenarioModel
import SquallCore
import TemporalLogic

/// Reads what a wait, an anchor or an expectation asks for: an event, or a mapping of observables and events.
struct ConditionReader {
    let names: NameReader
    let log: MistakeLog

    private var predicates: PredicateReader { PredicateReader(names: names) }
    private var source: SourceText { names.values.source }

    /// Nil after a mistake.
    ///
    /// `word` is whose condition it is, for messages; `options` are keys of the mapping that are not the condition's.
    func read(
        _ node: SourceNode,
        for word: String,
        options: [String] = [],
        each: inout EachBinding
    ) -> Condition? {
        switch node.kind {
        case .scalar: return event(node, for: word, each: &each)
        case .list:
            log.add(
                node.mistake(
                    "'\(word)' takes one condition, not a list",
                    help: "what must hold together stands in one mapping; what must follow each other, in 'in_order'",
                    in: source
                )
            )
            return nil
        case .mapping(let members):
            let parts = members.filter { !options.contains($0.name) }
            guard !parts.isEmpty else {
                log.add(
                    node.mistake(
                        "'\(word)' names nothing to look for",
                        help: "name an event, 'server.stopped', or an observable, '{ connection.state: connected }'",
                        in: source
                    )
                )
                return nil
            }
            return together(parts, for: word, options: options, each: &each)
        }
    }

    /// The same, where only a state will do, one that holds or does not at every instant.
    func state(
        _ node: SourceNode,
        for word: String,
        options: [String] = [],
        each: inout EachBinding
    ) -> StateCondition? {
        guard let condition = read(node, for: word, options: options, each: &each) else { return nil }
        guard condition.event == nil else {
            log.add(
                node.mistake(
                    "'\(word)' asks for a state; an event holds at no length of time",
                    help: "name observables: { connection.state: connected }",
                    in: source
                )
            )
            return nil
        }
        return condition.state
    }

    private func event(_ node: SourceNode, for word: String, each: inout EachBinding) -> Condition? {
        guard !node.isEmpty else {
            log.add(node.mistake("'\(word)' names nothing to look for", in: source))
            return nil
        }
        let meant = log.attempt { () throws(Diagnostic) in try names.read(node, each: &each) }
        switch meant {
        case nil: return nil
        case .event(let pattern, _, let offset)?: return .event(pattern, offset: offset)
        case .observable(_, let entry)?:
            log.add(
                node.mistake(
                    "'\(entry.name)' is an observable: say what it shall be",
                    help: "{ \(node.scalar ?? entry.name): … }",
                    in: source
                )
            )
            return nil
        }
    }

    private func together(
        _ members: [SourceNode.Member],
        for word: String,
        options: [String],
        each: inout EachBinding
    ) -> Condition? {
        var condition = Condition(event: nil)
        var isWhole = true
        for member in members {
            let meant = log.attempt { () throws(Diagnostic) in
                do throws(Diagnostic) {
                    return try names.read(member.key, each: &each)
                } catch {
                    throw withOptions(error, member, options)
                }
            }
            switch meant {
            case nil: isWhole = false
            case .observable(let reference, let entry)?:
                if let level = level(reference, entry, member, &each) {
                    condition.state.levels.append(level)
                } else {
                    isWhole = false
                }
            case .event(var pattern, let entries, let offset)?:
                guard condition.event == nil else {
                    log.add(
                        member.key.mistake(
                            "two events never happen as one",
                            help: "'in_order' and 'leads_to' speak of several",
                            in: source
                        )
                    )
                    isWhole = false
                    continue
                }
                guard let fields = fields(of: entries, pattern.name, member.value, &each) else {
                    isWhole = false
                    continue
                }
                pattern.fields = fields
                condition = Condition(event: pattern, state: condition.state, offset: offset)
            }
        }
        return isWhole ? condition : nil
    }

    /// A key may be a slip for an option as well as for a name.
    private func withOptions(_ error: Diagnostic, _ member: SourceNode.Member, _ options: [String]) -> Diagnostic {
        let name = member.name
        guard !name.contains(".") else { return error }
        if let near = Suggestion.nearest(to: name, among: options) {
            return member.key.mistake("there is no '\(name)' here", help: "did you mean '\(near)'?", in: source)
        }
        if LanguageWord.names(LanguageWord.options + LanguageWord.keys + LanguageWord.steps).contains(name) {
            return member.key.mistake("'\(name)' does not belong in a condition", in: source)
        }
        var error = error
        error.help = LanguageWord.synonyms[name] ?? error.help
        return error
    }

    // MARK: - Observables

    private func level(
        _ reference: ObservableReference,
        _ entry: RegistryEntry,
        _ member: SourceNode.Member,
        _ each: inout EachBinding
    ) -> Level? {
        var reference = reference
        var value = member.value
        if reference.key == .every {
            guard let chosen = member.value.members, chosen.count == 1, ["each", "any"].contains(chosen[0].name) else {
                log.add(
                    member.value.mistake(
                        "'\(member.name)' means all of them: say whether 'each' or 'any' shall be so",
                        help: "{ \"\(member.name)\": { each: … } }",
                        in: source
                    )
                )
                return nil
            }
            reference.key = chosen[0].name == "each" ? .every : .any
            value = chosen[0].value
        }
        return log.attempt { () throws(Diagnostic) in
            Level(reference, try predicates.read(value, PredicateReader.Subject(entry), each: &each))
        }
    }

    // MARK: - Events

    private func fields(
        of entries: [RegistryEntry],
        _ name: String,
        _ node: SourceNode,
        _ each: inout EachBinding
    ) -> [EventPattern.Field]? {
        if node.isEmpty { return [] }
        guard let members = node.members else {
            log.add(
                node.mistake(
                    "'\(name)' is an event: it has fields, not a value",
                    help: "{ \(name): { field: value } }, or {} where any will do",
                    in: source
                )
            )
            return nil
        }
        let events = entries.flatMap(\.fields)
        var known: [String] = []
        for field in events where !known.contains(field.name) { known.append(field.name) }
        var fields: [EventPattern.Field]? = []
        for member in members {
            guard known.contains(member.name) else {
                log.add(
                    member.key.mistake(
                        "'\(name)' has no field '\(member.name)'",
                        help: known.isEmpty ? "it has none" : Suggestion.help(for: member.name, among: known),
                        in: source
                    )
                )
                fields = nil
                continue
            }
            let subject = PredicateReader.Subject(field: member.name, of: events)
            let predicate = log.attempt { () throws(Diagnostic) in
                try predicates.read(member.value, subject, each: &each)
            }
            guard let predicate else {
                fields = nil
                continue
            }
            fields?.append(EventPattern.Field(member.name, predicate))
        }
        return fields
    }
}
