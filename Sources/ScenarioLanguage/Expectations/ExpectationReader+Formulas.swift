import ScenarioModel
import SquallCore
import TemporalLogic

/// Reads the keys of an expectation as declared by its ``OperatorSpec``, and builds its formula.
extension ExpectationReader {
    /// Builds the formula of an expectation; returns nil after reporting an error.
    func formula(_ body: ParsedExpectation, _ each: inout EachBinding) -> Formula? {
        let word = body.word
        var arguments = OperatorArguments()
        let options = body.optionNames
        switch word.body {
        case .keys: break
        case .condition:
            guard let read = conditions.read(body.node, for: word.name, options: options, each: &each) else {
                return nil
            }
            arguments.set(OperatorSpec.body, to: read)
        case .state:
            guard let read = conditions.state(body.node, for: word.name, options: options, each: &each) else {
                return nil
            }
            arguments.set(OperatorSpec.body, to: read)
        }
        /// The observable whose values are listed under the key `values`.
        var subject: RegistryEntry?
        var isWhole = true
        for key in word.keys {
            if let node = body[key.name] {
                isWhole = read(node, key, of: word, into: &arguments, &subject, &each) && isWhole
            } else if key.presence == .required {
                let help = "\(word.name): \(word.form)"
                log.add(body.node.mistake("'\(word.name)' needs '\(key.name)'", help: help, in: source))
                isWhole = false
            } else if key.kind == .client {
                guard let selector = everyClient(body.node, &each) else { return nil }
                arguments.set(key.name, to: selector)
            }
        }
        guard hasOneAlternative(body), isWhole else { return nil }
        guard let formula = word.formula(arguments) else {
            // This is reached only if the keys declared for the keyword do not match its formula. Report an error,
            // because an expectation must never be dropped silently.
            log.add(body.node.mistake("'\(word.name)' is incomplete", help: "\(word.name): \(word.form)", in: source))
            return nil
        }
        return formula
    }

    /// Returns whether exactly one of the keyword's alternative keys is present; reports an error otherwise.
    private func hasOneAlternative(_ body: ParsedExpectation) -> Bool {
        let names = body.word.keys.filter { $0.presence == .alternative }.map(\.name)
        let given = names.filter { body[$0] != nil }
        if names.isEmpty || given.count == 1 { return true }
        let rule = given.isEmpty ? "needs one" : "takes only one"
        let choices = names.joined(separator: ", ")
        log.add(body.node.mistake("'\(body.word.name)' \(rule) of: \(choices)", in: source))
        return false
    }

    /// Reads the value of one key into `arguments`; returns false after reporting an error.
    private func read(
        _ node: SourceNode,
        _ key: OperatorKey,
        of word: OperatorSpec,
        into arguments: inout OperatorArguments,
        _ subject: inout RegistryEntry?,
        _ each: inout EachBinding
    ) -> Bool {
        let name = key.name
        func set(_ value: (some Sendable)?) -> Bool {
            guard let value else { return false }
            arguments.set(name, to: value)
            return true
        }
        switch key.kind {
        case .condition: return set(conditions.read(node, for: name, each: &each))
        case .state: return set(conditions.state(node, for: name, each: &each))
        case .conditions:
            guard let items = node.list, items.count > 1 else {
                return wrong(node, name, "a list of at least two conditions")
            }
            let read = items.compactMap { conditions.read($0, for: word.name, each: &each) }
            return set(read.count == items.count ? read : nil)
        case .observable:
            let found = log.attempt { () throws(Diagnostic) in try single(node, for: word.name, &each) }
            subject = found?.entry
            return set(found?.reference)
        case .observablePair: return set(pair(node, name, of: word, &each))
        case .values:
            guard let items = node.list, !items.isEmpty else { return wrong(node, name, "a list of values") }
            guard let subject else { return false }
            let predicates = PredicateReader(names: names)
            let read = items.compactMap { item in
                log.attempt { () throws(Diagnostic) in
                    try predicates.read(item, PredicateReader.Subject(subject), each: &each)
                }
            }
            return set(read.count == items.count ? read : nil)
        case .flag: return set(log.attempt { () throws(Diagnostic) in try values.flag(node, called: name) })
        case .duration:
            return set(log.attempt { () throws(Diagnostic) in try values.positiveDuration(node, called: name) })
        case .number(let kind): return set(log.attempt { () throws(Diagnostic) in try number(node, kind, name) })
        case .count: return set(log.attempt { () throws(Diagnostic) in try count(node, name) })
        case .text:
            if name == "conversation", let text = node.scalar { names.labels.useOther(node, text[...], name) }
            return set(log.attempt { () throws(Diagnostic) in try values.text(node, called: name) })
        case .client: return set(client(node, &each))
        }
    }

    private func wrong(_ node: SourceNode, _ name: String, _ kind: String) -> Bool {
        log.add(values.wrong(node, name, kind))
        return false
    }

    // MARK: - Observables

    private func single(
        _ node: SourceNode,
        for word: String,
        _ each: inout EachBinding
    ) throws(Diagnostic) -> (reference: ObservableReference, entry: RegistryEntry) {
        let (reference, entry) = try names.observable(node, for: word, each: &each)
        guard reference.key != .every else {
            throw node.mistake("'\(word)' takes a single value; name its key instead of '[*]'", in: source)
        }
        return (reference, entry)
    }

    /// Reads a pair of observables whose values can be compared for equality; returns nil after reporting an error.
    private func pair(
        _ node: SourceNode,
        _ name: String,
        of word: OperatorSpec,
        _ each: inout EachBinding
    ) -> [ObservableReference]? {
        guard let items = node.list, items.count == 2 else {
            log.add(values.wrong(node, name, "a list of two observables"))
            return nil
        }
        let both = items.compactMap { item in
            log.attempt { () throws(Diagnostic) in try single(item, for: word.name, &each) }
        }
        guard both.count == 2 else { return nil }
        let (one, other) = (both[0].entry, both[1].entry)
        guard one.value.compares(with: other.value) else {
            let kinds = "'\(one.name)' is \(one.value.inWords) and '\(other.name)' is \(other.value.inWords)"
            log.add(node.mistake("\(kinds); they can never be equal", in: source))
            return nil
        }
        return both.map(\.reference)
    }

    // MARK: - Numbers

    private func number(
        _ node: SourceNode,
        _ kind: CountBound.Kind,
        _ name: String
    ) throws(Diagnostic) -> CountBound {
        CountBound(kind, Int(try values.integer(node, in: CountBound.range, called: name)))
    }

    /// Reads a count: `0`, or `{ at_most: 2 }`.
    private func count(_ node: SourceNode, _ name: String) throws(Diagnostic) -> CountBound {
        guard let members = node.members else { return try number(node, .exactly, name) }
        guard let member = members.first, members.count == 1, let kind = CountBound.Kind(rawValue: member.name) else {
            throw values.wrong(node, name, "a number", help: "0, or { at_most: 2 }")
        }
        return try number(member.value, kind, member.name)
    }

    // MARK: - Clients

    /// Reads the name of a client or group; returns nil after reporting an error.
    private func client(_ node: SourceNode, _ each: inout EachBinding) -> ClientSelector? {
        guard let members = node.scalar.flatMap(names.roster.members) else {
            log.add(
                node.mistake(
                    "there is no client \(node.inWords)",
                    help: node.scalar.flatMap { Suggestion.help(for: $0, among: names.roster.names) },
                    in: source
                )
            )
            return nil
        }
        return selector(of: members, node, &each)
    }

    private func everyClient(_ node: SourceNode, _ each: inout EachBinding) -> ClientSelector? {
        selector(of: names.roster.clients, node, &each)
    }

    private func selector(
        of members: [ClientID],
        _ node: SourceNode,
        _ each: inout EachBinding
    ) -> ClientSelector? {
        if members.count == 1, let client = members.first { return .one(client) }
        guard each.join(members) else {
            log.add(node.mistake("an expectation can refer to only one group of clients", in: source))
            return nil
        }
        return .each
    }
}
