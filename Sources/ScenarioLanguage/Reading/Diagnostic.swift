package import SquallCore

/// An error in a scenario file: its location, a description and the likely fix.
package struct Diagnostic: Hashable, Sendable, Error {
    package var location: SourceLocation
    /// The number of columns to underline, starting at the location.
    package var width: Int
    /// One sentence that describes the error and quotes the invalid text.
    package var message: String
    /// The likely fix; nil if there is no suggestion.
    package var help: String?
    /// The first case of the `with:` table in which the error occurs; nil if it occurs in all cases.
    package var variant: String?

    package init(at location: SourceLocation, width: Int = 1, _ message: String, help: String? = nil) {
        self.location = location
        self.width = width
        self.message = message
        self.help = help
    }

    /// The maximum number of columns of a source line to show.
    private static let shownColumns = 160

    /// Renders the diagnostic for a terminal: location and message, the line, carets, and the help text.
    package func rendered(in source: SourceText?) -> String {
        // The message quotes text from the file, whose control characters must not reach the terminal.
        var text = "\(SanitizedText("\(location): error: \(message)"))"
        if let line = source?.line(location.line), !line.isEmpty {
            let scalars = Array(line.unicodeScalars)
            // For a long line, only a window around the caret is shown.
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
        if let help { text += "\n   = help: \(SanitizedText(help))" }
        if let variant { text += "\n   = note: in the case '\(SanitizedText(variant))'" }
        return text
    }
}
