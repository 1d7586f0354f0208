import ScenarioModel
import SquallCore
import TemporalLogic

/// Reads single values of a given kind from a scenario file.
struct ValueReader {
    let source: SourceText
    /// The profile in which `$name` is looked up.
    let profile: Profile

    /// Reads a value of the given kind; `name` is the value's name in error messages.
    func argument(
        _ node: SourceNode,
        _ kind: ParameterKind,
        called name: String
    ) throws(Diagnostic) -> ArgumentValue {
        switch kind {
        case .text: return .text(try text(node, called: name))
        case .integer(let range): return .integer(try integer(node, in: range, called: name))
        case .duration: return .duration(try duration(node, called: name))
        case .flag: return .flag(try flag(node, called: name))
        case .word(let words): return .text(try word(node, among: words, called: name))
        case .label: return .text(try label(node, called: name))
        case .list(let kind):
            var values: [ArgumentValue] = []
            for item in node.list ?? [node] {
                values.append(try argument(item, kind, called: name))
            }
            return .list(values)
        case .json: return .json(try json(node, called: name))
        }
    }

    // MARK: - Kinds

    func text(_ node: SourceNode, called name: String) throws(Diagnostic) -> String {
        if let reference = try reference(node) {
            guard case .text(let text) = reference.value else {
                throw wrong(node, name, "a text", help: "\(reference.name) is \(reference.value.inWords)")
            }
            return text
        }
        guard let text = node.scalar else { throw wrong(node, name, "a text") }
        guard !node.isEmpty || node.plain == nil else {
            throw wrong(node, name, "a text", help: "write \"\" for an empty text")
        }
        return text
    }

    func integer(
        _ node: SourceNode,
        in range: ClosedRange<Int64>,
        called name: String
    ) throws(Diagnostic) -> Int64 {
        let number: Int64
        if let reference = try reference(node) {
            guard case .integer(let value) = reference.value else {
                throw wrong(node, name, "a whole number", help: "\(reference.name) is \(reference.value.inWords)")
            }
            number = value
        } else if let value = node.plain.flatMap({ Int64($0) }) {
            number = value
        } else {
            let isQuoted = node.plain == nil && node.scalar.flatMap { Int64($0) } != nil
            throw wrong(node, name, "a whole number", help: isQuoted ? "write it without quotes" : nil)
        }
        guard range.contains(number) else {
            throw node.mistake(
                "'\(name)' must be \(Self.words(for: range)), not \(number)",
                in: source
            )
        }
        return number
    }

    /// Reads a duration. Only a clock skew, a clock jump or a UTC offset may be negative.
    func duration(_ node: SourceNode, called name: String) throws(Diagnostic) -> TimeSpan {
        let span: TimeSpan
        if let reference = try reference(node) {
            guard case .duration(let value) = reference.value else {
                throw wrong(node, name, "a duration", help: "\(reference.name) is \(reference.value.inWords)")
            }
            span = value
        } else {
            guard let text = node.scalar else { throw wrong(node, name, "a duration") }
            guard let value = DurationText.parseSigned(text) else {
                throw wrong(node, name, "a duration", help: DurationText.help(for: text))
            }
            span = value
        }
        let mayBeNegative = ["skew", "clock_jump", "utc_offset"].contains { name.hasSuffix($0) }
        guard span >= .zero || mayBeNegative else {
            throw node.mistake("'\(name)' cannot be negative", in: source)
        }
        return span
    }

    /// The maximum length of a pause, a bound, an offset or `play_on`, all of which can prolong a run. Simulating a
    /// longer run with a client that sends heartbeats would take minutes.
    static let maximumLength = TimeSpan.seconds(1_000 * 3_600)

    /// Reads a duration that can prolong a run.
    func length(_ node: SourceNode, called name: String) throws(Diagnostic) -> TimeSpan {
        let span = try duration(node, called: name)
        guard span <= Self.maximumLength else {
            throw node.mistake(
                "'\(name)' can be at most \(Self.maximumLength), not \(span)",
                help: "to move only the clock of a phone, write device: { clock_jump: \(span) }",
                in: source
            )
        }
        return span
    }

    func positiveDuration(_ node: SourceNode, called name: String) throws(Diagnostic) -> TimeSpan {
        let span = try length(node, called: name)
        guard span > .zero else {
            throw node.mistake("'\(name)' must be longer than 0", in: source)
        }
        return span
    }

    func flag(_ node: SourceNode, called name: String) throws(Diagnostic) -> Bool {
        if let reference = try reference(node) {
            guard case .flag(let flag) = reference.value else {
                throw wrong(node, name, "true or false", help: "\(reference.name) is \(reference.value.inWords)")
            }
            return flag
        }
        switch node.plain {
        case "true", "on", "yes": return true
        case "false", "off", "no": return false
        default:
            throw wrong(node, name, "true or false", help: "on, off, yes and no are accepted as well, without quotes")
        }
    }

    func word(_ node: SourceNode, among words: [String], called name: String) throws(Diagnostic) -> String {
        let text: String
        if let reference = try reference(node) {
            guard case .text(let value) = reference.value else {
                throw wrong(node, name, "a word", help: "\(reference.name) is \(reference.value.inWords)")
            }
            text = value
        } else {
            guard let scalar = node.scalar else {
                throw wrong(node, name, "a word", help: Suggestion.help(for: "", among: words))
            }
            text = scalar
        }
        guard words.contains(text) else {
            throw node.mistake(
                "invalid value \(node.inWords) of '\(name)'",
                help: Suggestion.help(for: text, among: words) ?? "one of: \(words.joined(separator: ", "))",
                in: source
            )
        }
        return text
    }

    /// Reads a label: a string that can be written without quotes inside `[…]`.
    func label(
        _ node: SourceNode,
        called name: String,
        kind: String = "a label",
        with others: String = ""
    ) throws(Diagnostic) -> String {
        guard let text = node.scalar, !text.isEmpty else { throw wrong(node, name, kind) }
        guard text.utf8.allSatisfy({ Self.isLabelByte($0) || others.utf8.contains($0) }) else {
            let signs = others.map { "'\($0)', " }.joined()
            throw wrong(node, name, kind, help: "\(kind) has letters, digits, \(signs)'-' and '_': 'hello-2'")
        }
        return text
    }

    private static func isLabelByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"): true
        default: false
        }
    }

    /// Reads any value as JSON. Unquoted words other than `true`, `false` and `null` become strings.
    func json(_ node: SourceNode, called name: String) throws(Diagnostic) -> JSON {
        switch node.kind {
        case .list(let items):
            var values: [JSON] = []
            for item in items { values.append(try json(item, called: name)) }
            return .array(values)
        case .mapping(let members):
            var fields: [JSONMember] = []
            for member in members { fields.append(JSONMember(member.name, try json(member.value, called: name))) }
            return .object(fields)
        case .scalar(let text, let quoted):
            if quoted { return .string(text) }
            if node.isNull { return .null }
            if let reference = try reference(node) { return reference.value.json }
            if text == "true" || text == "false" { return .bool(text == "true") }
            if let number = Int64(text) { return .integer(number) }
            return JSONNumber(text).map { .number($0) } ?? .string(text)
        }
    }

    // MARK: - Messages

    func wrong(_ node: SourceNode, _ name: String, _ kind: String, help: String? = nil) -> Diagnostic {
        node.mistake("'\(name)' must be \(kind), not \(node.inWords)", help: help, in: source)
    }

    private static func words(for range: ClosedRange<Int64>) -> String {
        if range.upperBound == .max { return "at least \(range.lowerBound)" }
        return "from \(range.lowerBound) to \(range.upperBound)"
    }
}

extension ArgumentValue {
    /// The kind of the value as a phrase for messages: `a duration`.
    var inWords: String {
        switch self {
        case .text: "a text"
        case .integer: "a number"
        case .duration: "a duration"
        case .flag: "a flag"
        case .list: "a list"
        case .json: "a value"
        }
    }

    /// The value as it appears in a trace; durations are in nanoseconds.
    var json: JSON {
        switch self {
        case .text(let text): .string(text)
        case .integer(let number): .integer(number)
        case .duration(let span): .integer(span.nanoseconds)
        case .flag(let flag): .bool(flag)
        case .list(let items): .array(items.map(\.json))
        case .json(let value): value
        }
    }
}
