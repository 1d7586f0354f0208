import Foundation
import ScenarioLanguage
import ScenarioModel
package import SquallCore

/// The parameters of an exploration.
package struct ExploreOptions: Sendable {
    package enum Limit: Hashable, Sendable {
        case runs(Int)
        case time(TimeSpan)
        /// Stops after the given number of consecutive runs without a violation or a new feature (an event that no
        /// earlier run observed in the same connection state).
        case dry(Int)
        /// Stops once the sweep has run every draft that contains exactly one additional fault.
        case sweep
    }

    package var seed = Seed(1)
    package var limit = Limit.runs(1000)
    /// Whether to stop after the first finding.
    package var untilFail = false
    package var client = ClientChoice.reference
    package var wireOf: String?
    /// Whether each draft (a generated scenario) is also run live, over real sockets, and compared with its simulated
    /// run.
    package var isInBothWorlds = false
    /// The names of the defects to plant. Violations that also occur without the defects are ignored.
    package var defects: [String] = []
    /// A second client that also runs each scenario, for comparison; nil for none.
    package var comparedClient: ClientChoice?
    /// The names of the profiles from which each run's profile is drawn; the first one is used in at least half of the
    /// runs.
    package var profiles: [String] = []
    /// The scenario files and folders whose variations are run; if the list is empty, only random drafts are run.
    package var starts: [String] = []
    /// The folder in which drafts that exhibited new features are stored for later explorations; nil to store none.
    package var corpus: String?
    /// Whether each run is a passing scenario of ``starts`` with one additional fault.
    package var isSweep = false
    package var jobs = SuiteOptions.defaultJobs
    /// The folder to which findings are written; nil to write none.
    package var folder: String?
    package var announce: @Sendable (String) -> Void = { _ in }

    package init() {}

    /// Whether runs are variations of earlier runs or of given scenarios.
    var isGuided: Bool { !starts.isEmpty || corpus != nil }

    /// The command-line options that select the client, quoted for a shell.
    var clientOptions: [String] { client.options.map(ShellWord.quoted) }

    /// The command-line options that select the other client.
    var comparedOptions: [String] {
        guard let comparedClient else { return [] }
        return ["--against", comparedClient.command.map(ShellWord.quoted) ?? "reference"]
    }

    /// The options for a single run, derived from these options.
    var suite: SuiteOptions { suite(for: client) }

    /// Returns the options for a single run of `client`, derived from these options.
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
    /// The finding that is being shrunk; nil while new drafts (generated scenarios) are run.
    package var shrinking: String?
    /// The number of scenarios read so far to seed the corpus, and the total number; nil once all have been read.
    package var reading: (done: Int, total: Int)?

    /// The progress in one line, for a terminal.
    package var line: String {
        if let reading { return "\(reading.done) of \(reading.total) scenarios read" }
        let rate = Double(runs) / max(Double(elapsed.nanoseconds) / 1e9, 0.001)
        let head =
            "\(runs) runs  \(String(format: "%.0f", rate))/s  \(features) features  "
            + (findings == 1 ? "1 finding" : "\(findings) findings")
        return shrinking.map { "\(head)  shrinking \($0)" } ?? head
    }
}
