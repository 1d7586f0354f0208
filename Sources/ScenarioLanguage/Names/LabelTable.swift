import ScenarioModel
import SquallCore
import TemporalLogic

/// The labels of one case, defined by `as:`, with their uses.
///
/// A step with `at:` may precede the steps that it waits for. Uses are therefore collected while reading, and checked
/// at the end.
final class LabelTable {
    typealias Kind = ActionEntry.LabelKind

    fileprivate struct Definition {
        var name: String
        var kind: Kind
        /// The number of messages, labelled `x-1` to `x-n`; nil for a single message labelled `x`.
        var count: Int64?
        /// The number of the step that defines the label. Nil for a step with `at:`, which does not run in order, and
        /// for a label defined in an earlier table.
        var step: Int?
        /// The line of the definition in the file; nil for a default label, which does not appear in the file.
        var line: Int?
    }

    fileprivate struct Use {
        var node: SourceNode
        var text: Substring
        var kind: Kind
        /// The number of the step that uses the label; nil if the order of definition and use does not matter.
        var step: Int?
        /// The construct that uses the label, for error messages.
        var word: String
        /// The help text that lists valid values other than labels, such as `start`; nil if only labels are valid.
        var instead: String?
    }

    private static let maximumSuggestions = 200

    private let source: SourceText
    private let log: MistakeLog
    private var definitions: [Definition] = []
    private var uses: [Use] = []
    /// The labels defined by invalid steps. Uses of these labels are not reported as unknown.
    private var faulty: Set<String> = []
    /// The keys in brackets that refer to conversations or users; `kind` says which.
    private(set) var others: [(node: SourceNode, key: Substring, kind: String)] = []

    init(_ source: SourceText, _ log: MistakeLog) {
        self.source = source
        self.log = log
    }

    /// A snapshot of the labels defined in a table, from which another table can be initialized.
    struct Names: Sendable {
        fileprivate var definitions: [Definition] = []

        init() {}
    }

    /// Creates a table that initially contains the labels in `names`. These labels may be redefined.
    init(_ source: SourceText, _ log: MistakeLog, after names: Names) {
        self.source = source
        self.log = log
        definitions = names.definitions
    }

    /// The labels defined so far, for use in another table.
    var names: Names {
        var names = Names()
        for var definition in definitions {
            // Later tables need only the name of a label, not the location of its definition.
            (definition.step, definition.line) = (nil, nil)
            names.definitions.removeAll { $0.name == definition.name && $0.kind == definition.kind }
            names.definitions.append(definition)
        }
        return names
    }

    func define(_ node: SourceNode, _ name: String, _ kind: Kind, count: Int64?, step: Int?) {
        let definition = Definition(name: name, kind: kind, count: count, step: step, line: node.line)
        if let first = definitions.first(where: { $0.line != nil && $0.collides(with: definition) }) {
            let many = first.name == name ? nil : first.count == nil ? definition : first
            log.add(
                node.mistake(
                    """
                    duplicate label '\(first.count == nil ? first.name : name)', already defined in line \
                    \(first.line ?? 1)
                    """,
                    help: many.map { "'\($0.name)' defines \($0.members)" },
                    in: source
                )
            )
            return
        }
        definitions.append(definition)
    }

    /// Defines the default label of a fault, or of replies that the server holds, if the file specifies no label. For
    /// example, the default label of a fault is its verb.
    func defineDefault(_ name: String, _ kind: Kind, step: Int?) {
        definitions.append(Definition(name: name, kind: kind, count: nil, step: step, line: nil))
    }

    /// Defines the label of an invalid step. The kind and number of the labelled items are unknown.
    func defineInvalid(_ name: String) {
        faulty.insert(name)
    }

    func use(
        _ node: SourceNode,
        _ text: Substring,
        _ kind: Kind,
        step: Int?,
        by word: String,
        instead: String? = nil
    ) {
        uses.append(Use(node: node, text: text, kind: kind, step: step, word: word, instead: instead))
    }

    func useOther(_ node: SourceNode, _ key: Substring, _ kind: String) {
        others.append((node, key, kind))
    }

    func check() {
        for use in uses where !log.isFull { check(use) }
    }

    private func check(_ use: Use) {
        let name = String(use.text)
        let found = definitions.filter { $0.stands(for: name) }
        guard let best = found.first(where: { $0.kind == use.kind }) else {
            if let other = found.first {
                emit(use, "'\(name)' is \(other.kind.inWords), but \(use.word) expects \(use.kind.inWords)")
            } else if let many = definitions.first(where: { $0.name == name }) {
                emit(use, "'\(name)' stands for several messages", help: "name one of \(many.members)")
            } else if !isFaulty(name) {
                let known = definitions.lazy.filter { $0.kind == use.kind }.prefix(Self.maximumSuggestions).map(\.shown)
                let near = Suggestion.nearest(to: name, among: known).map { "did you mean '\($0)'?" }
                let help =
                    near ?? use.instead
                    ?? (known.isEmpty
                        ? "define it with 'as: \(name)' next to a step"
                        : Suggestion.help(for: name, among: Array(known)))
                emit(use, "unknown label '\(name)'", help: help)
            }
            return
        }
        if let step = use.step, let defined = best.step, defined >= step, let line = best.line {
            emit(use, "'\(name)' is used before its definition in line \(line)")
        }
    }

    /// Returns whether the label is defined by an invalid step. A label such as `x-2` counts as defined if the invalid
    /// step defines `x`.
    private func isFaulty(_ name: String) -> Bool {
        if faulty.contains(name) { return true }
        guard let dash = name.lastIndex(of: "-"), Int64(name[name.index(after: dash)...]) != nil else { return false }
        return faulty.contains(String(name[..<dash]))
    }

    private func emit(_ use: Use, _ message: String, help: String? = nil) {
        log.add(use.node.mistake(about: use.text, message, help: help, in: source))
    }
}

extension LabelTable.Definition {
    fileprivate func stands(for text: String) -> Bool {
        guard let count else { return name == text }
        guard text.hasPrefix("\(name)-") else { return false }
        let rest = text.dropFirst(name.count + 1)
        // `Int64` also accepts `01` and `+1`, which are not labels.
        guard let number = Int64(rest), String(number) == rest else { return false }
        return (1...count).contains(number)
    }

    /// Returns whether the two definitions would define the same label.
    func collides(with other: Self) -> Bool {
        name == other.name || other.count == nil && stands(for: other.name) || count == nil && other.stands(for: name)
    }

    /// The labels of a definition with a count, as a phrase for messages.
    fileprivate var members: String { "'\(name)-1' to '\(name)-\(count ?? 1)'" }

    fileprivate var shown: String {
        count == nil ? name : "\(name)-1"
    }
}

extension ActionEntry.LabelKind {
    var inWords: String {
        switch self {
        case .message: "a message"
        case .upload: "a file"
        case .fault: "a fault"
        case .hold: "a held answer"
        case .rule: "a rule"
        }
    }
}
