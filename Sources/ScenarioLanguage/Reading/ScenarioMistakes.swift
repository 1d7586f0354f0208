import SquallCore

/// The errors in one YAML file.
package struct ScenarioMistakes: Error, Hashable, Sendable {
    package var diagnostics: [Diagnostic]

    /// The maximum number of errors that are shown.
    static let shown = 100

    init(_ diagnostics: [Diagnostic]) {
        self.diagnostics = diagnostics
    }

    init(inOrderOfFile diagnostics: [Diagnostic]) {
        self.diagnostics = diagnostics.enumerated().sorted { left, right in
            let (one, other) = (left.element.location, right.element.location)
            return (one.line, one.column, left.offset) < (other.line, other.column, right.offset)
        }.map(\.element)
    }

    /// Renders the diagnostics for a terminal, separated by blank lines.
    package func rendered(in source: SourceText) -> String {
        var parts = diagnostics.prefix(Self.shown).map { $0.rendered(in: source) }
        if diagnostics.count > Self.shown {
            parts.append("\(source.file): \(diagnostics.count - Self.shown) more mistakes are not shown")
        }
        return parts.joined(separator: "\n\n")
    }
}
