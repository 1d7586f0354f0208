package import TemporalLogic
package import Trace

/// A request from an external program that controls a run, in addition to a script or in place of one.
package enum ConductorInput: Sendable {
    /// Apply these stimuli now; answered by `done`.
    case perform(Int, [Stimulus])
    /// Wait for a condition; answered once, by `met` or `missed`.
    case wait(Int, ConductedWait)
    /// Cancel a wait, which is then never answered.
    case withdraw(Int)
    /// Request the recording so far; answered by `seen`.
    case show(Int)
    /// Request the verdicts on the standing invariants so far; answered by `judged`.
    case judge(Int)
    /// Report each event of the run in a `saw` as it happens.
    case watch
    /// Freeze the run or let it continue; answered by `done` or `refused`. Also valid for a run that no program
    /// controls.
    case order(Int, HoldOrder)
    /// End the run at once, as interrupted. Also valid for a run that no program controls.
    case interrupt
    /// Stop controlling the run, which then continues only until all pending deadlines have passed.
    case end
}

/// An answer to a ``ConductorInput``, with the number of the request.
package enum ConductorOutput: Sendable {
    /// The stimuli were applied; `position` is the index of the first event after that.
    case done(Int, position: Int)
    /// The condition was met by this event; nil if the condition is a state that already held.
    case met(Int, TraceEvent?)
    /// The condition was not met in time; `why` describes what was observed instead.
    case missed(Int, why: String)
    case seen(Int, Recording)
    case judged(Int, [InvariantVerdict])
    /// The order had no effect, for this reason.
    case refused(Int, why: String)
    /// The run has been frozen. This is not an answer to a request.
    case held(HeldMoment)
    /// The events of one step, after `watch`. This is not an answer to a request.
    case saw([TraceEvent])
}
