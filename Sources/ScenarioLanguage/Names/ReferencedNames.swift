import ScenarioModel
import SquallCore
import TemporalLogic

/// What a case speaks of: all that its script and its settings write, and its clients.
///
/// Conversations and users are declared nowhere; they come about when somebody opens, posts to or acts for them. A key
/// that nothing else in the file has is a slip, and an expectation about it holds of nothing.
struct ReferencedNames {
    private let source: SourceText
    /// Whether there is a script: a program that conducts a run speaks of conversations that no file has.
    private let hasScript: Bool
    private var texts: [String]

    init(_ root: SourceNode, _ roster: ClientRoster, _ source: SourceText) {
        self.source = source
        let steps = root["script"]?.list ?? []
        hasScript = !steps.isEmpty
        texts = roster.clients.map(\.name)
        for step in steps {
            // What is waited for is asked for as well.
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
                    "nothing in the script is about a \(kind) '\(key)'",
                    help: near.map { "did you mean '\($0)'?" } ?? "a step must name it: it shows nothing before",
                    in: source
                )
            )
        }
    }

    /// Whether the text is the key, or has it among its words, as what is said on the wire has.
    private static func has(_ text: String, _ key: Substring) -> Bool {
        text.ranges(of: key).contains { range in
            let before = range.lowerBound == text.startIndex ? nil : text[text.index(before: range.lowerBound)]
            let behind = range.upperBound == text.endIndex ? nil : text[range.upperBound]
            return [before, behind].allSatisfy { $0.map { !$0.isLetter && !$0.isNumber && $0 != "_" } ?? true }
        }
    }
}
