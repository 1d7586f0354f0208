package import TemporalLogic
package import Trace

/// A request of a program that conducts a run from outside, in addition to a script or in place of one.
package enum ConductorInput: Sendable {
    /// Apply these stimuli now; answered by `done`.
    case perform(Int, [Stimulus])
    /// Wait for a condition; answered once, by `met` or `missed`.
    case wait(Int, ConductedWait)
    /// Cancel a wait, which is then not answered.
    case withdraw(Int)
    /// Request the recording so far; answered by `seen`.
    case show(Int)
    /// Request the verdicts on the standing invariants so far; answered by `judged`.
    case judge(Int)
    /// Report all events from now on, by `saw`.
    case watch
    /// Freeze the run or let it continue; answered by `done` or `refused`. Needs no conductor.
    case order(Int, HoldOrder)
    /// End the run at once, as interrupted. Needs no conductor.
    case interrupt
    /// End the conducting: the run continues only for bounds that are open.
    case end
}

/// An answer to a ``ConductorInput``, with the number of the request.
package enum ConductorOutput: Sendable {
    /// The stimuli were applied; `position` is the index of the first event after that.
    case done(Int, position: Int)
    /// The condition was met, by this event; nil for a state that held already.
    case met(Int, TraceEvent?)
    /// The condition was not met in time; `why` describes what was observed instead.
    case missed(Int, why: String)
    case seen(Int, Recording)
    case judged(Int, [InvariantVerdict])
    /// An order changed nothing, with the reason.
    case refused(Int, why: String)
    /// The run is held from now on. Not an answer to a request.
    case held(HeldMoment)
    /// The events of one step, after `watch`. Not an answer to a request.
    case saw([TraceEvent])
}
