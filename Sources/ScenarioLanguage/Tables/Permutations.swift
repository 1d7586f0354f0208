import SquallCore
import TemporalLogic

/// Reads `permutations of [a, b, c]`, which creates a case for every order of the list.
enum Permutations {
    private static let words = "permutations of"
    /// The maximum number of items: six items have 720 permutations, seven have 5040.
    private static let maximumItems = 6

    /// Returns all permutations, beginning with the given order; nil if the node does not begin with `permutations of`.
    static func read(_ node: SourceNode, _ source: SourceText, _ log: MistakeLog) -> [SourceNode]? {
        guard let list = list(node, source, log) else { return nil }
        guard let items = list.list, !items.isEmpty, items.count <= maximumItems else {
            log.add(
                node.mistake(
                    "'\(words)' takes a list of one to \(maximumItems) items",
                    help: "order: \(words) [a, b, c]",
                    in: source
                )
            )
            return [node]
        }
        return orders(of: items).map { order in
            SourceNode(kind: .list(order), line: node.line, column: node.column)
        }
    }

    /// Returns the list after `permutations of`. YAML parses `permutations of [a, b]` as a string in block style, and
    /// as the mapping `{ permutations of: [a, b] }` inside braces.
    private static func list(_ node: SourceNode, _ source: SourceText, _ log: MistakeLog) -> SourceNode? {
        if let members = node.members, members.count == 1, members[0].name == words { return members[0].value }
        guard let text = node.scalar, text.hasPrefix(words) else { return nil }
        let nothing = SourceNode(kind: .list([]), line: node.line, column: node.column)
        guard let items = try? YAMLReader.read(SourceText(file: source.file, text: String(text.dropFirst(words.count))))
        else { return nothing }
        return items.standing(at: node)
    }

    private static func orders(of items: [SourceNode]) -> [[SourceNode]] {
        guard items.count > 1 else { return [items] }
        return items.indices.flatMap { index in
            var rest = items
            let first = rest.remove(at: index)
            return orders(of: rest).map { [first] + $0 }
        }
    }
}

extension SourceNode {
    /// Returns a copy of the tree in which every node has the location of `place`.
    fileprivate func standing(at place: SourceNode) -> SourceNode {
        var node = self
        (node.line, node.column) = (place.line, place.column)
        switch kind {
        case .scalar: break
        case .list(let items): node.kind = .list(items.map { $0.standing(at: place) })
        case .mapping(let members):
            node.kind = .mapping(
                members.map { Member(key: $0.key.standing(at: place), value: $0.value.standing(at: place)) }
            )
        }
        return node
    }
}
