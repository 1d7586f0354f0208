/// Finds a space that YAML needs and a file lacks: after the `-` of a list item, and after the `:` of a key.
///
/// Without it, YAML takes `-user: …` for a key named `-user`, and `wait:{ …` for a part of a text.
enum MissingSpace {
    /// The help for a mapping that was meant as a list, whose first key begins with a `-`.
    static func help(forItems node: SourceNode) -> String? {
        node.members?.first.flatMap { item($0.name) }
    }

    /// The help for a key such as `wait:{ connection.state`.
    static func help(forKey name: String) -> String? {
        guard let colon = name.firstIndex(of: ":"), colon != name.startIndex, !name[..<colon].contains(" ") else {
            return nil
        }
        let behind = name.index(after: colon)
        guard behind < name.endIndex, name[behind] == "{" || name[behind] == "[" else { return nil }
        return "write a space after the colon: '\(name[..<colon].description.shortened): \(name[behind])'"
    }

    /// The help for text that is no YAML, from the line of the error and the one before: a parser reports a missing
    /// space only where it can no longer read on.
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
