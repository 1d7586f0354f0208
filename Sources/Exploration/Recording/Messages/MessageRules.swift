import SquallCore

/// The rules that reproduce a recorded server's answers to its client, in script order.
struct MessageRules: Sendable {
    private(set) var all: [MessageRule] = []
    /// Notes for the user about answers that the rules do not reproduce.
    private(set) var gaps: [String] = []
    private let turns: [MessageTurns.Turn]
    private var labels: Set<String> = []

    /// The maximum number of distinct answers to reproduce for one request.
    private static let most = 8

    init(_ turns: [MessageTurns.Turn]) {
        self.turns = turns
        var kinds: [(kind: JSON, turns: [Int])] = []
        for (index, turn) in turns.enumerated() {
            let kind = turn.message.kind == .opening ? .null : MessageShape.pattern(of: turn.message.content)
            if let place = kinds.firstIndex(where: { $0.kind == kind }) {
                kinds[place].turns.append(index)
            } else {
                kinds.append((kind, [index]))
            }
        }
        for (kind, members) in kinds { add(kind == .null ? Optional<JSON>.none : kind, members) }
        // The rules are sorted by specificity. The sort is stable, so rules with equal patterns keep their order.
        all = all.enumerated().sorted { ($1.element.literals, $0.offset) < ($0.element.literals, $1.offset) }
            .map(\.element)
    }

    private func answers(to turn: Int) -> [MessageRule.Answer] {
        turns[turn].answers.map { MessageRule.Answer($0, to: turns[turn]) }
    }

    private mutating func add(_ kind: JSON?, _ members: [Int]) {
        let answers = members.map(answers)
        let contents = answers.map { $0.map(\.content) }
        // An opening handshake without an answer needs no rule. A message without an answer needs a rule, so that steps
        // can wait for the message.
        if kind == nil, contents.allSatisfy(\.isEmpty) { return }
        let base = Self.label(of: kind)
        guard Set(contents).count > 1 else { return append(kind, answers[0], nil, base, members) }
        if let kind, let leaf = decidingLeaf(members, contents) {
            var seen: [JSON] = []
            for (place, turn) in members.enumerated() {
                guard let value = turns[turn].leaves.first(where: { $0.path == leaf.path })?.value,
                    !seen.contains(value)
                else { continue }
                seen.append(value)
                let same = members.filter { other in
                    turns[other].leaves.contains { $0.path == leaf.path && $0.value == value }
                }
                let required = value.stringValue.map { JSON.string(MessageLeaf.escaped($0)) } ?? value
                append(kind.requiring(required, at: leaf.path), answers[place], nil, base, same)
            }
            return
        }
        // The same request received different answers. The rules give them in recorded order, then repeat the last one.
        var runs: [(first: Int, turns: [Int])] = []
        for (place, turn) in members.enumerated() {
            if let last = runs.last, contents[last.first] == contents[place] {
                runs[runs.count - 1].turns.append(turn)
            } else {
                runs.append((place, [turn]))
            }
        }
        if runs.count > Self.most {
            gaps.append("the answers to \(base) after the first \(Self.most) different ones: the last of these repeats")
            let rest = runs[Self.most...].flatMap(\.turns)
            runs.removeSubrange(Self.most...)
            runs[Self.most - 1].turns += rest
        }
        for (place, run) in runs.enumerated() {
            let isLast = place == runs.count - 1
            append(kind, answers[run.first], isLast ? nil : Int64(run.turns.count), base, run.turns)
        }
    }

    /// Returns a value in the request that determines the answer: all requests with that value received the same
    /// answer.
    private func decidingLeaf(_ members: [Int], _ contents: [[JSON]]) -> MessageLeaf? {
        let first = turns[members[0]].leaves
        return first.first { leaf in
            guard !leaf.path.isEmpty, !leaf.isIdentity else { return false }
            var answers: [JSON: [JSON]] = [:]
            for (place, turn) in members.enumerated() {
                guard let value = turns[turn].leaves.first(where: { $0.path == leaf.path })?.value else { return false }
                guard answers[value, default: contents[place]] == contents[place] else { return false }
                answers[value] = contents[place]
            }
            // A member whose value is different in every request, such as a time or the text of a message, does not
            // determine the answer.
            return answers.count < members.count || answers.count <= 3
        }
    }

    private mutating func append(
        _ kind: JSON?,
        _ answers: [MessageRule.Answer],
        _ count: Int64?,
        _ base: String,
        _ members: [Int]
    ) {
        var pattern = kind
        for leaf in turns[members[0]].leaves where answers.contains(where: { $0.uses(leaf.hole) }) && !leaf.path.isEmpty
        {
            pattern = pattern?.requiring(.string("{\(leaf.hole)}"), at: leaf.path)
        }
        var label = base
        var number = 1
        while !labels.insert(label).inserted {
            number += 1
            label = "\(base)-\(number)"
        }
        all.append(MessageRule(pattern: pattern, answers: answers, count: count, label: label, turns: members))
    }

    /// Returns a label made from the pattern's literal values, such as `subscribe-news`.
    private static func label(of kind: JSON?) -> String {
        guard let kind else { return "opening" }
        var words: [String] = []
        func collect(_ value: JSON) {
            switch value {
            case .string(let text): words.append(text)
            case .integer(let number): words.append("\(number)")
            case .array(let elements): elements.forEach(collect)
            case .object(let members): for member in members { collect(member.value) }
            case .null, .bool, .number: break
            }
        }
        collect(kind)
        let named = words.filter { !$0.hasPrefix("{") }.joined(separator: "-")
        let sign = named.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "-" }
        let parts = String(sign).split(separator: "-").joined(separator: "-").prefix(32)
        return parts.first?.isLetter == true ? String(parts) : parts.isEmpty ? "message" : "message-\(parts)"
    }
}
