import ArgumentParser
import ScenarioLanguage
import SquallCore

/// A positive duration on the command line, such as `10m`.
struct PositiveTime: Hashable, Sendable {
    let span: TimeSpan

    /// Parses a duration in scenario syntax.
    ///
    /// - Throws: `ValidationError` unless the text is a positive duration; the error says what is accepted.
    init(_ text: String) throws {
        guard let span = DurationText.parse(text), span > .zero else {
            throw ValidationError("a time is a number above 0 with its unit, such as 500ms, 30s, 5m or 1h")
        }
        self.span = span
    }
}
