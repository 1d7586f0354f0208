package import SquallCore

/// One mistake in a scenario file: where it is, what is wrong, and the likely fix.
package struct Diagnostic: Hashable, Sendable, Error {
    package var location: SourceLocation
    /// The number of columns to underline, from the location on.
    package var width: Int
    /// One sentence that says what is wrong and quotes the wrong text.
    package var message: String
    /// The likely fix.
    package var help: String?
    /// The first case of the table that has the mistake; nil when all cases have it.
    package var variant: String?

    package init(at location: SourceLocation, width: Int = 1, _ message: String, help: String? = nil) {
        self.location = location
        self.width = width
        self.message = message
        self.help = help
    }

    /// The number of columns that are shown of a long line.
    private static let shownColumns = 160

    /// The diagnostic as a terminal shows it: location and message, the line, carets, the help.
    package func rendered(in source: SourceText?) -> String {
        // A message quotes text of the file, whose control characters must not reach the terminal.
        var text = "\(ShownText("\(location): error: \(message)"))"
        if let line = source?.line(location.line), !line.isEmpty {
            let scalars = Array(line.unicodeScalars)
            // Shows a window of a long line that contains the caret.
            let column = max(0, min(location.column - 1, scalars.count))
            let start = column > Self.shownColumns - 20 ? column - 20 : 0
            let shown = scalars[start..<min(scalars.count, start + Self.shownColumns)].map {
                $0.isShowable || $0 == "\t" ? $0 : "·"
            }
            let number = String(location.line)
            let gutter = String(repeating: " ", count: number.count)
            let (before, after) = (start > 0 ? "…" : "", start + Self.shownColumns < scalars.count ? "…" : "")
            let indent = shown.prefix(column - start).map { $0 == "\t" ? "\t" : " " }.joined()
            let carets = max(1, min(width, shown.count - (column - start)))
            text += "\n \(number) | \(before)\(String(String.UnicodeScalarView(shown)))\(after)"
            text += "\n \(gutter) | \(before.isEmpty ? "" : " ")\(indent)\(String(repeating: "^", count: carets))"
        }
        if let help { text += "\n   = help: \(ShownText(help))" }
        if let variant { text += "\n   = note: in the case '\(ShownText(variant))'" }
        return text
    }
}
