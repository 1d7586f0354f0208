package import ScenarioModel
import SquallCore
package import TemporalLogic

/// Reads fragments of a scenario one at a time, for a run that is controlled by a program or from a prompt.
///
/// Fragments have the syntax of scenario files; errors in them are reported in the same way.
package struct FragmentReader: Sendable {
    private let scenario: Scenario
    private let roster: ClientRoster
    private let syntax: FragmentSyntax
    /// The labels defined by the fragments read so far.
    private var names: LabelTable.Names

    /// Creates a reader for fragments that can refer to the scenario's clients, labels and profile values (`$name`).
    package init(of scenario: Scenario, speaking syntax: FragmentSyntax) {
        self.scenario = scenario
        self.syntax = syntax
        roster = ClientRoster(of: scenario.clients)
        let log = MistakeLog()
        let book = LabelTable(SourceText(file: scenario.file, text: ""), log)
        for step in scenario.script {
            guard case .act(let stimulus) = step.kind, let label = stimulus.label,
                let kind = Registry.action(of: stimulus.actor, stimulus.verb)?.labelKind
            else { continue }
            book.defineDefault(label, kind, step: nil)
        }
        names = book.names
    }

    /// Reads one step, such as `network: { stall: { for: 3s } }`, or a list of steps; returns their stimuli.
    package mutating func stimuli(_ text: String) throws(FragmentMistakes) -> [Stimulus] {
        let source = SourceText(file: syntax.source, text: text)
        let log = MistakeLog()
        let root = try Self.root(of: source)
        let items = root.list ?? [root]
        let book = LabelTable(source, log, after: names)
        let reader = StepReader(
            values: ValueReader(source: source, profile: scenario.profile),
            roster: roster,
            labels: book,
            log: log,
            within: scenario.profile.expectWithin,
            isScript: false
        )
        for item in items {
            for word in ["wait", "at", "within"] {
                guard let member = item.members?.first(where: { $0.name == word }) else { continue }
                log.add(
                    member.key.mistake(
                        "'\(word)' is only allowed in a script; \(syntax.waiting.owner)",
                        help: syntax.waiting.help,
                        in: source
                    )
                )
            }
        }
        let steps = reader.read(SourceNode(kind: .list(items), line: root.line, column: root.column))
        book.check()
        var played = scenario
        played.script = steps
        for location in played.handshakesWithoutTLS {
            let message = "this alters a TLS handshake, and the links of this run carry no TLS"
            log.add(Diagnostic(at: location, message, help: syntax.security))
        }
        try Self.end(log, in: source)
        names = book.names
        return steps.compactMap { step in
            guard case .act(let stimulus) = step.kind else { return nil }
            return stimulus
        }
    }

    /// Reads a condition such as `client.connected` or `{ connection.state: connected }`; error messages attribute it
    /// to `word`.
    package func condition(_ text: String, for word: String) throws(FragmentMistakes) -> Condition {
        let source = SourceText(file: syntax.source, text: text)
        let log = MistakeLog()
        let root = try Self.root(of: source)
        let book = LabelTable(source, log, after: names)
        let values = ValueReader(source: source, profile: scenario.profile)
        let reader = ConditionReader(
            names: NameReader(values: values, roster: roster, labels: book, step: nil),
            log: log
        )
        var each = EachBinding()
        let condition = reader.read(root, for: word, each: &each)
        book.check()
        if let clients = each.clients, clients != roster.clients {
            log.add(root.mistake("a wait cannot refer to a group of clients; wait for each of them", in: source))
        }
        try Self.end(log, in: source)
        guard let condition else {
            throw FragmentMistakes(text: "\(syntax.source):1:1: error: the condition is empty")
        }
        return condition
    }

    // MARK: - Reading

    private static func root(of source: SourceText) throws(FragmentMistakes) -> SourceNode {
        do throws(Diagnostic) {
            return try YAMLReader.read(source)
        } catch {
            throw FragmentMistakes(text: error.rendered(in: source))
        }
    }

    private static func end(_ log: MistakeLog, in source: SourceText) throws(FragmentMistakes) {
        guard !log.diagnostics.isEmpty else { return }
        throw FragmentMistakes(text: ScenarioMistakes(inOrderOfFile: log.diagnostics).rendered(in: source))
    }
}

/// The errors in a fragment, rendered for a terminal.
package struct FragmentMistakes: Error, Hashable, Sendable {
    package var text: String
}

extension ClientRoster {
    /// Creates the roster of a scenario that has already been read. Names that end in a number, such as `crowd-1`,
    /// identify the members of a group.
    fileprivate init(of clients: [ClientID]) {
        var members: [String: [ClientID]] = [:]
        for client in clients {
            guard let dash = client.name.lastIndex(of: "-"), Int(client.name[client.name.index(after: dash)...]) != nil
            else { continue }
            members[String(client.name[..<dash]), default: []].append(client)
        }
        let groups = members.filter { $0.value.count > 1 }.sorted { $0.key < $1.key }
        self.init(clients: clients, groups: groups.map { ClientRoster.Group(name: $0.key, members: $0.value) })
    }
}
