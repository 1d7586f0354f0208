/// Untrusted text (a name from a file, a value, text from a peer) made safe for terminals, logs and reports.
///
/// Control characters could manipulate the terminal, line breaks could forge log lines, and direction marks could
/// reorder a line. Line breaks become spaces or LF; other unsafe characters become U+FFFD. The text is processed scalar
/// by scalar, because a `Character` can combine CR LF, or hide a scalar under a combining mark.
package struct SanitizedText: Hashable, Sendable, CustomStringConvertible {
    package let description: String

    /// Creates single-line text: tabs and line breaks become spaces.
    package init(_ text: some StringProtocol) {
        description = Self.shown(text) { $0 == "\n" || $0 == "\t" ? " " : $0 }
    }

    /// Creates text that keeps its tabs and line breaks; every line break becomes LF.
    package init(lines text: some StringProtocol) {
        description = Self.shown(text) { $0 }
    }

    private static func shown(_ text: some StringProtocol, space: (Unicode.Scalar) -> Unicode.Scalar) -> String {
        var kept = String.UnicodeScalarView()
        var last: Unicode.Scalar?
        for scalar in text.unicodeScalars {
            switch scalar {
            // CR LF is a single line break.
            case "\n" where last == "\r": break
            case "\n", "\r", "\u{85}", "\u{2028}", "\u{2029}": kept.append(space("\n"))
            case "\t": kept.append(space("\t"))
            case _ where scalar.isShowable: kept.append(scalar)
            default: kept.append("\u{FFFD}")
            }
            last = scalar
        }
        return String(kept)
    }

    // MARK: - Escaped forms

    /// The text escaped for XML 1.0 or HTML, as content or as a quoted attribute.
    package var markup: String {
        replacing(["&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;"])
    }

    /// The text escaped for use as the message of a GitHub workflow command.
    package var workflowMessage: String {
        replacing(["%": "%25", "\n": "%0A"])
    }

    /// The text escaped for use as a property value in a GitHub workflow command; a comma or colon would end the value.
    package var workflowProperty: String {
        replacing(["%": "%25", "\n": "%0A", ",": "%2C", ":": "%3A"])
    }

    /// The text, altered so that GitHub does not recognise any workflow command in it.
    ///
    /// GitHub recognises commands by `::` at the beginning of a line, and by `##[` anywhere.
    package var workflowLog: String {
        let lines = description.split(separator: "\n", omittingEmptySubsequences: false).map { line -> String in
            let begins = line.drop { $0.isWhitespace }
            let margin = line.prefix(line.count - begins.count)
            return begins.unicodeScalars.starts(with: "::".unicodeScalars) ? "\(margin)\u{FFFD}\(begins)" : String(line)
        }
        var kept = String.UnicodeScalarView()
        for scalar in lines.joined(separator: "\n").unicodeScalars {
            if scalar == "[", kept.suffix(2).elementsEqual("##".unicodeScalars) { kept.append(" ") }
            kept.append(scalar)
        }
        return String(kept)
    }

    private func replacing(_ table: [Unicode.Scalar: String]) -> String {
        description.unicodeScalars.reduce(into: "") {
            $0.unicodeScalars.append(contentsOf: (table[$1] ?? String($1)).unicodeScalars)
        }
    }
}

extension Unicode.Scalar {
    /// Whether the scalar is safe to print: not a control character, a line break, a direction mark or a noncharacter.
    package var isShowable: Bool {
        switch value {
        case 0..<0x20, 0x7F...0x9F, 0xFFFE, 0xFFFF, 0x61C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: false
        default: true
        }
    }
}
