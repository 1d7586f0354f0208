import ScenarioLanguage

/// What is wrong with one file, as a terminal shows it.
struct FileMistakes: Sendable {
    var text: String
    var count: Int

    /// A file that could not be read at all.
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
    /// All of them; of several files also how many there are, for whoever sees the end alone.
    var rendered: String {
        let count = reduce(0) { $0 + $1.count }
        return (map(\.text) + (self.count > 1 ? ["\(count) mistakes in \(self.count) files"] : []))
            .joined(separator: "\n\n")
    }
}
