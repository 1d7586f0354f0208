import ScenarioLanguage
package import ScenarioModel
package import SquallCore
import TemporalLogic

extension SuiteSelection {
    /// Returns an error message if the selection specifies a line that does not exist in the file; otherwise nil.
    func absentLine(in source: SourceText) -> String? {
        guard let line = lines[source.file]?.max(), source.line(line) == nil else { return nil }
        var last = line - 1
        while last > 1, (source.line(last) ?? "").isEmpty { last -= 1 }
        return "there is no line \(line) in '\(source.file)', which has \(last)"
    }

    /// Returns the error message for a selection in which every criterion matches some case, but no case matches them
    /// all.
    func absence(in scenarios: [Scenario]) -> String {
        var asked = tags.map { "--tag \($0)" } + cases.map { "--case '\($0)'" } + covers.map { "--covers \($0)" }
        asked += excludedTags.map { "--exclude-tag \($0)" }
        if let pattern { asked.append("--grep \(pattern.text)") }
        if only != nil { asked.append("--last-failed") }
        return "\(Self.noCase(of: scenarios)) all of: \(asked.joined(separator: ", "))"
    }

    /// Returns an error message for the first tag, case or row that occurs in none of the given cases; nil if all
    /// occur.
    ///
    /// Without this check, a misspelled word among several would silently exclude its cases.
    func unknownWord(in scenarios: [Scenario]) -> String? {
        for (name, asked, known) in options(among: scenarios) {
            let known = Set(known)
            guard let word = asked.first(where: { !known.contains($0) }) else { continue }
            let noCase = Self.noCase(of: scenarios)
            guard !known.isEmpty else { return "\(name) \(word): \(noCase) it, or any other" }
            let help = Suggestion.help(for: word, among: known.sorted()) ?? "see squall run --list"
            return "\(name) \(word): \(noCase) it; \(help)"
        }
        return nil
    }

    private func options(among scenarios: [Scenario]) -> [(name: String, asked: [String], known: [String])] {
        [
            ("--tag", tags, scenarios.flatMap(\.tags)),
            ("--exclude-tag", excludedTags, scenarios.flatMap(\.tags)),
            ("--case", cases, scenarios.compactMap(\.variant)),
            ("--covers", covers, scenarios.flatMap { $0.expectations.flatMap(\.covers) }),
        ]
    }

    private static func noCase(of scenarios: [Scenario]) -> String {
        scenarios.count == 1 ? "the only case does not have" : "none of the \(scenarios.count) cases has"
    }
}

/// Formats the cases of a selection for `squall run --list`.
package enum SuiteListing {
    /// Returns the cases as a JSON object for `--list --format json`, schema 1.
    package static func json(of scenarios: [Scenario]) -> JSON {
        ["schema": 1, "cases": .array(scenarios.map(json))]
    }

    /// Returns one JSON object on each line, for `--list --format jsonl`.
    package static func jsonLines(of scenarios: [Scenario]) -> String {
        scenarios.map { String(decoding: json($0).encode(), as: UTF8.self) }.joined(separator: "\n")
    }

    private static func json(_ scenario: Scenario) -> JSON {
        [
            "file": .string(scenario.file),
            "name": .string(scenario.name),
            "case": scenario.variant.map { .string($0) } ?? .null,
            "tags": .array(scenario.tags.map { .string($0) }),
        ]
    }

    /// Returns a line for each file, with its tags, a line for each case, and finally a summary of the tags.
    package static func text(of scenarios: [Scenario]) -> String {
        var lines: [String] = []
        var file = ""
        for scenario in scenarios {
            if scenario.file != file {
                file = scenario.file
                lines.append(
                    """
                    \(file)  \
                    \(scenario.name)\(scenario.tags.isEmpty ? "" : "  [\(scenario.tags.joined(separator: ", "))]")
                    """
                )
            }
            if let variant = scenario.variant { lines.append("  --case '\(variant)'") }
        }
        let tags = Dictionary(grouping: scenarios.flatMap(\.tags)) { $0 }.mapValues(\.count)
        let counts = tags.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { "\($0.key) \($0.value)" }
        lines.append("")
        let total = "\(scenarios.count) case\(scenarios.count == 1 ? "" : "s")"
        lines.append(counts.isEmpty ? total : "\(total); tags: \(counts.joined(separator: ", "))")
        // Names and tags come from files and must not contain control sequences for the terminal.
        return lines.map { "\(SanitizedText($0))" }.joined(separator: "\n")
    }
}
