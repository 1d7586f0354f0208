import SquallCore

/// Finds names that contain brackets but lack the quotes needed inside braces: `{ message.status[hello]: delivered }`.
///
/// YAML parses the brackets as a list, which makes the file invalid. The reader reports every such name, and then
/// parses the file as if the quotes were present, in order to report other errors as well.
enum BracketQuoting {
    struct Finding {
        var text: String
        var line: Int
        /// The column, from 1.
        var column: Int
    }

    /// Replaces the brackets and braces in unquoted names with private-use characters. Returns the new text and the
    /// names that must be quoted.
    static func repaired(_ text: String) -> (text: String, findings: [Finding]) {
        var scan = Scan(text)
        scan.run()
        return (String(String.UnicodeScalarView(scan.scalars)), scan.findings)
    }

    /// Returns the node with the original characters restored.
    static func restored(_ node: SourceNode) -> SourceNode {
        var node = node
        switch node.kind {
        case .scalar(let text, let quoted):
            let meant = text.unicodeScalars.map(real)
            node.kind = .scalar(String(String.UnicodeScalarView(meant)), quoted: quoted)
        case .list(let items): node.kind = .list(items.map(restored))
        case .mapping(let members):
            node.kind = .mapping(members.map { SourceNode.Member(key: restored($0.key), value: restored($0.value)) })
        }
        return node
    }

    static func diagnostic(_ finding: Finding, in source: SourceText) -> Diagnostic {
        Diagnostic(
            at: SourceLocation(file: source.file, line: finding.line, column: finding.column),
            width: finding.text.unicodeScalars.count,
            "'\(finding.text)' needs quotes between braces",
            help: "write \"\(finding.text)\"; YAML reads the brackets as a list or a mapping"
        )
    }

    /// The replacement characters, from a Unicode private use area.
    private static let pairs: [(real: Unicode.Scalar, safe: Unicode.Scalar, closing: Unicode.Scalar?)] = [
        ("[", "\u{E000}", "]"), ("]", "\u{E001}", nil), ("{", "\u{E002}", "}"), ("}", "\u{E003}", nil),
    ]

    private static func safe(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        pairs.first { $0.real == scalar }?.safe ?? scalar
    }

    private static func real(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        pairs.first { $0.safe == scalar }?.real ?? scalar
    }

    private struct Scan {
        var scalars: [Unicode.Scalar]
        var findings: [Finding] = []
        private var place = 0
        private var depth = 0
        private var line = 1
        private var lineStart = 0

        init(_ text: String) {
            scalars = Array(text.unicodeScalars)
        }

        mutating func run() {
            while place < scalars.count {
                let scalar = scalars[place]
                switch scalar {
                case "\n":
                    line += 1
                    lineStart = place + 1
                case "#" where place == lineStart || isBlank(place - 1): skipLine()
                case "\"" where beginsToken(), "'" where beginsToken(): skipQuoted(scalar)
                case "{", "[":
                    if depth > 0, followsName() {
                        repair()
                    } else if beginsToken() {
                        depth += 1
                    }
                case "}", "]": depth = max(0, depth - 1)
                default: break
                }
                place += 1
            }
        }

        private func isBlank(_ index: Int) -> Bool {
            scalars.indices.contains(index) && (scalars[index] == " " || scalars[index] == "\t")
        }

        private func beginsToken() -> Bool {
            guard place > lineStart else { return true }
            return isBlank(place - 1) || ["{", "[", ",", ":"].contains(scalars[place - 1])
        }

        /// Returns whether the current bracket directly follows a name or the dollar sign of `${name}`.
        private func followsName() -> Bool {
            guard place > lineStart else { return false }
            let before = scalars[place - 1]
            if scalars[place] == "{" { return before == "$" }
            return before.properties.isAlphabetic || before == "_" || ("0"..."9").contains(before)
        }

        /// Replaces all brackets in the unquoted scalar that contains the current bracket, and records a finding.
        private mutating func repair() {
            var start = place
            while start > lineStart, !isBlank(start - 1), !["{", "[", ","].contains(scalars[start - 1]) { start -= 1 }
            var index = place
            while index < scalars.count, !endsText(index) {
                if let pair = BracketQuoting.pairs.first(where: { $0.real == scalars[index] && $0.closing != nil }),
                    let end = scalars[index...].firstIndex(where: { $0 == pair.closing || $0 == "\n" }),
                    scalars[end] != "\n"
                {
                    for bracket in [index, end] { scalars[bracket] = BracketQuoting.safe(scalars[bracket]) }
                    index = end
                }
                index += 1
            }
            while index > start, isBlank(index - 1) { index -= 1 }
            let text = scalars[start..<index].map(BracketQuoting.real)
            findings.append(
                Finding(text: String(String.UnicodeScalarView(text)), line: line, column: start - lineStart + 1)
            )
            place = index - 1
        }

        /// Returns whether an unquoted scalar inside braces ends at `index`.
        private func endsText(_ index: Int) -> Bool {
            switch scalars[index] {
            case ",", "}", "]", "\n": true
            case ":":
                index + 1 == scalars.count || isBlank(index + 1) || [",", "}", "]", "\n"].contains(scalars[index + 1])
            default: false
            }
        }

        private mutating func skipLine() {
            while place + 1 < scalars.count, scalars[place + 1] != "\n" { place += 1 }
        }

        private mutating func skipQuoted(_ quote: Unicode.Scalar) {
            place += 1
            while place < scalars.count, scalars[place] != quote {
                if quote == "\"", scalars[place] == "\\" { place += 1 }
                if place < scalars.count, scalars[place] == "\n" {
                    line += 1
                    lineStart = place + 1
                }
                place += 1
            }
        }
    }
}
