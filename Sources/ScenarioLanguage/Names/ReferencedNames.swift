import ScenarioModel
import SquallCore
import TemporalLogic

/// The texts of a case's script, settings and clients, which the keys of its expectations are checked against.
///
/// Conversations and users are not declared; they exist once a step opens, posts to or acts for them. A key that no
/// other text in the file contains is a misspelling, and an expectation about it would judge nothing.
struct ReferencedNames {
    private let source: SourceText
    /// False for a run that is controlled by a program, whose conversations appear in no file.
    private let hasScript: Bool
    private var texts: [String]

    init(_ root: SourceNode, _ roster: ClientRoster, _ source: SourceText) {
        self.source = source
        let steps = root["script"]?.list ?? []
        hasScript = !steps.isEmpty
        texts = roster.clients.map(\.name)
        for step in steps {
            // A wait expects a name like an expectation does; it does not create it.
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

    /// Whether the text contains the key as a whole word, as the wire frames in a script do.
    private static func has(_ text: String, _ key: Substring) -> Bool {
        text.ranges(of: key).contains { range in
            let before = range.lowerBound == text.startIndex ? nil : text[text.index(before: range.lowerBound)]
            let behind = range.upperBound == text.endIndex ? nil : text[range.upperBound]
            return [before, behind].allSatisfy { $0.map { !$0.isLetter && !$0.isNumber && $0 != "_" } ?? true }
        }
    }
}
