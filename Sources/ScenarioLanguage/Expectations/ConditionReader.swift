import ScenarioModel
import SquallCore
import TemporalLogic

/// Reads the condition of a `wait`, an `at:` or an expectation: either an event, or a mapping of observables and
/// events.
struct ConditionReader {
    let names: NameReader
    let log: MistakeLog

    private var predicates: PredicateReader { PredicateReader(names: names) }
    private var source: SourceText { names.values.source }

    /// Reads a condition; returns nil after reporting an error.
    ///
    /// Error messages attribute the condition to `word`. `options` are keys of the mapping that are not part of the
    /// condition.
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
                    help: "put states that hold together in one mapping, and a sequence in 'in_order'",
                    in: source
                )
            )
            return nil
        case .mapping(let members):
            let parts = members.filter { !options.contains($0.name) }
            guard !parts.isEmpty else {
                log.add(
                    node.mistake(
                        "'\(word)' has an empty condition",
                        help: "name an event, 'server.stopped', or an observable, '{ connection.state: connected }'",
                        in: source
                    )
                )
                return nil
            }
            return together(parts, for: word, options: options, each: &each)
        }
    }

    /// Reads a condition that may contain only states, not events; returns nil after reporting an error.
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
                    "'\(word)' takes a state; an event has no duration",
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
            log.add(node.mistake("'\(word)' has an empty condition", in: source))
            return nil
        }
        let meant = log.attempt { () throws(Diagnostic) in try names.read(node, each: &each) }
        switch meant {
        case nil: return nil
        case .event(let pattern, _, let offset)?: return .event(pattern, offset: offset)
        case .observable(_, let entry)?:
            log.add(
                node.mistake(
                    "'\(entry.name)' is an observable and needs an expected value",
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
                            "a condition can name only one event",
                            help: "use 'in_order' or 'leads_to' for several events",
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

    /// Replaces `error`, an "unknown name" diagnostic, with a more specific one if the key is a misspelled or misplaced
    /// option.
    private func withOptions(_ error: Diagnostic, _ member: SourceNode.Member, _ options: [String]) -> Diagnostic {
        let name = member.name
        guard !name.contains(".") else { return error }
        if let near = Suggestion.nearest(to: name, among: options) {
            return member.key.mistake("unknown key '\(name)'", help: "did you mean '\(near)'?", in: source)
        }
        if LanguageWord.names(LanguageWord.options + LanguageWord.keys + LanguageWord.steps).contains(name) {
            return member.key.mistake("'\(name)' is not allowed in a condition", in: source)
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
    ) -> ObservablePredicate? {
        var reference = reference
        var value = member.value
        if reference.key == .every {
            guard let chosen = member.value.members, chosen.count == 1, ["each", "any"].contains(chosen[0].name) else {
                log.add(
                    member.value.mistake(
                        "'\(member.name)' needs 'each' or 'any'",
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
            ObservablePredicate(reference, try predicates.read(value, PredicateReader.Subject(entry), each: &each))
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
                    "'\(name)' is an event, which has fields and no value",
                    help: "write { \(name): { field: value } }, or {} to match any",
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
                        help: known.isEmpty
                            ? "the event has no fields" : Suggestion.help(for: member.name, among: known),
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
