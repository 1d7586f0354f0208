import SquallCore
import TemporalLogic

/// The parts of a name as a file writes it: `anna.client.backoff.began[hello]#3 + 500ms`.
struct NameText {
    /// With the client's prefix if there is one.
    var path: Substring
    /// What stands in the brackets; nil without brackets.
    var key: Substring?
    var ordinal: Int?
    /// What stands behind the plus.
    var offset: Substring?
    /// All of it, for messages.
    var text: String

    static func parse(_ node: SourceNode, in source: SourceText) throws(Diagnostic) -> NameText {
        guard let text = node.scalar else {
            throw node.mistake("a name was expected here, not \(node.inWords)", in: source)
        }
        let path = text.prefix { $0 != "[" && $0 != "#" && !$0.isWhitespace && $0 != "+" }
        var name = NameText(path: path, key: nil, ordinal: nil, offset: nil, text: text)
        var rest = text[path.endIndex...]
        if rest.first == "[" {
            guard let end = rest.firstIndex(of: "]") else {
                throw node.mistake(about: rest, "'[' without ']'", in: source)
            }
            let key = rest[rest.index(after: rest.startIndex)..<end]
            guard !key.isEmpty else {
                throw node.mistake(
                    about: rest,
                    "the brackets are empty",
                    help: "name a label or a conversation",
                    in: source
                )
            }
            name.key = key
            rest = rest[rest.index(after: end)...]
        }
        if rest.first == "#" {
            let digits = rest.dropFirst().prefix { $0.isASCII && $0.isNumber }
            guard let ordinal = Int(digits), ordinal > 0 else {
                throw node.mistake(about: rest, "'#' counts events from 1: '\(path)#2'", in: source)
            }
            name.ordinal = ordinal
            rest = rest[digits.endIndex...]
        }
        let tail = rest.drop(while: \.isWhitespace)
        if tail.first == "+" {
            name.offset = tail.dropFirst().drop(while: \.isWhitespace)
        } else if tail.first == "-" {
            throw node.mistake(about: tail, "an offset lies behind an event, not before it", in: source)
        } else if !rest.isEmpty {
            throw node.mistake(
                about: rest,
                "'\(rest)' does not belong to a name",
                help: "the full form is 'who.did.what[label]#2 + 500ms'",
                in: source
            )
        }
        return name
    }
}
