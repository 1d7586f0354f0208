/// Detects a missing space where YAML requires one: after the `-` of a list item or the `:` of a key.
///
/// Without it, YAML parses `-user: …` as a key named `-user`, and `wait:{ …` as part of a string.
enum MissingSpace {
    /// Returns the help text for a mapping whose first key begins with `-` because the author meant a list; nil for
    /// other mappings.
    static func help(forItems node: SourceNode) -> String? {
        node.members?.first.flatMap { item($0.name) }
    }

    /// Returns the help text for a key such as `wait:{ connection.state`; nil for other keys.
    static func help(forKey name: String) -> String? {
        guard let colon = name.firstIndex(of: ":"), colon != name.startIndex, !name[..<colon].contains(" ") else {
            return nil
        }
        let behind = name.index(after: colon)
        guard behind < name.endIndex, name[behind] == "{" || name[behind] == "[" else { return nil }
        return "write a space after the colon: '\(name[..<colon].description.shortened): \(name[behind])'"
    }

    /// Returns the help text for a syntax error caused by a missing space; nil if no space is missing. The space may be
    /// missing from the given line or from the one before it, because the parser reports the error only where it cannot
    /// continue.
    static func help(before line: Int, in source: SourceText) -> String? {
        for number in [line - 1, line] {
            guard let text = source.line(number)?.drop(while: { $0 == " " }) else { continue }
            if let help = item(String(text.prefix { $0 != ":" })) { return "line \(number): \(help)" }
            let key = text.drop { $0 == "-" || $0 == " " }
            if let help = help(forKey: String(key)) { return "line \(number): \(help)" }
        }
        return nil
    }

    private static func item(_ name: String) -> String? {
        guard name.hasPrefix("-"), let first = name.dropFirst().first, first.isLetter else { return nil }
        return "write a space after the '-': '- \(String(name.dropFirst()).shortened)'"
    }
}
