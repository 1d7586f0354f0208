package import Exploration
import ScenarioLanguage
import ScenarioModel
import SquallCore

/// Creates scenario files for new users, each with one expectation that Squall's own client meets.
package enum FirstScenarioFile {
    /// Returns the expectations from which the user can choose: those that the scenario meets but could also fail.
    ///
    /// - Throws: ``SquallError`` if a scenario cannot be read.
    package static func goals(of scenario: FirstScenario) throws -> [FirstScenario.Goal] {
        try FirstScenario.Goal.allCases.filter { goal in
            let replay = SessionReplay(file: "first.yaml", seed: Seed(1))
            let played = try replay.play(scenario.draft(goal))
            return played.result.verdict == .pass && ScenarioAudit.unproven(played.plan, played.run).isEmpty
        }
    }

    /// Returns the text of the scenario file with the expectation `goal`.
    package static func text(_ scenario: FirstScenario, _ goal: FirstScenario.Goal) -> String {
        let comments = [
            "What happens: \(scenario.weather.meaning).",
            "When: \(scenario.trigger.meaning).",
            "The user must see: \(goal.meaning).",
            "",
            "Change it: 'squall explain network', 'server', 'user' and 'device' list what can happen, 'squall explain",
            "observables' what can be seen, and 'squall check' finds mistakes.",
        ]
        let head = ScenarioWriter.Head(name: scenario.name(goal), comments: comments)
        return ScenarioWriter.text(of: scenario.draft(goal), Profile(), head)
    }

    /// Writes the scenario file.
    ///
    /// - Throws: ``SquallError`` if the file name does not end in `.yaml` or `.yml`, or if the file already exists or
    ///   cannot be written.
    package static func write(
        _ scenario: FirstScenario,
        _ goal: FirstScenario.Goal,
        to path: String
    ) throws(SquallError) {
        try RecordedFile.check(path)
        try WholeFile.write(text(scenario, goal), to: path)
    }
}
