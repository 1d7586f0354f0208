import SquallCore

/// A YAML node with its location.
struct SourceNode: Sendable {
    indirect enum Kind: Sendable {
        /// A scalar; `quoted` distinguishes `"1"` from `1`.
        case scalar(String, quoted: Bool)
        case list([SourceNode])
        case mapping([Member])
    }

    struct Member: Sendable {
        var key: SourceNode
        var value: SourceNode

        var name: String { key.scalar ?? "" }
    }

    var kind: Kind
    /// The line number, from 1.
    var line: Int
    /// The column, from 1.
    var column: Int

    var scalar: String? {
        if case .scalar(let text, _) = kind { text } else { nil }
    }

    /// The text of an unquoted scalar; nil for any other node. Only an unquoted scalar can be a number, a flag, null or
    /// a profile value.
    var plain: String? {
        if case .scalar(let text, quoted: false) = kind { text } else { nil }
    }

    var list: [SourceNode]? {
        if case .list(let items) = kind { items } else { nil }
    }

    var members: [Member]? {
        if case .mapping(let members) = kind { members } else { nil }
    }

    subscript(name: String) -> SourceNode? {
        members?.first { $0.name == name }?.value
    }

    var isNull: Bool {
        guard let plain else { return false }
        return plain.isEmpty || plain == "null" || plain == "~"
    }

    /// Whether the node is an empty value or an empty mapping.
    var isEmpty: Bool {
        plain?.isEmpty ?? members?.isEmpty ?? false
    }

    /// The range of lines from the start of this node to the start of its last descendant.
    var lines: ClosedRange<Int> {
        switch kind {
        case .scalar: line...line
        case .list(let items): line...items.reduce(line) { max($0, $1.lines.upperBound) }
        case .mapping(let members): line...members.reduce(line) { max($0, $1.value.lines.upperBound) }
        }
    }

    /// The number of nodes in the tree, including this one.
    var size: Int {
        switch kind {
        case .scalar: 1
        case .list(let items): items.reduce(1) { $0 + $1.size }
        case .mapping(let members): members.reduce(1) { $0 + 1 + $1.value.size }
        }
    }

    /// The number of columns that a diagnostic about the node underlines.
    var width: Int {
        guard case .scalar(let text, let quoted) = kind else { return 1 }
        let length = text.unicodeScalars.prefix { $0 != "\n" }.count
        return max(1, length + (quoted ? 2 : 0))
    }

    /// The node as a phrase for messages: `a list of 2`, `'text'`.
    var inWords: String {
        switch kind {
        case .scalar(let text, _): text.isEmpty ? "nothing" : "'\(text.shortened)'"
        case .list(let items):
            items.isEmpty ? "an empty list" : items.count == 1 ? "a list of one" : "a list of \(items.count)"
        case .mapping: "a mapping"
        }
    }

    func location(in source: SourceText) -> SourceLocation {
        SourceLocation(file: source.file, line: line, column: column)
    }

    /// Creates a diagnostic about this node.
    func mistake(_ message: String, help: String? = nil, in source: SourceText) -> Diagnostic {
        Diagnostic(at: location(in: source), width: width, message, help: help)
    }

    /// Creates a diagnostic about part of this scalar. It points to that part if the source line contains the scalar
    /// verbatim, and to the whole scalar otherwise.
    func mistake(
        about part: Substring,
        _ message: String,
        help: String? = nil,
        in source: SourceText
    ) -> Diagnostic {
        var diagnostic = mistake(message, help: help, in: source)
        guard case .scalar(let text, let quoted) = kind, let line = source.line(line) else { return diagnostic }
        let offset = text.unicodeScalars.distance(from: text.startIndex, to: part.startIndex) + (quoted ? 1 : 0)
        let start = column - 1 + offset
        let there = line.unicodeScalars.dropFirst(start).prefix(part.unicodeScalars.count)
        guard !part.isEmpty, there.elementsEqual(part.unicodeScalars) else { return diagnostic }
        diagnostic.location.column = start + 1
        diagnostic.width = part.unicodeScalars.count
        return diagnostic
    }
}
