import Foundation
import ScenarioLanguage
import ScenarioModel
package import SquallCore

/// What an exploration plays, and for how long.
package struct ExploreOptions: Sendable {
    package enum Limit: Hashable, Sendable {
        case runs(Int)
        case time(TimeSpan)
        /// Stops after this many consecutive runs without anything new.
        case dry(Int)
    }

    package var seed = Seed(1)
    package var limit = Limit.runs(1000)
    /// Whether to stop at the first finding.
    package var untilFail = false
    package var client = ClientChoice.reference
    package var wireOf: String?
    /// Whether each draft is played live, too, and the two worlds are compared.
    package var isInBothWorlds = false
    /// The names of the defects to plant. A violation counts only if the run without them does not have it.
    package var defects: [String] = []
    /// The reference client that also plays each scenario; nil for none.
    package var opponent: ClientChoice?
    /// The profiles to draw from, by name; the first one is used in half of the runs.
    package var profiles: [String] = []
    package var jobs = SuiteOptions.defaultJobs
    /// The folder for the findings; nil to write nothing.
    package var folder: String?
    package var announce: @Sendable (String) -> Void = { _ in }

    package init() {}

    /// The command-line options that choose the client, quoted for a shell.
    var clientOptions: [String] { client.options.map(ShellWord.quoted) }

    /// The command-line options that choose the opponent.
    var opponentOptions: [String] {
        guard let opponent else { return [] }
        return ["--against", opponent.command.map(ShellWord.quoted) ?? "reference"]
    }

    /// Reads a span as scenarios write it, such as `10m`; nil for any other text.
    package static func span(_ text: String) -> TimeSpan? { DurationText.parse(text) }

    /// The same choices for a single run.
    var suite: SuiteOptions { suite(for: client) }

    /// The choices for a single run of a client.
    func suite(for client: ClientChoice) -> SuiteOptions {
        var suite = SuiteOptions()
        (suite.client, suite.wireOf, suite.defects) = (client, wireOf, defects)
        (suite.jobs, suite.announce) = (1, announce)
        if client != .reference { suite.worlds = [.live] } else if isInBothWorlds { suite.worlds = [.sim, .live] }
        return suite
    }
}

/// The progress of an exploration.
package struct ExploreProgress: Sendable {
    package var runs: Int
    package var elapsed: TimeSpan
    package var features: Int
    package var findings: Int
    /// The finding that is being shrunk; nil while new drafts are played.
    package var shrinking: String?

    /// One line for a terminal.
    package var line: String {
        let rate = Double(runs) / max(Double(elapsed.nanoseconds) / 1e9, 0.001)
        let head = "\(runs) runs  \(String(format: "%.0f", rate))/s  \(features) features  \(findings) findings"
        return shrinking.map { "\(head)  shrinking \($0)" } ?? head
    }
}
