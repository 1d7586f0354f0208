import SquallCore
import TemporalLogic

/// The parts of a name in a scenario file: `anna.client.backoff.began[hello]#3 + 500ms`.
struct NameText {
    /// The name before the brackets, including the client's prefix.
    var path: Substring
    /// The text in the brackets; nil if there are none.
    var key: Substring?
    var ordinal: Int?
    /// The text after the plus sign; nil if there is none.
    var offset: Substring?
    /// The complete text, for error messages.
    var text: String

    static func parse(_ node: SourceNode, in source: SourceText) throws(Diagnostic) -> NameText {
        guard let text = node.scalar else {
            throw node.mistake("expected a name, not \(node.inWords)", in: source)
        }
        let path = text.prefix { $0 != "[" && $0 != "#" && !$0.isWhitespace && $0 != "+" }
        var name = NameText(path: path, key: nil, ordinal: nil, offset: nil, text: text)
        var rest = text[path.endIndex...]
        if rest.first == "[" {
            guard let end = rest.firstIndex(of: "]") else {
                throw node.mistake(about: rest, "missing ']'", in: source)
            }
            let key = rest[rest.index(after: rest.startIndex)..<end]
            guard !key.isEmpty else {
                throw node.mistake(
                    about: rest,
                    "empty brackets",
                    help: "write a label or a conversation in the brackets",
                    in: source
                )
            }
            name.key = key
            rest = rest[rest.index(after: end)...]
        }
        if rest.first == "#" {
            let digits = rest.dropFirst().prefix { $0.isASCII && $0.isNumber }
            guard let ordinal = Int(digits), ordinal > 0 else {
                throw node.mistake(about: rest, "expected a number from 1 after '#', as in '\(path)#2'", in: source)
            }
            name.ordinal = ordinal
            rest = rest[digits.endIndex...]
        }
        let tail = rest.drop(while: \.isWhitespace)
        if tail.first == "+" {
            name.offset = tail.dropFirst().drop(while: \.isWhitespace)
        } else if tail.first == "-" {
            throw node.mistake(about: tail, "an offset cannot be negative", in: source)
        } else if !rest.isEmpty {
            throw node.mistake(
                about: rest,
                "unexpected '\(rest)' in a name",
                help: condition(tail, of: path) ?? "the full form is 'who.did.what[label]#2 + 500ms'",
                in: source
            )
        }
        return name
    }

    /// Returns the help text for a comparison of `path` written as in a programming language, such as `connection.state
    /// == connected`. `tail` is the operator and the text after it.
    private static func condition(_ tail: some StringProtocol, of path: Substring) -> String? {
        let sign = String(tail.prefix { "=!<>".contains($0) })
        let value = tail.dropFirst(sign.count).drop(while: \.isWhitespace)
        let shown = value.isEmpty ? "…" : String(value)
        switch sign {
        case "<": return "write \(path): { less_than: \(shown) }"
        case "<=": return "write \(path): { at_most: \(shown) }"
        case ">": return "write \(path): { more_than: \(shown) }"
        case ">=": return "write \(path): { at_least: \(shown) }"
        case "!=": return "write a 'never' with \(path): \(shown)"
        case "=", "==": return "write \(path): \(shown)"
        default: return nil
        }
    }
}
