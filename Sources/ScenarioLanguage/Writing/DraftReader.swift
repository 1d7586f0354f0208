import Exploration
import ScenarioModel
import SquallCore
import TemporalLogic

/// Reads one case of a valid scenario file as a draft: a scenario that can be modified and written back to a file.
///
/// Each step becomes a move of the draft. Conditions, expectations and all other keys are stored as YAML.
struct DraftReader {
    let source: SourceText
    let log: MistakeLog

    /// The keys that the draft represents as properties, or that apply only to the original file.
    private static let known: Set = [
        "squall", "name", "profile", "tags", "clients", "set", "server", "with", "script", "expect",
    ]

    func read(_ root: SourceNode) -> Draft {
        var draft = Draft(profile: root["profile"]?.scalar ?? "default", ending: .none)
        var profile = ((try? ProfileReader.profile(named: draft.profile)) ?? nil) ?? Profile()
        for (key, prefix) in [("set", ""), ("server", "server.")] {
            guard let node = root[key] else { continue }
            if let settings = settings(node, prefix, &profile) {
                draft.settings += settings
            } else {
                draft.clauses.append(Draft.Clause(key: key, value: YAMLWriter.of(node)))
            }
        }
        for member in root.members ?? [] where !Self.known.contains(member.name) {
            draft.clauses.append(Draft.Clause(key: member.name, value: YAMLWriter.of(member.value)))
        }
        let values = ValueReader(source: source, profile: profile)
        let roster = root["clients"].map { ClientRoster.read($0, values, log) } ?? .alone
        draft.clients = roster.clients
        draft.groups = roster.groups.map { Draft.Group(name: $0.name, members: $0.members) }
        let labels = LabelTable(source, log)
        let steps = StepReader(values: values, roster: roster, labels: labels, log: log, within: profile.expectWithin)
        draft.body = (root["script"]?.list ?? []).compactMap { move($0, steps) }
        draft.expectations = (root["expect"]?.list ?? root["expect"].map { [$0] } ?? []).map(YAMLWriter.of)
        return draft
    }

    /// Returns the profile values that a mapping sets; each name begins with `prefix`. Returns nil if the mapping
    /// contains a value that is not a scalar, such as the frame templates.
    private func settings(_ node: SourceNode, _ prefix: String, _ profile: inout Profile) -> [Draft.Setting]? {
        var found: [Draft.Setting] = []
        for member in node.members ?? [] {
            let name = prefix + member.name
            if let field = Profile.field(named: name) {
                let reader = ValueReader(source: source, profile: profile)
                guard let value = try? reader.argument(member.value, field.kind, called: name) else { return nil }
                field.set(&profile, value)
                found.append(Draft.Setting(name, value))
            } else {
                guard name != ProfileReader.framesName, member.value.members != nil,
                    let inner = settings(member.value, "\(name).", &profile)
                else { return nil }
                found += inner
            }
        }
        return found
    }

    private func move(_ node: SourceNode, _ steps: StepReader) -> Move? {
        guard let member = node.members?.first(where: { !StepReader.beside.contains($0.name) }) else { return nil }
        let anchor = node["at"].map(YAMLWriter.of)
        switch steps.kind(of: member) {
        case .wait:
            let span = (try? steps.values.argument(member.value, .duration, called: "wait"))
            if case .duration(let span)? = span, member.value.members == nil { return .rest(span) }
            return Move(.wait(YAMLWriter.of(member.value), within: node["within"].map(YAMLWriter.of)))
        case .act(let who):
            let names = NameReader(values: steps.values, roster: steps.roster, labels: steps.labels, step: nil)
            let reader = ActionReader(names: names, log: log, step: nil)
            guard let action = reader.action(member.value, by: who, as: node["as"]) else { return nil }
            // Omit the clients, because the move stores them separately and the writer turns them into the step's
            // prefix.
            let values = action.arguments.values.filter { $0.name != "client" && $0.name != "clients" }
            let arguments = Arguments(values, label: action.arguments.label)
            return Move(.act(action.entry, arguments), clients: action.clients, anchor: anchor)
        case nil: return nil
        }
    }
}

/// Converts a node back to YAML.
enum YAMLWriter {
    /// Returns a scalar or an empty collection on one line, and any other node in block style.
    static func of(_ node: SourceNode) -> String {
        switch node.kind {
        // An unquoted scalar must remain unquoted, because it may be a number or a reference.
        case .scalar(let text, quoted: false): text
        case .scalar(let text, quoted: true): String(decoding: JSON.string(text).encode(), as: UTF8.self)
        case .list(let items):
            items.isEmpty ? "[]" : items.map { block("-", $0) }.joined(separator: "\n") + "\n"
        case .mapping(let members):
            members.isEmpty
                ? "{}" : members.map { block("\(of($0.key)):", $0.value) }.joined(separator: "\n") + "\n"
        }
    }

    private static func block(_ head: String, _ value: SourceNode) -> String {
        let text = of(value)
        guard text.contains("\n") else { return "\(head) \(text)" }
        return "\(head)\n" + text.split(separator: "\n").map { "  \($0)" }.joined(separator: "\n")
    }
}
