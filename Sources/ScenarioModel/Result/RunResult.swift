package import SquallCore
package import Trace

/// The outcome of one run: its trace, and the verdicts on it.
package struct RunResult: Sendable {
    package var recording: Recording
    package var digest: String
    package var judgements: [ExpectationResult]
    /// The worst lateness of a timer in real time; zero in sim.
    package var lateness: TimeSpan

    package init(
        recording: Recording,
        digest: String,
        judgements: [ExpectationResult],
        lateness: TimeSpan
    ) {
        self.recording = recording
        self.digest = digest
        self.judgements = judgements
        self.lateness = lateness
    }
}
