import ScenarioModel
import SquallCore
import TemporalLogic

/// The `as:` names of one case: who made them, who uses them, and whether the two fit.
///
/// Steps are read in order, but a step with `at:` may stand before what it waits for; so uses are only noted, and
/// judged when all is read.
final class LabelTable {
    typealias Kind = ActionEntry.LabelKind

    fileprivate struct Definition {
        var name: String
        var kind: Kind
        /// How many messages, `x-1` to `x-n`; nil for one named `x`.
        var count: Int64?
        /// The row's step that makes it; nil where an anchor takes it out of the row, or where Squall itself makes it.
        var step: Int?
        /// Nil for a name that nobody wrote.
        var line: Int?
    }

    fileprivate struct Use {
        var node: SourceNode
        var text: Substring
        var kind: Kind
        /// The row's step that uses it; nil where order does not matter.
        var step: Int?
        /// For messages: what uses it.
        var word: String
        /// For messages: what may stand there besides.
        var instead: String?
    }

    private static let mostSuggested = 200

    private let source: SourceText
    private let log: MistakeLog
    private var definitions: [Definition] = []
    private var uses: [Use] = []
    /// Keys that name no label, but a conversation or a user, with which of both.
    private(set) var others: [(node: SourceNode, key: Substring, kind: String)] = []

    init(_ source: SourceText, _ log: MistakeLog) {
        self.source = source
        self.log = log
    }

    /// What has been named, for a book that goes on where another has ended.
    struct Names: Sendable {
        fileprivate var definitions: [Definition] = []

        init() {}
    }

    /// A book of something that comes after all that bears these names; they may be given anew.
    init(_ source: SourceText, _ log: MistakeLog, after names: Names) {
        self.source = source
        self.log = log
        definitions = names.definitions
    }

    /// All that has been named so far.
    var names: Names {
        var names = Names()
        for var definition in definitions {
            // Nobody minds any more where that was.
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
                    "the label '\(first.count == nil ? first.name : name)' is taken by line \(first.line ?? 1)",
                    help: many.map { "'\($0.name)' names \($0.members)" },
                    in: source
                )
            )
            return
        }
        definitions.append(definition)
    }

    /// A name that something has where the file gives it none, such as a fault's verb.
    func defineUnwritten(_ name: String, _ kind: Kind, step: Int?) {
        definitions.append(Definition(name: name, kind: kind, count: nil, step: step, line: nil))
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
                emit(use, "'\(name)' names \(other.kind.inWords); \(use.word) asks for \(use.kind.inWords)")
            } else if let many = definitions.first(where: { $0.name == name }) {
                emit(use, "'\(name)' is several messages", help: "they are \(many.members)")
            } else {
                let known = definitions.lazy.filter { $0.kind == use.kind }.prefix(Self.mostSuggested).map(\.shown)
                let near = Suggestion.nearest(to: name, among: known).map { "did you mean '\($0)'?" }
                let help =
                    near ?? use.instead
                    ?? (known.isEmpty
                        ? "'as: \(name)' beside a step names what it makes"
                        : Suggestion.help(for: name, among: Array(known)))
                emit(use, "nothing is named '\(name)'", help: help)
            }
            return
        }
        if let step = use.step, let defined = best.step, defined >= step, let line = best.line {
            emit(use, "'\(name)' is used before line \(line) names it")
        }
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
        // Written as it is counted: neither `-01` nor `-+1`.
        guard let number = Int64(rest), String(number) == rest else { return false }
        return (1...count).contains(number)
    }

    /// Whether some message would bear the names of both.
    func collides(with other: Self) -> Bool {
        name == other.name || other.count == nil && stands(for: other.name) || count == nil && other.stands(for: name)
    }

    /// For messages, of one that is several.
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
        case .hold: "what the server holds"
        }
    }
}
