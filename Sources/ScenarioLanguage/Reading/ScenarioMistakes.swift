import SquallCore

/// All that is wrong with one scenario file, or with another that is written in YAML, in the order of the file.
package struct ScenarioMistakes: Error, Hashable, Sendable {
    package var diagnostics: [Diagnostic]

    /// A reader who has seen so many has seen enough.
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

    /// As a terminal shows them, a blank line between two.
    package func rendered(in source: SourceText) -> String {
        var parts = diagnostics.prefix(Self.shown).map { $0.rendered(in: source) }
        if diagnostics.count > Self.shown {
            parts.append("\(source.file): \(diagnostics.count - Self.shown) more mistakes are not shown")
        }
        return parts.joined(separator: "\n\n")
    }
}
