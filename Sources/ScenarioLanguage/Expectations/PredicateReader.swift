import ScenarioModel
import SquallCore
import TemporalLogic

/// Reads a predicate on a value: a plain value, or a mapping of operators such as `{ at_least: 2 }`.
struct PredicateReader {
    /// The value to which a predicate applies.
    struct Subject {
        /// The name of the value in error messages.
        var name: String
        /// The kind of the value. Nil for an item of a list, and for a field whose kind differs between events. The
        /// kind of the expected value is then inferred from its syntax.
        var kind: ValueKind?
        /// Whether the value is a list of messages, whose items are labels.
        var hasMessages = false
        /// Whether the value is an item of a list and can therefore be the key of another observable.
        var isItem = false
        /// Whether the value is a message, which scenarios refer to by its label.
        var isMessage = false

        init(_ entry: RegistryEntry) {
            name = entry.name
            kind = entry.value
            hasMessages = Registry.listsOfMessages.contains(entry.name)
            isMessage = Registry.namesOfMessages.contains(entry.name)
        }

        /// Creates a subject of unknown kind.
        init(anything name: String) {
            self.name = name
        }

        /// Creates the subject for the event field `name`. `fields` are the declared fields of all matching events; if
        /// they declare different kinds for `name`, the kind is nil.
        init(field name: String, of fields: [EventField]) {
            self.name = name
            let kinds = Set(fields.lazy.filter { $0.name == name }.map(\.kind))
            kind = kinds.count == 1 ? kinds.first : nil
        }

        init(itemOf list: Subject) {
            name = "an item of \(list.name)"
            isItem = true
            isMessage = list.hasMessages
        }

        init(lengthOf list: Subject) {
            name = "the length of \(list.name)"
            kind = .integer
        }
    }

    let names: NameReader

    private var values: ValueReader { names.values }
    private var source: SourceText { values.source }

    func read(_ node: SourceNode, _ subject: Subject, each: inout EachBinding) throws(Diagnostic) -> ValuePredicate {
        guard let members = node.members else { return try equality(node, subject) }
        guard !members.isEmpty else {
            throw node.mistake("'\(subject.name)' needs an expected value", help: Self.help, in: source)
        }
        var predicates: [ValuePredicate] = []
        for member in members { predicates.append(try word(member, subject, &each)) }
        return predicates.count == 1 ? predicates[0] : .all(predicates)
    }

    private static let help = "write a plain value, or { at_least: 2 }, { one_of: [a, b] }, { contains: x }, …"

    // MARK: - Words

    private func word(
        _ member: SourceNode.Member,
        _ subject: Subject,
        _ each: inout EachBinding
    ) throws(Diagnostic) -> ValuePredicate {
        let value = member.value
        if let comparison = Comparison(rawValue: member.name) {
            try require(member, subject, "numbers and durations", \.isNumber)
            return .compares(comparison, try quantity(value, subject, called: member.name))
        }
        switch member.name {
        case "one_of":
            guard let items = value.list, !items.isEmpty else { throw values.wrong(value, "one_of", "a list") }
            var choices: [JSON] = []
            for item in items { choices.append(try json(item, subject)) }
            return .oneOf(choices)
        case "contains":
            try require(member, subject, "texts and lists", \.holdsParts)
            guard case .list? = subject.kind else {
                return .contains(.string(try values.text(value, called: "contains")))
            }
            return .contains(try json(value, Subject(itemOf: subject)))
        case "matches":
            try require(member, subject, "texts", \.isText)
            return .matches(try pattern(value))
        case "set": return .set(try values.flag(value, called: "set"))
        case "same_as":
            let (reference, entry) = try names.observable(value, for: "same_as", each: &each)
            guard reference.key != .every else {
                throw value.mistake("'same_as' takes a single value; name its key instead of '[*]'", in: source)
            }
            try requireSameKind(subject, entry, value)
            return .sameAs(reference)
        case "not": return .not(try read(value, subject, each: &each))
        case "each", "any", "length":
            try require(member, subject, "lists", \.isList)
            return try items(member, subject, &each)
        case "member":
            try require(member, subject, "objects", \.isObject)
            return try parts(value, subject, &each)
        default: return try keyed(member, subject, &each)
        }
    }

    /// Reads a predicate on the items of a list: `each: P` for all items, or `each: { where: P, is: P }` for the items
    /// that `where` selects. Each `P` is a predicate. The keys `any` and `length` have the same syntax.
    private func items(
        _ member: SourceNode.Member,
        _ subject: Subject,
        _ each: inout EachBinding
    ) throws(Diagnostic) -> ValuePredicate {
        let item = Subject(itemOf: subject)
        let asked = member.name == "length" ? Subject(lengthOf: subject) : item
        var filter: ValuePredicate?
        var body = member.value
        if let chosen = member.value["where"] {
            filter = try read(chosen, item, each: &each)
            guard let rest = member.value["is"], member.value.members?.count == 2 else {
                throw member.key.mistake(
                    "'where' needs 'is' next to it, and no other key",
                    help: "\(member.name): { where: …, is: … }",
                    in: source
                )
            }
            body = rest
        }
        let predicate = try read(body, asked, each: &each)
        return switch member.name {
        case "each": .each(where: filter, predicate)
        case "any": .any(where: filter, predicate)
        default: .counted(where: filter, predicate)
        }
    }

    private func parts(
        _ node: SourceNode,
        _ subject: Subject,
        _ each: inout EachBinding
    ) throws(Diagnostic) -> ValuePredicate {
        guard let members = node.members, !members.isEmpty else { throw values.wrong(node, "member", "a mapping") }
        var predicates: [ValuePredicate] = []
        for member in members {
            let field = Subject(anything: "\(subject.name).\(member.name)")
            predicates.append(.field(member.name, try read(member.value, field, each: &each)))
        }
        return predicates.count == 1 ? predicates[0] : .all(predicates)
    }

    /// Reads a predicate on another observable, whose key is the list item, as in `each: { message.status: delivered
    /// }`.
    private func keyed(
        _ member: SourceNode.Member,
        _ subject: Subject,
        _ each: inout EachBinding
    ) throws(Diagnostic) -> ValuePredicate {
        if subject.isItem, let entry = Registry.observable(named: member.name) {
            guard entry.key != nil else {
                throw member.key.mistake("'\(entry.name)' has no key, so it cannot be looked up by an item", in: source)
            }
            return .keyed(entry.name, try read(member.value, Subject(entry), each: &each))
        }
        if let instead = LanguageWord.synonyms[member.name] {
            throw member.key.mistake("unknown predicate '\(member.name)'", help: instead, in: source)
        }
        var known = LanguageWord.predicates.map(\.name)
        if subject.isItem { known += Registry.observables.filter { $0.key != nil }.map(\.name) }
        throw member.key.mistake(
            "unknown predicate '\(member.name)'",
            help: Suggestion.help(for: member.name, among: known) ?? Self.help,
            in: source
        )
    }

    // MARK: - Values

    private func equality(_ node: SourceNode, _ subject: Subject) throws(Diagnostic) -> ValuePredicate {
        if let items = node.list, let kind = subject.kind, !kind.isList {
            let words = items.compactMap(\.scalar).joined(separator: ", ")
            let help = "to expect one of several values, write { one_of: [\(words.shortened)] }"
            throw values.wrong(node, subject.name, "one value", help: help)
        }
        if let span = try span(node, subject) { return .duration(span) }
        return .equals(try json(node, subject))
    }

    /// Reads a duration; returns nil if the node is not a duration.
    private func span(_ node: SourceNode, _ subject: Subject) throws(Diagnostic) -> TimeSpan? {
        switch subject.kind {
        case .duration?, .instant?: return node.isNull ? nil : try values.duration(node, called: subject.name)
        case nil:
            if case .duration(let span)? = try values.reference(node)?.value { return span }
            return node.plain.flatMap(DurationText.parseSigned)
        case .flag?, .integer?, .text?, .list?, .word?, .fields?: return nil
        }
    }

    private func json(_ node: SourceNode, _ subject: Subject) throws(Diagnostic) -> JSON {
        if node.isEmpty, node.plain != nil {
            throw node.mistake(
                "'\(subject.name)' needs an expected value",
                help: "write 'null' to expect no value",
                in: source
            )
        }
        if node.isNull { return .null }
        let name = subject.name
        switch subject.kind {
        case .flag?: return .bool(try values.flag(node, called: name))
        case .integer?: return .integer(try values.integer(node, in: .min ... .max, called: name))
        case .text? where subject.isMessage: return try item(node, subject)
        case .text?: return .string(try values.text(node, called: name))
        case .word(let words)?: return .string(try values.word(node, among: words, called: name))
        case .duration?, .instant?: return .integer(try values.duration(node, called: name).nanoseconds)
        case .list?:
            guard let items = node.list else { throw values.wrong(node, name, "a list") }
            var found: [JSON] = []
            for item in items { found.append(try json(item, Subject(itemOf: subject))) }
            return .array(found)
        case .fields?: throw values.wrong(node, name, "fields")
        case nil:
            if subject.isItem { return try self.item(node, subject) }
            if let span = try span(node, subject) { return .integer(span.nanoseconds) }
            return try values.json(node, called: name)
        }
    }

    /// Reads an item of a list as a string; in a list of messages, the string is a label.
    private func item(_ node: SourceNode, _ subject: Subject) throws(Diagnostic) -> JSON {
        let text = try values.text(node, called: subject.name)
        if subject.isMessage, values.isLiteral(node) {
            names.labels.use(node, text[...], .message, step: names.step, by: subject.name)
        }
        return .string(text)
    }

    private func quantity(
        _ node: SourceNode,
        _ subject: Subject,
        called word: String
    ) throws(Diagnostic) -> Quantity {
        switch subject.kind {
        case .duration?, .instant?: return .duration(try values.duration(node, called: word))
        case .integer?: return .integer(try values.integer(node, in: .min ... .max, called: word))
        default:
            if let span = try span(node, Subject(anything: word)) { return .duration(span) }
            return .integer(try values.integer(node, in: .min ... .max, called: word))
        }
    }

    private func pattern(_ node: SourceNode) throws(Diagnostic) -> TextPattern {
        let text = try values.text(node, called: "matches")
        do {
            return try TextPattern(text)
        } catch {
            throw node.mistake("invalid pattern: \(error)", in: source)
        }
    }

    // MARK: - Kinds

    private func require(
        _ member: SourceNode.Member,
        _ subject: Subject,
        _ subjects: String,
        _ fits: (ValueKind) -> Bool
    ) throws(Diagnostic) {
        guard let kind = subject.kind, !fits(kind) else { return }
        var help: String?
        if kind.isList, Comparison(rawValue: member.name) != nil { help = "{ length: { \(member.name): … } }" }
        throw member.key.mistake(
            "'\(member.name)' applies to \(subjects), but '\(subject.name)' is \(kind.inWords)",
            help: help,
            in: source
        )
    }

    private func requireSameKind(
        _ subject: Subject,
        _ entry: RegistryEntry,
        _ node: SourceNode
    ) throws(Diagnostic) {
        guard let kind = subject.kind, !kind.compares(with: entry.value) else { return }
        throw node.mistake(
            """
            '\(subject.name)' is \(kind.inWords) and '\(entry.name)' is \(entry.value.inWords); they can never be \
            equal
            """,
            in: source
        )
    }
}
