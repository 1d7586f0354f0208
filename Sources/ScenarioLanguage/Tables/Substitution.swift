import SquallCore
import TemporalLogic

/// Replaces `${name}` with the value that the case assigns to `name`. The value may be of any kind if `${name}` is the
/// entire text of a node; within longer text it must be a scalar.
struct Substitution {
    let values: [SourceNode.Member]
    /// The names defined by at least one case in the table.
    let known: [String]
    let `case`: String?
    let source: SourceText
    let log: MistakeLog
    private(set) var used: Set<String> = []

    init(values: [SourceNode.Member], known: [String], case: String?, source: SourceText, log: MistakeLog) {
        self.values = values
        self.known = known
        self.case = `case`
        self.source = source
        self.log = log
    }

    static func isName(_ text: some StringProtocol) -> Bool {
        !text.isEmpty && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_" || $0 == "-") }
    }

    mutating func apply(to node: SourceNode) -> SourceNode {
        var result = node
        switch node.kind {
        case .scalar(let text, _):
            if text.contains("${") { result = filled(node, text) }
        case .list(let items):
            result.kind = .list(items.map { apply(to: $0) })
        case .mapping(let members):
            var filled: [SourceNode.Member] = []
            var names: Set<String> = []
            for member in members {
                let key = apply(toKey: member.key)
                if !names.insert(key.scalar ?? "").inserted {
                    log.add(member.key.mistake("duplicate key '\(key.scalar ?? "")'", in: source))
                } else {
                    filled.append(SourceNode.Member(key: key, value: apply(to: member.value)))
                }
            }
            result.kind = .mapping(filled)
        }
        return result
    }

    private mutating func apply(toKey node: SourceNode) -> SourceNode {
        let key = apply(to: node)
        guard key.scalar == nil else { return key }
        log.add(node.mistake("\(key.inWords) cannot be a key", in: source))
        return node
    }

    private mutating func filled(_ node: SourceNode, _ text: String) -> SourceNode {
        var filled = ""
        var rest = text[...]
        while let start = rest.firstRange(of: "${") {
            filled += rest[..<start.lowerBound]
            guard let end = rest[start.upperBound...].firstIndex(of: "}") else {
                log.add(
                    node.mistake(about: rest[start.lowerBound...], "missing '}' after '${'", in: source),
                    spoiling: node
                )
                return node
            }
            let whole = rest[start.lowerBound...end]
            guard let value = value(of: rest[start.upperBound..<end], whole, node) else { return node }
            if whole.startIndex == text.startIndex, whole.endIndex == text.endIndex { return value }
            guard let part = value.scalar else {
                log.add(
                    node.mistake(
                        about: whole,
                        "'\(whole)' is \(value.inWords), which cannot be part of a text",
                        in: source
                    ),
                    spoiling: node
                )
                return node
            }
            filled += part
            rest = rest[rest.index(after: end)...]
        }
        var result = node
        if case .scalar(_, let quoted) = node.kind { result.kind = .scalar(filled + rest, quoted: quoted) }
        return result
    }

    private mutating func value(of name: Substring, _ whole: Substring, _ node: SourceNode) -> SourceNode? {
        used.insert(String(name))
        if let value = values.first(where: { $0.name == name })?.value { return value }
        if known.contains(String(name)) {
            log.add(
                node.mistake(about: whole, "the case '\(self.case ?? "")' has no value '\(name)'", in: source),
                spoiling: node
            )
        } else {
            log.add(
                node.mistake(
                    about: whole,
                    "unknown name '\(name)' in the table",
                    help: known.isEmpty
                        ? "this file has no 'with:' table" : Suggestion.help(for: String(name), among: known),
                    in: source
                ),
                spoiling: node
            )
        }
        return nil
    }
}
