import Foundations
package import ScenarioModel
import TemporalLogic

extension SuiteSelection {
    /// Why nothing is left of these scenarios: the option to blame, and what there is instead.
    func absence(in scenarios: [Scenario]) -> String {
        let options: [(name: String, asked: [String], known: [String])] = [
            ("--tag", tags, scenarios.flatMap(\.tags)),
            ("--case", cases, scenarios.compactMap(\.variant)),
            ("--covers", covers, scenarios.flatMap { $0.expectations.flatMap(\.covers) }),
        ]
        let count =
            scenarios.count == 1 ? "the 1 case there does not have" : "none of the \(scenarios.count) cases there has"
        for (name, asked, known) in options {
            guard let word = asked.first, !asked.contains(where: known.contains) else { continue }
            guard !known.isEmpty else { return "\(name) \(word): \(count) it, or any other" }
            let help = Suggestion.help(for: word, among: Array(Set(known)).sorted()) ?? "see squall run --list"
            return "\(name) \(word): \(count) it; \(help)"
        }
        return "\(count) all that was asked for at once: \(options.flatMap(\.asked).joined(separator: ", "))"
    }
}

/// What a selection is, before it is played.
package enum SuiteListing {
    /// A line a case under its file, with its tags; then how many there are of each tag.
    package static func text(of scenarios: [Scenario]) -> String {
        var lines: [String] = []
        var file = ""
        for scenario in scenarios {
            if scenario.file != file {
                file = scenario.file
                lines.append(
                    "\(file)  \(scenario.name)\(scenario.tags.isEmpty ? "" : "  [\(scenario.tags.joined(separator: ", "))]")"
                )
            }
            if let variant = scenario.variant { lines.append("  --case '\(variant)'") }
        }
        let tags = Dictionary(grouping: scenarios.flatMap(\.tags)) { $0 }.mapValues(\.count)
        let counts = tags.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { "\($0.key) \($0.value)" }
        lines.append("")
        lines.append(
            "\(scenarios.count) case\(scenarios.count == 1 ? "" : "s"); tags: \(counts.joined(separator: ", "))"
        )
        // Names and tags are their author's.
        return lines.map { "\(ShownText($0))" }.joined(separator: "\n")
    }
}
