import Foundation
package import Live
import ScenarioLanguage
package import ScenarioModel
package import SquallCore

/// The options for running a suite.
package struct SuiteOptions: Sendable {
    package var worlds: [World] = [.sim, .live]
    /// The client to test; every client except the reference client runs only in the live world.
    package var client = ClientChoice.reference
    /// Whether the client runs in real time even if it supports the run's clock.
    package var usesWallClock = false
    /// Whether a fault-free period (calm), after which client and server are compared, is appended to each run of a
    /// client that uses the run's clock.
    package var converges = false
    /// The profile that defines the frames, fields and paths of a client that is not Squall's own; nil for the default
    /// profile.
    package var wireOf: String?
    /// The address at which the server listens for a client that is not Squall's own; nil for an address chosen for
    /// each run.
    package var listenAddress: LiveOptions.ListenAddress?
    /// Called with messages for the user, such as the addresses for a client that is started by hand.
    package var announce: @Sendable (String) -> Void = { _ in }
    /// The seed of the first round; incremented for each subsequent round.
    package var seed = Seed(1)
    /// The number of times that each case is run, from 1 to ``maximumRepetitions``.
    package var times = 1
    /// The maximum of ``times``, small enough that multiplying by it does not overflow.
    package static let maximumRepetitions = 1_000_000
    /// The number of failed cases after which the suite stops; nil to run all cases.
    package var maximumFailures: Int?
    /// The maximum number of times that a failed live run is repeated; a run that then passes is flaky.
    package var retries = 0
    /// The time after which no more runs are started; nil for no limit.
    package var budget: TimeSpan?
    /// Earlier results, which determine the order and the selection of the cases if there is a ``budget``.
    package var last = LastResults()
    /// Called with the result of each run, from any thread, before the case's simulated and live runs are compared.
    package var finished: @Sendable (CaseResult) -> Void = { _ in }
    /// Known failures, which do not count towards ``maximumFailures`` and are not retried.
    package var known: KnownFailures?
    /// The event at which runs are paused (held), and the callback that then decides how they continue; nil to pause no
    /// run.
    package var hold: HoldPlan?
    /// The names of the defects to plant.
    package var defects: [String] = []
    /// Selects the traces of passed runs that are kept for a report.
    package var tracesOfPasses = TracesOfPasses.all
    /// Whether the packets of each run are captured.
    package var captures = false
    /// The maximum number of cases that are run concurrently.
    package var jobs = Self.defaultJobs

    /// The number of processor cores, but at least two.
    static let defaultJobs = max(2, ProcessInfo.processInfo.activeProcessorCount)

    package init() {}

    /// Returns the number of results that a case has in each round: one for each world (sim or live) that it allows, or
    /// one skipped result.
    func results(of scenario: Scenario) -> Int {
        max(1, worlds.count(where: scenario.allows))
    }

    /// The command-line options that select this run's client and its address; empty for the reference client.
    var clientOptions: [String] {
        let clock = (usesWallClock ? ["--wall-clock"] : []) + (converges ? ["--converge"] : [])
        return client.options + clock + (listenAddress.map { ["--listen", "\($0.address):\($0.port)"] } ?? [])
    }

    /// Returns whether the run failed and its failure is not in the list of known failures.
    func isFailure(_ run: CaseResult) -> Bool {
        (known?.applied(to: run) ?? run).verdict == .fail
    }
}

/// The traces of passed runs that are kept. The traces of all other runs are always kept.
package enum TracesOfPasses: Sendable {
    case none
    /// The traces of passed runs in the first round only, because the traces of many rounds would not fit into memory.
    case firstRound
    case all
}

/// The progress of a suite.
package struct SuiteProgress: Sendable {
    package var done: Int
    package var total: Int
    /// The title of the case that has just ended.
    package var title: String
    /// The number of failed cases that are being repeated.
    package var repeated = 0
}
