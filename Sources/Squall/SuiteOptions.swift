import Foundation
package import Live
import ScenarioLanguage
package import ScenarioModel
package import SquallCore

/// The options for playing a suite.
package struct SuiteOptions: Sendable {
    package var worlds: [World] = [.sim, .live]
    /// The client to judge; all but the reference client are played in the live world only, at wall time.
    package var client = ClientChoice.reference
    /// The profile whose wire names a foreign client uses for frames, fields and paths; nil for the default profile.
    package var wireOf: String?
    /// Where a foreign client finds the server; nil for an address of each run's own.
    package var listenAddress: LiveOptions.ListenAddress?
    /// Receives notices for the user, such as the addresses for a client that a person starts.
    package var announce: @Sendable (String) -> Void = { _ in }
    /// The seed of the first round; each further round has the next.
    package var seed = Seed(1)
    /// How often each case is played; at most ``mostTimes``.
    package var times = 1
    /// The largest ``times``, small enough that no product with it overflows.
    package static let mostTimes = 1_000_000
    /// The number of failed cases after which to stop; nil to play all.
    package var mostFailures: Int?
    /// How often a failed live run is played again; one that passes then is flaky.
    package var retries = 0
    /// The time after which no further run is started; nil for no limit.
    package var budget: TimeSpan?
    /// Earlier results, by which a ``budget`` orders and selects the cases.
    package var last = LastResults()
    /// Receives each run when it has been judged, from any thread; its case is not compared between the worlds yet.
    package var finished: @Sendable (CaseResult) -> Void = { _ in }
    /// Known failures, which ``mostFailures`` and ``retries`` do not count.
    package var known: KnownFailures?
    /// The event at which the run is held, and what is asked for orders then; nil holds no run.
    package var hold: HoldPlan?
    /// The names of the defects to switch on.
    package var defects: [String] = []
    /// The traces of runs that passed, as far as they are kept for a report.
    package var tracesOfPasses = TracesOfPasses.all
    /// Whether each run's packets are kept, too.
    package var captures = false
    /// The largest number of cases played at a time.
    package var jobs = Self.defaultJobs

    /// One for each core, and at least two.
    static let defaultJobs = max(2, ProcessInfo.processInfo.activeProcessorCount)

    package init() {}

    /// How many results a case has in each round: one for each world that it allows, or one skipped result.
    func results(of scenario: Scenario) -> Int {
        max(1, worlds.count(where: scenario.allows))
    }

    /// The command-line options for the same client at the same address; empty for the reference client.
    var clientOptions: [String] {
        client.options + (listenAddress.map { ["--listen", "\($0.address):\($0.port)"] } ?? [])
    }

    /// Whether the run failed and its failure is not a known one.
    func isFailure(_ run: CaseResult) -> Bool {
        (known?.applied(to: run) ?? run).verdict == .fail
    }
}

/// Which traces of passed runs are kept. The traces of other runs always are.
package enum TracesOfPasses: Sendable {
    case none
    /// The traces of passed runs in the first round. The traces of many rounds would not fit into memory.
    case firstRound
    case all
}

/// The progress of a suite.
package struct SuiteProgress: Sendable {
    package var done: Int
    package var total: Int
    /// The case that has just ended.
    package var title: String
}

/// How long a suite may take: `5m`.
package struct Budget: Hashable, Sendable {
    package let span: TimeSpan

    /// Parses a duration as scenarios write it; nil unless it is positive.
    package init?(_ text: String) {
        guard let span = DurationText.parse(text), span > .zero else { return nil }
        self.span = span
    }
}
