import ScenarioLanguage

/// The errors in one file, formatted for a terminal.
struct FileMistakes: Sendable {
    var text: String
    var count: Int

    /// Treats a file that could not be read as a file with a single error.
    init(_ error: SquallError) {
        text = error.message
        count = 1
    }

    init(_ found: ScenarioMistakes, in source: SourceText) {
        text = found.rendered(in: source)
        count = found.diagnostics.count
    }
}

extension [FileMistakes] {
    /// The errors in all files, followed by their total number, for users who see only the end of the output.
    var rendered: String {
        let count = reduce(0) { $0 + $1.count }
        let sum = self.count > 1 ? "\(count) mistakes in \(self.count) files" : "\(count) mistakes"
        return (map(\.text) + (count > 1 ? [sum] : [])).joined(separator: "\n\n")
    }
}
