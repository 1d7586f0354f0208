package import TemporalLogic
package import Trace

/// A request from an external program that controls a run, in addition to a script or in place of one.
package enum ConductorInput: Sendable {
    /// Apply these stimuli now. The answer is `done`.
    case perform(Int, [Stimulus])
    /// Wait for a condition. The only answer is `met` or `missed`.
    case wait(Int, ConductedWait)
    /// Cancel a wait. A cancelled wait is never answered.
    case cancelWait(Int)
    /// Request the recording so far. The answer is `seen`.
    case show(Int)
    /// Request the current verdicts on the invariants. The answer is `judged`.
    case judge(Int)
    /// From now on, report every event of the run as it occurs, in the notification `saw`.
    case watch
    /// Freeze the run or let it continue. The answer is `done` or `refused`. Unlike most requests, it may also be sent
    /// to a run that no external program controls.
    case order(Int, HoldOrder)
    /// End the run immediately and report it as interrupted. Unlike most requests, this one may also be sent to a run
    /// that no external program controls.
    case interrupt
    /// Stop controlling the run, which then continues only until all pending deadlines have passed.
    case end
}

/// A notification, or the answer to a ``ConductorInput`` with that request's number.
package enum ConductorOutput: Sendable {
    /// The stimuli were applied, or the request to freeze or continue the run was carried out. `position` is the number
    /// of events that the run had recorded before that.
    case done(Int, position: Int)
    /// The condition was satisfied by this event; nil if the condition is a state that already held.
    case met(Int, TraceEvent?)
    /// The condition was not satisfied in time; `why` describes what was observed instead.
    case missed(Int, why: String)
    case seen(Int, Recording)
    case judged(Int, [InvariantVerdict])
    /// The request to freeze or continue the run was rejected, for the given reason.
    case refused(Int, why: String)
    /// The run has been frozen. This is a notification, not an answer to a request.
    case held(HeldRunSnapshot)
    /// The events that the run recorded in one step, that is, while handling one input. Once the program has requested
    /// `watch`, it receives this notification after each step.
    case saw([TraceEvent])
}
