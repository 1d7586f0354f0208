import SquallCore

/// A line of a terminal report, independent of the terminal's width and colour support.
///
/// Interpolated values are escaped as ``SanitizedText``, so that a name from a scenario can neither contain control
/// sequences nor begin a new line.
struct StyledLine: ExpressibleByStringInterpolation {
    /// A text style, whose raw value is its SGR parameter in ECMA-48.
    enum Style: Int {
        case bold = 1
        case dim = 2
        case red = 31
        case green = 32
        case yellow = 33
    }

    private struct Span {
        var text: String
        var styles: [Style]
    }

    private var spans: [Span] = []
    /// Whether the line must not be folded, for example because it is a command for users to copy.
    var isWhole = false

    init() {}

    init(stringLiteral text: String) {
        spans = [Span(text: text, styles: [])]
    }

    init(stringInterpolation: StringInterpolation) {
        self = stringInterpolation.line
    }

    struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var line = StyledLine()

        init(literalCapacity: Int, interpolationCount: Int) {}

        mutating func appendLiteral(_ text: String) {
            line.spans.append(Span(text: text, styles: []))
        }

        mutating func appendInterpolation(_ value: some CustomStringConvertible, _ styles: Style...) {
            line.spans.append(Span(text: "\(SanitizedText(value.description))", styles: styles))
        }

        mutating func appendInterpolation(_ other: StyledLine) {
            line.spans += other.spans
        }
    }

    var isEmpty: Bool { spans.allSatisfy(\.text.isEmpty) }

    // MARK: - Rendering

    /// Returns the line, folded to `width` columns unless `width` is nil.
    func rendered(colour: Bool, width: Int?) -> String {
        guard let width, !isWhole, spans.reduce(0, { $0 + $1.text.columns }) > width else {
            return Self.text(of: spans, colour: colour)
        }
        return folded(to: width).map { Self.text(of: $0, colour: colour) }.joined(separator: "\n")
    }

    private static func text(of spans: [Span], colour: Bool) -> String {
        spans.reduce(into: "") { text, span in
            guard colour, !span.styles.isEmpty, !span.text.isEmpty else { return text += span.text }
            let codes = span.styles.map { String($0.rawValue) }.joined(separator: ";")
            text += "\u{1B}[\(codes)m\(span.text)\u{1B}[0m"
        }
    }

    // MARK: - Folding

    /// The text between two spaces, with its styles.
    private struct Word {
        /// The number of spaces before the word.
        var gap = 0
        var spans: [Span] = []
        var columns: Int { spans.reduce(0) { $0 + $1.text.columns } }
    }

    private var words: [Word] {
        var words: [Word] = []
        var gap = 0
        for span in spans {
            for character in span.text {
                guard character != " " else {
                    gap += 1
                    continue
                }
                if gap > 0 || words.isEmpty { words.append(Word(gap: gap)) }
                gap = 0
                let index = words.count - 1
                if let last = words[index].spans.indices.last, words[index].spans[last].styles == span.styles {
                    words[index].spans[last].text.append(character)
                } else {
                    words[index].spans.append(Span(text: String(character), styles: span.styles))
                }
            }
        }
        return words
    }

    /// Folds the line to `width` columns.
    ///
    /// Two or more spaces separate fields. A field that does not fit on the line moves to a new line, indented by two
    /// columns. A field that is wider than the new line is folded between words.
    private func folded(to width: Int) -> [[Span]] {
        let words = words
        guard let first = words.first else { return [spans] }
        let margin = first.gap + 2
        var lines: [[Span]] = [[Span(text: String(repeating: " ", count: first.gap), styles: [])]]
        var column = first.gap
        for (index, word) in words.enumerated() {
            if index > 0 {
                let begins = word.gap > 1
                let next = words[(index + 1)...].firstIndex { $0.gap > 1 } ?? words.endIndex
                let needed =
                    begins
                    ? words[index..<next].reduce(0) { $0 + $1.gap + $1.columns } : word.gap + word.columns
                if column + needed > width, column > margin {
                    lines.append([Span(text: String(repeating: " ", count: margin), styles: [])])
                    column = margin
                } else {
                    lines[lines.count - 1].append(Span(text: String(repeating: " ", count: word.gap), styles: []))
                    column += word.gap
                }
            }
            lines[lines.count - 1] += word.spans
            column += word.columns
        }
        return lines
    }
}

extension String {
    /// An estimate of how many terminal columns the text occupies; a wide character occupies two.
    fileprivate var columns: Int { reduce(0) { $0 + ($1.isDrawnWide ? 2 : 1) } }
}

extension Character {
    /// Whether terminals draw the character two columns wide, as they do with East Asian characters and emoji.
    fileprivate var isDrawnWide: Bool {
        guard let value = unicodeScalars.first?.value else { return false }
        return switch value {
        case 0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60,
            0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F680...0x1F6FF, 0x1F900...0x1FAFF, 0x20000...0x3FFFD:
            true
        default: false
        }
    }
}
