import ScenarioModel
import SquallCore

/// The arguments of a `server: rule` action that answers messages of one kind the way the recorded server did.
struct MessageRule: Sendable {
    /// The pattern that a message must match; nil for the opening handshake of a WebSocket.
    var pattern: JSON?
    var answers: [Answer]
    var count: Int64?
    var label: String
    /// The indices of the recorded requests (turns) that the rule answers.
    var turns: [Int]

    struct Answer: Hashable, Sendable {
        var content: JSON
        var after: TimeSpan
    }

    var arguments: Arguments {
        var values: [(name: String, value: ArgumentValue)] = []
        if let pattern { values.append(("match", .json(pattern))) } else { values.append(("on", .text("opening"))) }
        if answers.count == 1, answers[0].after == .zero {
            values.append(("reply", .json(answers[0].content)))
        } else if !answers.isEmpty {
            values.append(("replies", .json(.array(answers.map(\.json)))))
        }
        if let count { values.append(("count", .integer(count))) }
        return Arguments(values, label: label)
    }

    /// The number of literal values in the pattern. Rules with more literal values come first, because the first rule
    /// that matches is applied.
    var literals: Int { pattern?.literals ?? 0 }
}

extension MessageRule.Answer {
    /// The shortest delay to reproduce. A shorter one is processing time rather than intended server behaviour.
    private static let shortest = TimeSpan.milliseconds(20)

    init(_ message: RecordedMessage, to turn: MessageTurns.Turn) {
        let time = message.time - turn.message.time
        after = time < Self.shortest ? .zero : .milliseconds(time.nanoseconds / 10_000_000 * 10)
        content = message.content.repeating(turn.leaves, called: "")
    }

    fileprivate var json: JSON {
        var json: JSON = content.stringValue.map { ["text": .string($0)] } ?? ["frame": content]
        if after > .zero { json.set("after_ms", to: .integer(after.nanoseconds / 1_000_000)) }
        return json
    }

    /// Returns whether the answer contains the placeholder `{hole}`, which represents a value from the request.
    func uses(_ hole: String) -> Bool { content.contains("{\(hole)}") }
}

extension JSON {
    /// Returns the answer, with placeholders such as `{id}` in place of values copied from the request.
    ///
    /// `leaves` are the values in the request. `name` is the member name of this value in the answer; it is empty for
    /// the answer as a whole.
    fileprivate func repeating(_ leaves: [MessageLeaf], called name: String) -> JSON {
        func hole(_ value: JSON, _ name: String) -> String? {
            let echoes = leaves.filter { $0.echo(in: value, called: name) != nil }
            return (echoes.first { $0.name == name } ?? echoes.first).map { "{\($0.hole)}" }
        }
        switch self {
        case .string(let text) where name.isEmpty:
            return .string(
                MessageLeaf.replacingNumbers(of: text) { number, digits in
                    hole(.string(digits), "n\(number)") ?? digits
                }
            )
        case .string(let text): return .string(hole(self, name) ?? MessageLeaf.escaped(text))
        case .integer: return hole(self, name).map { .string($0) } ?? self
        case .array(let elements):
            return .array(
                elements.enumerated().map { index, element in
                    element.repeating(leaves, called: name.isEmpty ? "item\(index + 1)" : name)
                }
            )
        case .object(let members):
            return .object(members.map { JSONMember($0.name, $0.value.repeating(leaves, called: $0.name)) })
        case .null, .bool, .number: return self
        }
    }

    fileprivate func contains(_ text: String) -> Bool {
        switch self {
        case .string(let own): own.contains(text)
        case .array(let elements): elements.contains { $0.contains(text) }
        case .object(let members): members.contains { $0.value.contains(text) }
        case .null, .bool, .integer, .number: false
        }
    }

    fileprivate var literals: Int {
        switch self {
        case .string(let text): text.hasPrefix("{") ? 0 : 1
        case .array(let elements): elements.reduce(0) { $0 + $1.literals }
        case .object(let members): members.reduce(0) { $0 + $1.value.literals }
        case .null, .bool, .integer, .number: 1
        }
    }

    /// Returns the pattern, extended to require `value` at `path`; the value may be a placeholder such as `{id}`.
    func requiring(_ value: JSON, at path: some Collection<MessageLeaf.Step>) -> JSON {
        guard let step = path.first else { return value }
        let rest = path.dropFirst()
        switch step {
        case .member(let name):
            var members = members ?? []
            if let place = members.firstIndex(where: { $0.name == name }) {
                members[place].value = members[place].value.requiring(value, at: rest)
            } else {
                members.append(JSONMember(name, JSON.null.requiring(value, at: rest)))
            }
            return .object(members)
        case .element(let index, let count):
            var elements = arrayValue ?? (1...count).map { .string("{item\($0)}") }
            guard elements.indices.contains(index) else { return self }
            elements[index] = elements[index].requiring(value, at: rest)
            return .array(elements)
        }
    }
}
