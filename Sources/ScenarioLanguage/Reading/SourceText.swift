/// The text of one file, split into lines for diagnostics.
package struct SourceText: Sendable {
    /// The path of the file as the user entered it.
    package let file: String
    package let text: String
    private let lines: [Substring.UnicodeScalarView]

    package init(file: String, text: String) {
        self.file = file
        // A byte order mark is removed, because it would shift the columns of the first line.
        self.text = text.unicodeScalars.first == "\u{FEFF}" ? String(text.unicodeScalars.dropFirst()) : text
        lines = Self.split(self.text)
    }

    /// Returns the line with the given number, counted from 1, without its line break; nil beyond the end of the file.
    package func line(_ number: Int) -> String? {
        guard lines.indices.contains(number - 1) else { return nil }
        return String(Substring(lines[number - 1]))
    }

    var lineCount: Int { lines.count }

    var lastLineLength: Int { lines.last?.count ?? 0 }

    /// The maximum number of characters to split into lines. The reader rejects longer files, so no diagnostic needs
    /// the remaining lines.
    private static let longestSplit = 2 * YAMLReader.sizeLimit

    /// Splits text at YAML 1.1 line breaks: CR LF, CR, LF, NEL, LS and PS.
    private static func split(_ text: String) -> [Substring.UnicodeScalarView] {
        let scalars = text.unicodeScalars
        var lines: [Substring.UnicodeScalarView] = []
        var start = scalars.startIndex
        var index = start
        var rest = longestSplit
        while index < scalars.endIndex, rest > 0 {
            rest -= 1
            let scalar = scalars[index]
            let next = scalars.index(after: index)
            guard ["\n", "\r", "\u{85}", "\u{2028}", "\u{2029}"].contains(scalar) else {
                index = next
                continue
            }
            lines.append(scalars[start..<index])
            let isPair = scalar == "\r" && next < scalars.endIndex && scalars[next] == "\n"
            index = isPair ? scalars.index(after: next) : next
            start = index
        }
        lines.append(scalars[start...])
        return lines
    }
}
