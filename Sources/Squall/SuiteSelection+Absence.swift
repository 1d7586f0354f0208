package import ScenarioModel
import SquallCore
import TemporalLogic

extension SuiteSelection {
    /// Why nothing is left of these scenarios: the option to blame, and what there is instead.
    func absence(in scenarios: [Scenario]) -> String {
        let asked = options(among: scenarios).flatMap(\.asked)
        return "\(Self.nobody(of: scenarios)) all that was asked for at once: \(asked.joined(separator: ", "))"
    }

    /// Which tag, case or row is asked for and none of these has; nil where each is somebody's.
    ///
    /// A slip in one of several would leave its scenarios out, and say so to nobody.
    func stranger(in scenarios: [Scenario]) -> String? {
        for (name, asked, known) in options(among: scenarios) {
            let known = Set(known)
            guard let word = asked.first(where: { !known.contains($0) }) else { continue }
            let nobody = Self.nobody(of: scenarios)
            guard !known.isEmpty else { return "\(name) \(word): \(nobody) it, or any other" }
            let help = Suggestion.help(for: word, among: known.sorted()) ?? "see squall run --list"
            return "\(name) \(word): \(nobody) it; \(help)"
        }
        return nil
    }

    private func options(among scenarios: [Scenario]) -> [(name: String, asked: [String], known: [String])] {
        [
            ("--tag", tags, scenarios.flatMap(\.tags)),
            ("--case", cases, scenarios.compactMap(\.variant)),
            ("--covers", covers, scenarios.flatMap { $0.expectations.flatMap(\.covers) }),
        ]
    }

    private static func nobody(of scenarios: [Scenario]) -> String {
        scenarios.count == 1 ? "the 1 case there does not have" : "none of the \(scenarios.count) cases there has"
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
