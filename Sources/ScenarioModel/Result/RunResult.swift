package import SquallCore
package import Trace

/// An executed step of a script.
package struct PlayedStep: Hashable, Sendable {
    /// The index of the step in the scenario's script.
    package var index: Int
    /// The instant at which the step's action was performed or its wait ended.
    package var time: Instant

    package init(index: Int, time: Instant) {
        (self.index, self.time) = (index, time)
    }
}

/// The outcome of one run: its trace, and the verdicts of its checks.
package struct RunResult: Sendable {
    package var recording: Recording
    package var digest: String
    package var judgements: [ExpectationResult]
    /// The maximum lateness of a timer in real time; zero in simulation.
    package var lateness: TimeSpan
    /// The executed steps, in order of completion.
    package var steps: [PlayedStep]

    package init(
        recording: Recording,
        digest: String,
        judgements: [ExpectationResult],
        lateness: TimeSpan,
        steps: [PlayedStep] = []
    ) {
        self.recording = recording
        self.digest = digest
        self.judgements = judgements
        self.lateness = lateness
        self.steps = steps
    }

    /// Creates the result of a case that was not run.
    package init(unplayed plan: RunPlan, ending: RunEnding = RunEnding()) {
        self.init(
            recording: Recording(header: plan.header, events: [], end: .zero, ending: ending),
            digest: "",
            judgements: [],
            lateness: .zero
        )
    }
}
