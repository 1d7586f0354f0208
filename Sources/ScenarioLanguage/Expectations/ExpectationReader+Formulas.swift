import ScenarioModel
import SquallCore
import TemporalLogic

/// Each word's own part of an expectation.
extension ExpectationReader {
    /// Nil after a mistake.
    func formula(_ body: Body, _ each: inout EachBinding) -> Formula? {
        switch body.word {
        case "eventually": return whole(body, &each).map { .eventually($0) }
        case "never": return whole(body, &each).map { .never($0) }
        case "always":
            let state = conditions.state(body.node, for: "always", options: body.optionNames, each: &each)
            return state.map { .always($0) }
        case "until":
            let hold = required("hold", body).flatMap { conditions.state($0, for: "hold", each: &each) }
            let release = condition("release", body, &each)
            guard let hold, let release else { return nil }
            return .until(hold, release)
        case "leads_to":
            let when = condition("when", body, &each)
            let then = condition("then", body, &each)
            guard let when, let then else { return nil }
            return .leadsTo(when: when, then: then)
        case "in_order": return inOrder(body, &each)
        case "count": return count(body, &each)
        case "transitions": return transitions(body, &each)
        case "delivered": return delivered(body, &each)
        default: return same(body, &each)
        }
    }

    // MARK: - Parts

    private func whole(_ body: Body, _ each: inout EachBinding) -> Condition? {
        conditions.read(body.node, for: body.word, options: body.optionNames, each: &each)
    }

    private func required(_ name: String, _ body: Body) -> SourceNode? {
        if let node = body[name] { return node }
        log.add(
            body.node.mistake(
                "'\(body.word)' needs '\(name)'",
                help: LanguageWord.form(of: body.word).map { "\(body.word): \($0)" },
                in: source
            )
        )
        return nil
    }

    private func condition(_ name: String, _ body: Body, _ each: inout EachBinding) -> Condition? {
        required(name, body).flatMap { conditions.read($0, for: name, each: &each) }
    }

    /// False where the option is left out; nil after a mistake.
    private func flag(_ name: String, _ body: Body) -> Bool? {
        guard let node = body[name] else { return false }
        return log.attempt { () throws(Diagnostic) in try values.flag(node, called: name) }
    }

    // MARK: - Words

    private func inOrder(_ body: Body, _ each: inout EachBinding) -> Formula? {
        guard let node = required("of", body) else { return nil }
        guard let items = node.list, items.count > 1 else {
            log.add(values.wrong(node, "of", "a list of at least two conditions"))
            return nil
        }
        var steps: [Condition] = []
        for item in items {
            if let step = conditions.read(item, for: "in_order", each: &each) { steps.append(step) }
        }
        guard let strict = flag("strict", body), steps.count == items.count else { return nil }
        return .inOrder(steps, strict: strict)
    }

    private func count(_ body: Body, _ each: inout EachBinding) -> Formula? {
        let condition = condition("of", body, &each)
        let bounds = CountBound.Kind.allCases.filter { body[$0.rawValue] != nil }
        guard let kind = bounds.first, bounds.count == 1, let node = body[kind.rawValue] else {
            log.add(
                body.node.mistake(
                    bounds.isEmpty ? "'count' does not say how many" : "'count' says how many twice",
                    help: "one of: exactly, at_least, at_most",
                    in: source
                )
            )
            return nil
        }
        let number = log.attempt { () throws(Diagnostic) in
            try values.integer(node, in: 0...1_000_000_000, called: kind.rawValue)
        }
        var window: TimeSpan?
        if let node = body["in_any"] {
            window = log.attempt { () throws(Diagnostic) in try values.positiveDuration(node, called: "in_any") }
            if window == nil { return nil }
        }
        guard let condition, let number else { return nil }
        return .count(condition, CountBound(kind, Int(number)), inAny: window)
    }

    private func transitions(_ body: Body, _ each: inout EachBinding) -> Formula? {
        let subject = required("of", body).flatMap { node in
            log.attempt { () throws(Diagnostic) in try single(node, for: "transitions", &each) }
        }
        guard let list = required("are", body) else { return nil }
        guard let items = list.list, !items.isEmpty else {
            log.add(values.wrong(list, "are", "a list of values"))
            return nil
        }
        guard let exhaustive = flag("exhaustive", body), let (reference, entry) = subject else { return nil }
        let predicates = PredicateReader(names: names)
        var wanted: [ValuePredicate] = []
        for item in items {
            let predicate = log.attempt { () throws(Diagnostic) in
                try predicates.read(item, PredicateReader.Subject(entry), each: &each)
            }
            if let predicate { wanted.append(predicate) }
        }
        guard wanted.count == items.count else { return nil }
        return .transitions(of: reference, are: wanted, exhaustive: exhaustive)
    }

    private func same(_ body: Body, _ each: inout EachBinding) -> Formula? {
        guard let node = required("of", body) else { return nil }
        guard let pair = node.list, pair.count == 2 else {
            log.add(values.wrong(node, "of", "a list of two observables"))
            return nil
        }
        let both = pair.compactMap { item in
            log.attempt { () throws(Diagnostic) in try single(item, for: "same", &each) }
        }
        guard both.count == 2 else { return nil }
        guard both[0].1.value.compares(with: both[1].1.value) else {
            log.add(
                node.mistake(
                    "'\(both[0].1.name)' is \(both[0].1.value.inWords) and '\(both[1].1.name)' "
                        + "\(both[1].1.value.inWords): they are never the same",
                    in: source
                )
            )
            return nil
        }
        return .same(both[0].0, both[1].0)
    }

    private func single(
        _ node: SourceNode,
        for word: String,
        _ each: inout EachBinding
    ) throws(Diagnostic) -> (ObservableReference, RegistryEntry) {
        let found = try names.observable(node, for: word, each: &each)
        guard found.0.key != .every else {
            throw node.mistake("'\(word)' is about one value; name its key", in: source)
        }
        return found
    }

    // MARK: - delivered

    private func delivered(_ body: Body, _ each: inout EachBinding) -> Formula? {
        var isWhole = true
        let conversation = body["conversation"].flatMap { node in
            log.attempt { () throws(Diagnostic) in try values.text(node, called: "conversation") }
        }
        guard let client = recipient(body, &each) else { return nil }
        func bound(_ name: String) -> CountBound? {
            guard let node = body[name] else { return nil }
            let bound = log.attempt { () throws(Diagnostic) in try countBound(node, called: name) }
            if bound == nil { isWhole = false }
            return bound
        }
        let delivery = Delivery(
            conversation: conversation,
            of: client,
            lost: bound("lost"),
            duplicated: bound("duplicated"),
            unexpected: bound("unexpected"),
            stale: bound("stale"),
            reordered: bound("reordered")
        )
        guard isWhole, body["conversation"] == nil || conversation != nil else { return nil }
        return .delivered(delivery)
    }

    /// `0`, or `{ at_most: 2 }`.
    private func countBound(_ node: SourceNode, called name: String) throws(Diagnostic) -> CountBound {
        let range: ClosedRange<Int64> = 0...1_000_000_000
        guard let members = node.members else {
            return .exactly(Int(try values.integer(node, in: range, called: name)))
        }
        guard let member = members.first, members.count == 1, let kind = CountBound.Kind(rawValue: member.name) else {
            throw values.wrong(node, name, "a number", help: "0, or { at_most: 2 }")
        }
        return CountBound(kind, Int(try values.integer(member.value, in: range, called: member.name)))
    }

    /// Nil after a mistake.
    private func recipient(_ body: Body, _ each: inout EachBinding) -> ClientSelector? {
        var members = names.roster.clients
        if let node = body["client"] {
            guard let named = node.scalar.flatMap(names.roster.members) else {
                log.add(
                    node.mistake(
                        "there is no client \(node.inWords)",
                        help: node.scalar.flatMap { Suggestion.help(for: $0, among: names.roster.names) },
                        in: source
                    )
                )
                return nil
            }
            members = named
        }
        if members.count == 1, let client = members.first { return .one(client) }
        guard each.join(members) else {
            log.add(body.node.mistake("one expectation can speak of each member of one group only", in: source))
            return nil
        }
        return .each
    }
}
