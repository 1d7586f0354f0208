import ScenarioModel
import SquallCore
import TemporalLogic

/// The strings in the script, the settings and the clients of a case. Every key in the case's expectations must occur
/// in one of them.
///
/// Conversations and users are not declared; they exist once a step opens them, posts to them or acts for them. A key
/// that occurs nowhere else in the file is misspelled, and an expectation about it would be meaningless.
struct ReferencedNames {
    private let source: SourceText
    /// Whether the case has a script. Without a script, a program controls the run, so the file does not mention the
    /// conversations of the run.
    private let hasScript: Bool
    private var texts: [String]

    init(_ root: SourceNode, _ roster: ClientRoster, _ source: SourceText) {
        self.source = source
        let steps = root["script"]?.list ?? []
        hasScript = !steps.isEmpty
        texts = roster.clients.map(\.name)
        for step in steps {
            // Like an expectation, a `wait` only refers to a conversation or user and does not create it.
            for member in step.members ?? [] where !["wait", "at"].contains(member.name) { add(member.value) }
        }
        for name in ["set", "server"] { root[name].map { add($0) } }
    }

    private mutating func add(_ node: SourceNode) {
        switch node.kind {
        case .scalar(let text, _): texts.append(text)
        case .list(let items): for item in items { add(item) }
        case .mapping(let members):
            for member in members {
                add(member.key)
                add(member.value)
            }
        }
    }

    func check(_ keys: [(node: SourceNode, key: Substring, kind: String)], _ log: MistakeLog) {
        guard hasScript else { return }
        for (node, key, kind) in keys where !log.isFull && !texts.contains(where: { Self.has($0, key) }) {
            let near = Suggestion.nearest(to: String(key), among: texts)
            log.add(
                node.mistake(
                    about: key,
                    "unknown \(kind) '\(key)'",
                    help: near.map { "did you mean '\($0)'?" } ?? "no step of the script names it",
                    in: source
                )
            )
        }
    }

    /// Returns whether the text contains the key as a whole word, for example within a wire frame.
    private static func has(_ text: String, _ key: Substring) -> Bool {
        text.ranges(of: key).contains { range in
            let before = range.lowerBound == text.startIndex ? nil : text[text.index(before: range.lowerBound)]
            let behind = range.upperBound == text.endIndex ? nil : text[range.upperBound]
            return [before, behind].allSatisfy { $0.map { !$0.isLetter && !$0.isNumber && $0 != "_" } ?? true }
        }
    }
}
