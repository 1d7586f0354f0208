import Foundation
package import Live
package import ScenarioModel
package import SquallCore

/// How a suite is played.
package struct SuiteOptions: Sendable {
    package var worlds: [World] = [.sim, .live]
    /// Any but the reference client is played in the live world alone, at wall time.
    package var client = ClientChoice.reference
    /// The names that such a client gives frames, fields and paths: those of a profile, the default one's where none is named.
    package var wireOf: String?
    /// Where such a client finds the server; nil for an address of each run's own.
    package var listenAddress: LiveOptions.ListenAddress?
    /// Told where a client that somebody starts by hand has to go.
    package var announce: @Sendable (String) -> Void = { _ in }
    /// That of the first time; each further time has the next.
    package var seed = Seed(1)
    /// How often each case is played; at most ``mostTimes``.
    package var times = 1
    /// More than anybody will wait for, and less than any number that it is multiplied with can make too large.
    package static let mostTimes = 1_000_000
    /// Whether to stop at the first case that does not pass.
    package var untilFail = false
    /// Failures that ``untilFail`` goes on after: the client's own, lived with.
    package var known: KnownFailures?
    /// The names of the defects to switch on.
    package var defects: [String] = []
    /// Whether the traces of runs that passed are kept, for a report.
    package var keepsTraces = true
    /// Whether each run's packets are kept, too.
    package var captures = false
    /// How many cases at once.
    package var jobs = max(2, ProcessInfo.processInfo.activeProcessorCount)

    package init() {}

    /// How many results each time has of a case: one for each of the worlds that it is for, or one that says it is for none of them.
    func results(of scenario: Scenario) -> Int {
        max(1, worlds.count(where: scenario.allows))
    }

    /// What the command line says to have the same client at the same place; empty for the reference client.
    var clientOptions: [String] {
        client.options + (listenAddress.map { ["--listen", "\($0.address):\($0.port)"] } ?? [])
    }

    /// Whether this run is what ``untilFail`` was waiting for.
    func isEnded(by run: CaseResult) -> Bool {
        untilFail && (known?.applied(to: run) ?? run).verdict == .fail
    }
}

/// How far a suite has come, for whoever watches.
package struct SuiteProgress: Sendable {
    package var done: Int
    package var total: Int
    /// The case that has just ended.
    package var title: String
}
