package import SquallCore

/// One mistake in a scenario file, told so that its reader can mend it.
package struct Diagnostic: Hashable, Sendable, Error {
    package var location: SourceLocation
    /// How many columns are wrong, from the location on.
    package var width: Int
    /// What is wrong, in one sentence that names the thing.
    package var message: String
    /// The likely fix.
    package var help: String?
    /// The case of a table that it is a mistake in, where it is none in others.
    package var variant: String?

    package init(at location: SourceLocation, width: Int = 1, _ message: String, help: String? = nil) {
        self.location = location
        self.width = width
        self.message = message
        self.help = help
    }

    /// How much of a long line is shown.
    private static let shownColumns = 160

    /// The diagnostic as a terminal shows it: place and message, the line, a caret, the help.
    package func rendered(in source: SourceText?) -> String {
        // What is wrong is mostly a word out of the file: it begins no line of its own.
        var text = "\(ShownText("\(location): error: \(message)"))"
        if let line = source?.line(location.line), !line.isEmpty {
            let scalars = Array(line.unicodeScalars)
            // A window over a long line, so that the caret is in sight.
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
