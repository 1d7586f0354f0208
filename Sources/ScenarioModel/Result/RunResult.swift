package import SquallCore
package import Trace

/// What became of one run: the trace, and what was judged of it while it grew.
package struct RunResult: Sendable {
    package var recording: Recording
    package var digest: String
    package var judgements: [ExpectationResult]
    /// The worst delay of a due timer in real time; zero in sim.
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
