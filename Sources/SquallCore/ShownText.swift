/// Text of somebody else's (a name out of a file, a value, a peer's word) as every text report shows it.
///
/// A terminal obeys control characters, a log is read by its lines, and marks of direction turn a line around before its reader's eyes: of
/// each only a sign is left that something stood there. All of it goes by scalars: to a `Character`, CR LF is one, and a combining
/// mark hides what it stands on.
package struct ShownText: Hashable, Sendable, CustomStringConvertible {
    package let description: String

    /// On one line.
    package init(_ text: some StringProtocol) {
        description = Self.shown(text) { $0 == "\n" || $0 == "\t" ? " " : $0 }
    }

    /// With its tabs and the breaks between its lines.
    package init(lines text: some StringProtocol) {
        description = Self.shown(text) { $0 }
    }

    private static func shown(_ text: some StringProtocol, space: (Unicode.Scalar) -> Unicode.Scalar) -> String {
        var kept = String.UnicodeScalarView()
        var last: Unicode.Scalar?
        for scalar in text.unicodeScalars {
            switch scalar {
            // CR LF is one break.
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

    // MARK: - Where it is to stand

    /// In XML 1.0 or HTML, as text or in quotes.
    package var markup: String {
        replacing(["&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;"])
    }

    /// The message of a workflow command of GitHub's.
    package var workflowMessage: String {
        replacing(["%": "%25", "\n": "%0A"])
    }

    /// The value of such a command's property: commas and colons end it.
    package var workflowProperty: String {
        replacing(["%": "%25", "\n": "%0A", ",": "%2C", ":": "%3A"])
    }

    /// A line of a log in which GitHub looks for commands, and finds none here: they begin a line with `::`, or stand anywhere behind `##[`.
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
    /// Whether it is only seen, on its line and in its place: neither a control character nor a break of a line nor a mark of direction.
    package var isShowable: Bool {
        switch value {
        case 0..<0x20, 0x7F...0x9F, 0xFFFE, 0xFFFF, 0x61C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: false
        default: true
        }
    }
}
