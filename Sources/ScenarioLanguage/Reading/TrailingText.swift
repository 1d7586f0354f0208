import SquallCore

/// Text after the closing bracket of a value, which YAML does not allow there: `- server: { post: anna } as: news`.
struct TrailingText {
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
        help = KeyBehindValue(before: before, in: source, line: number)?.help
    }
}

/// A key on the same line as the value before it: `- network: drop, as: tunnel`.
struct KeyBehindValue {
    let key: String
    /// The suggested correction.
    let help: String

    /// Finds the key that follows `before`, a prefix of the line. Returns nil unless the line begins with one key and
    /// has another after `before`.
    init?(before: String, in source: SourceText, line number: Int) {
        guard let line = source.line(number) else { return nil }
        let behind = String(Substring(line.unicodeScalars.dropFirst(before.unicodeScalars.count)))
            .drop { $0 == "," || $0 == " " }
        let indentation = before.prefix { $0 == " " || $0 == "-" }
        guard let key = Self.key(behind), let first = Self.key(before.dropFirst(indentation.count)) else { return nil }
        self.key = key
        guard indentation.isEmpty, source.lineCount == 1 else {
            help = "begin a new line with '\(key):', in the same column as '\(first):'"
            return
        }
        // A step typed at a prompt is a single line, so the suggestion must not require a second line.
        let value = before.reversed().drop { $0 == "," || $0 == " " }.reversed()
        help = "write it in braces: { \(String(value)), \(behind) }"
    }

    /// Finds a keyword that ends just before `column` (counted from 1), where the parser found a colon.
    init?(endingAt column: Int, line number: Int, in source: SourceText) {
        guard let line = source.line(number)?.unicodeScalars else { return nil }
        let text = String(Substring(line.prefix(max(0, column - 1))))
        let name = String(text.reversed().prefix { $0.isLetter || $0 == "_" }.reversed())
        let before = text.dropLast(name.count)
        guard before.hasSuffix(" "),
            LanguageWord.names(LanguageWord.steps + LanguageWord.options).contains(name)
        else { return nil }
        self.init(before: String(before), in: source, line: number)
    }

    /// Returns the key at the beginning of the text; nil if the text does not begin with a key.
    private static func key(_ text: Substring) -> String? {
        let name = text.prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "." }
        return !name.isEmpty && text.dropFirst(name.count).first == ":" ? String(name) : nil
    }
}
