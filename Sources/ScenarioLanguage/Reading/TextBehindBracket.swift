import SquallCore

/// Text after the closing bracket of a value, which YAML does not allow there: `- server: { post: anna } as: news`.
struct TextBehindBracket {
    /// The bracket before the text: `}` or `]`.
    let bracket: Character
    /// The suggested correction; nil if the text does not begin with a key.
    let help: String?

    /// Finds the text that begins at `column` (counted from 1). Returns nil unless the text follows a closing bracket,
    /// with only spaces between them.
    init?(line number: Int, _ column: Int, in source: SourceText) {
        guard let line = source.line(number)?.unicodeScalars else { return nil }
        let before = String(Substring(line.prefix(max(0, column - 1))))
        guard let last = before.last(where: { $0 != " " }), last == "}" || last == "]" else { return nil }
        bracket = last
        let behind = String(Substring(line.dropFirst(max(0, column - 1)))).drop { $0 == "," || $0 == " " }
        let indentation = before.prefix { $0 == " " || $0 == "-" }
        guard let key = Self.key(behind), let first = Self.key(before.dropFirst(indentation.count)) else {
            help = nil
            return
        }
        help = "begin a new line with '\(key):', in the same column as '\(first):'"
    }

    /// Returns the key at the beginning of the text; nil if the text does not begin with a key.
    private static func key(_ text: Substring) -> String? {
        let name = text.prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "." }
        return !name.isEmpty && text.dropFirst(name.count).first == ":" ? String(name) : nil
    }
}
