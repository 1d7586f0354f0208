import Foundation
package import Live
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
    /// Whether to stop at the first case that does not pass.
    package var untilFail = false
    /// Known failures, after which ``untilFail`` goes on.
    package var known: KnownFailures?
    /// The names of the defects to switch on.
    package var defects: [String] = []
    /// Whether the traces of runs that passed are kept, for a report.
    package var keepsTraces = true
    /// Whether each run's packets are kept, too.
    package var captures = false
    /// The largest number of cases played at a time.
    package var jobs = max(2, ProcessInfo.processInfo.activeProcessorCount)

    package init() {}

    /// How many results a case has in each round: one for each world that it allows, or one skipped result.
    func results(of scenario: Scenario) -> Int {
        max(1, worlds.count(where: scenario.allows))
    }

    /// The command-line options for the same client at the same address; empty for the reference client.
    var clientOptions: [String] {
        client.options + (listenAddress.map { ["--listen", "\($0.address):\($0.port)"] } ?? [])
    }

    /// Whether this run ends the suite because of ``untilFail``.
    func isEnded(by run: CaseResult) -> Bool {
        untilFail && (known?.applied(to: run) ?? run).verdict == .fail
    }
}

/// The progress of a suite.
package struct SuiteProgress: Sendable {
    package var done: Int
    package var total: Int
    /// The case that has just ended.
    package var title: String
}
