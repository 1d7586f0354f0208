import ScenarioModel
import SquallCore
import TemporalLogic

/// Parses the expectations in the list under `expect:`.
struct ExpectationReader {
    let names: NameReader
    let log: MistakeLog
    /// The default time limit, for expectations that do not specify one.
    let within: TimeSpan
    /// The audit catalogue that must contain every row named by `covers`; nil to accept any row id.
    let catalogue: Catalogue?

    var values: ValueReader { names.values }
    var source: SourceText { names.values.source }
    var conditions: ConditionReader { ConditionReader(names: names, log: log) }

    func read(_ node: SourceNode) -> [Expectation] {
        guard !node.isEmpty else { return [] }
        guard let items = node.list else {
            let help = MissingSpace.help(forItems: node)
            log.add(node.mistake("'expect' must be a list of expectations, each with a '-'", help: help, in: source))
            return []
        }
        return items.compactMap { item in log.isFull ? nil : expectation(item) }
    }

    // MARK: - Keywords and their options

    /// The keys that specify the scope of an expectation. They are allowed both inside the expectation's mapping and
    /// next to its keyword.
    static let scopes = ["after", "before", "between", "during", "at"]
    static let everywhere = scopes + ["covers", "name"]

    private static var wordNames: [String] { OperatorSpec.all.map(\.name) }

    private func expectation(_ node: SourceNode) -> Expectation? {
        guard let members = node.members, !members.isEmpty else {
            log.add(
                node.mistake(
                    "expected an expectation such as 'never: client.gave_up', not \(node.inWords)",
                    help: "one of: \(Self.wordNames.joined(separator: ", "))",
                    in: source
                )
            )
            return nil
        }
        guard let (member, word) = chosenWord(members) else { return nil }
        let options = word.keyNames + Self.everywhere
        var body = ParsedExpectation(word: word, node: member.value, options: [])
        for other in members where OperatorSpec.named(other.name) == nil {
            guard options.contains(other.name) else {
                log.add(unknown(other, word.name, options))
                continue
            }
            body.options.append(other)
        }
        if let inner = member.value.members {
            for option in inner where options.contains(option.name) {
                if body.options.contains(where: { $0.name == option.name }) {
                    log.add(option.key.mistake("duplicate '\(option.name)'", in: source))
                } else {
                    body.options.append(option)
                }
            }
            let isBare = word.body != .keys
            for part in inner where !options.contains(part.name) && !(isBare && isLikelyName(part.name, options)) {
                log.add(unknown(part, word.name, options))
                body.ignored.append(part.name)
            }
        } else if word.body == .keys, !member.value.isEmpty {
            log.add(values.wrong(member.value, word.name, "a mapping", help: word.form))
            return nil
        }
        return expectation(body, at: node)
    }

    private func chosenWord(_ members: [SourceNode.Member]) -> (SourceNode.Member, OperatorSpec)? {
        var chosen: (SourceNode.Member, OperatorSpec)?
        for member in members {
            guard let word = OperatorSpec.named(member.name) else { continue }
            guard chosen == nil else {
                log.add(
                    member.key.mistake(
                        "an expectation has one word; give '\(member.name)' its own '-'",
                        in: source
                    )
                )
                continue
            }
            chosen = (member, word)
        }
        if chosen == nil {
            let options = Self.everywhere + LanguageWord.names(LanguageWord.options + LanguageWord.keys)
            let first = members.first { !options.contains($0.name) }
            guard let first else {
                log.add(
                    members[0].key.mistake(
                        "this expectation has no word",
                        help: "expected one of: \(Self.wordNames.joined(separator: ", "))",
                        in: source
                    )
                )
                return nil
            }
            let parts = first.name.split(separator: ".", maxSplits: 1).map(String.init)
            if parts.count == 2, Self.wordNames.contains(parts[1]) {
                log.add(
                    first.key.mistake(
                        "'\(parts[1])' takes no client prefix",
                        help: "put it before each observable and event: { \(parts[0]).connection.state: connected }",
                        in: source
                    )
                )
                return nil
            }
            log.add(
                first.key.mistake(
                    "unknown expectation '\(first.name.shortened)'",
                    help: LanguageWord.synonyms[first.name] ?? MissingSpace.help(forKey: first.name)
                        ?? Suggestion.help(for: first.name, among: Self.wordNames),
                    in: source
                )
            )
        }
        return chosen
    }

    private func unknown(_ member: SourceNode.Member, _ word: String, _ options: [String]) -> Diagnostic {
        var help: String?
        if let owner = OperatorSpec.all.first(where: { $0.keyNames.contains(member.name) }), owner.name != word {
            help = "'\(member.name)' is a key of '\(owner.name)'"
        }
        return member.key.mistake(
            "unknown key '\(member.name.shortened)' of '\(word)'",
            help: Suggestion.nearest(to: member.name, among: options).map { "did you mean '\($0)'?" }
                ?? LanguageWord.synonyms[member.name] ?? help,
            in: source
        )
    }

    /// Returns whether a key in a condition is more likely the name of an observable or event than a misspelled option.
    private func isLikelyName(_ name: String, _ options: [String]) -> Bool {
        name.contains(".")
            || !LanguageWord.names(LanguageWord.options + LanguageWord.keys).contains(name)
                && Suggestion.nearest(to: name, among: options) == nil && LanguageWord.synonyms[name] == nil
    }

    /// An expectation's keyword with its value and all of its options.
    struct ParsedExpectation {
        var word: OperatorSpec
        var node: SourceNode
        var options: [SourceNode.Member]

        subscript(name: String) -> SourceNode? {
            options.first { $0.name == name }?.value
        }

        /// The keys that have already been reported as errors.
        var ignored: [String] = []

        /// The names of all keys that are not part of a condition.
        var optionNames: [String] { options.map(\.name) + ignored }
    }

    // MARK: - Whole expectations

    private func expectation(_ body: ParsedExpectation, at node: SourceNode) -> Expectation? {
        let mistakes = log.diagnostics.count
        var each = EachBinding()
        let formula = formula(body, &each)
        let scope = scope(body, &each)
        let bound = bound(body, scope)
        let covers = body["covers"].map(covers) ?? []
        let name = body["name"].flatMap { node in
            log.attempt { () throws(Diagnostic) in try values.text(node, called: "name") }
        }
        guard let formula, let scope, let bound else { return nil }
        var expectation = Expectation(
            formula,
            scope: scope,
            bound: bound.span,
            covers: covers,
            location: node.location(in: source),
            clients: each.clients ?? names.roster.clients
        )
        expectation.name = name
        guard log.diagnostics.count == mistakes, body.ignored.isEmpty else { return nil }
        let problems = expectation.problems
        for problem in problems { log.add(node.mistake(problem, in: source)) }
        return problems.isEmpty ? expectation : nil
    }

    private struct Bound {
        var span: TimeSpan?
    }

    /// Reads the time limit of an expectation with the given scope; returns nil after reporting an error.
    private func bound(_ body: ParsedExpectation, _ scope: Scope?) -> Bound? {
        if let node = body["within"] ?? body["for"] {
            let name = body["within"] == nil ? "for" : "within"
            if scope == .atEnd, body.word.atEnd != .wholeRun {
                log.add(node.mistake("'\(name)' is not allowed with 'at: end'", in: source))
                return nil
            }
            let span = log.attempt { () throws(Diagnostic) in try values.positiveDuration(node, called: name) }
            return span.map { Bound(span: $0) }
        }
        // An expectation at a single instant has no time limit, unless its keyword checks the whole run.
        let isInstant = scope == .atEnd && body.word.atEnd != .wholeRun
        return Bound(span: body.word.bound.hasDefault && !isInstant ? within : nil)
    }

    private func covers(_ node: SourceNode) -> [String] {
        (node.list ?? [node]).compactMap { item in
            log.attempt { () throws(Diagnostic) in
                let text = try values.text(item, called: "covers")
                guard CatalogueRow.isID(text) else {
                    throw item.mistake(
                        "invalid row id '\(text.shortened)'",
                        help: CatalogueRow.help,
                        in: source
                    )
                }
                if let catalogue, catalogue[text] == nil {
                    throw item.mistake(
                        "unknown row '\(text)'",
                        help: CatalogueRow.help(for: text, in: catalogue),
                        in: source
                    )
                }
                return text
            }
        }
    }

    // MARK: - Scope

    /// Reads the scope of an expectation; the default is the whole run. Returns nil after reporting an error.
    private func scope(_ body: ParsedExpectation, _ each: inout EachBinding) -> Scope? {
        let given = body.options.filter { Self.scopes.contains($0.name) }
        guard let first = given.first else { return .run }
        for other in given.dropFirst() {
            let isBetween = Set([first.name, other.name]) == ["after", "before"]
            log.add(
                other.key.mistake(
                    "an expectation has one scope, but this one has '\(first.name)' and '\(other.name)'",
                    help: isBetween ? "write 'between: [CONDITION, CONDITION]'" : nil,
                    in: source
                )
            )
        }
        let node = first.value
        switch first.name {
        case "after": return conditions.read(node, for: "after", each: &each).map { .after($0) }
        case "before": return conditions.read(node, for: "before", each: &each).map { .before($0) }
        case "between":
            guard let pair = node.list, pair.count == 2 else {
                log.add(values.wrong(node, "between", "a list of two conditions"))
                return nil
            }
            let opening = conditions.read(pair[0], for: "between", each: &each)
            let closing = conditions.read(pair[1], for: "between", each: &each)
            guard let opening, let closing else { return nil }
            return .between(opening, closing)
        case "during":
            let label = log.attempt { () throws(Diagnostic) in try values.text(node, called: "during") }
            guard let label else { return nil }
            names.labels.use(node, node.scalar?[...] ?? label[...], .fault, step: nil, by: "'during'")
            return .during(fault: label)
        default:
            guard node.scalar == "end" else {
                log.add(
                    node.mistake(
                        "'at' of an expectation must be 'end'",
                        help: "use 'after: …' to start at an event or a state",
                        in: source
                    )
                )
                return nil
            }
            return .atEnd
        }
    }
}
