package import Foundations
package import TemporalLogic
package import Trace

/// What became of one run: the trace, and what was judged of it while it grew.
package struct RunResult: Sendable {
    /// How the script ended.
    package enum Script: Sendable {
        case finished
        /// A `wait` timed out at its line, at that instant.
        case stuck(at: SourceLocation, why: String, by: Instant)
        /// The run ended before the script did.
        case unfinished(at: SourceLocation)
        /// A step's `at:` event never came.
        case anchorNeverCame(at: SourceLocation, what: String)
    }

    package var recording: Recording
    package var digest: String
    package var judgements: [ExpectationResult]
    package var script: Script
    /// The worst delay of a due timer in real time; zero in sim.
    package var lateness: TimeSpan
    /// Why the run was broken off, where it was.
    package var abandoned: String?
    /// Whether it was stopped because nobody wanted it any more: what it came to by then proves nothing.
    package var isInterrupted = false

    package init(
        recording: Recording,
        digest: String,
        judgements: [ExpectationResult],
        script: Script,
        lateness: TimeSpan,
        abandoned: String?
    ) {
        self.recording = recording
        self.digest = digest
        self.judgements = judgements
        self.script = script
        self.lateness = lateness
        self.abandoned = abandoned
    }
}
