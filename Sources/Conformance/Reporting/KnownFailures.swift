/// Failures that people know of: a list of case ids, one a line, each with what is known about it.
package struct KnownFailures: Hashable, Sendable {
    package struct Entry: Hashable, Sendable {
        /// From 1.
        package var line: Int
        /// As ``CaseID/matches(_:)`` has it.
        package var pattern: String
        package var why: String
    }

    package struct Problem: Error, Hashable, Sendable {
        package var line: Int
        package var message: String

        package init(line: Int, message: String) {
            self.line = line
            self.message = message
        }
    }

    package var entries: [Entry] = []

    package init() {}

    /// Reads `ID why` lines; `#` begins a comment, and each entry must match a case.
    package init(parsing text: String, cases: [CaseID]) throws(Problem) {
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let said = line.prefix { $0 != "#" }
            let words = said.split(separator: " ", maxSplits: 1).map { $0.filter { $0 != "\r" } }
            guard let pattern = words.first, !pattern.isEmpty else { continue }
            guard cases.contains(where: { $0.matches(pattern) }) else {
                throw Problem(line: index + 1, message: "no case is called '\(pattern)'")
            }
            entries.append(Entry(line: index + 1, pattern: pattern, why: words.count > 1 ? words[1] : ""))
        }
    }

    /// What is known of a case; nil for nothing.
    package func entry(for id: CaseID) -> Entry? {
        entries.first { id.matches($0.pattern) }
    }

    /// Entries whose cases were played and none of which failed: they should be taken out.
    package func stale(after results: [ConformanceResult]) -> [Entry] {
        entries.filter { entry in
            let played = results.filter { $0.id.matches(entry.pattern) }
            return !played.isEmpty && !played.contains(where: \.isFailure)
        }
    }
}
