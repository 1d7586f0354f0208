package import Trace

/// What somebody who conducts a run from outside wants of it, beside or in place of a script.
package enum ConductorInput: Sendable {
    /// Do this, now; answered by `done`.
    case perform(Int, [Stimulus])
    /// Answered by `met` or `missed`, once.
    case wait(Int, ConductedWait)
    /// Whoever asked does not want to know any more; nothing is answered.
    case withdraw(Int)
    /// What has been seen so far; answered by `seen`.
    case show(Int)
    /// From now on whatever is seen is told as it is, by `saw`.
    case watch
    /// There is nothing more to come: the run goes on as long as open bounds do.
    case end
}

/// What comes of it, under the number that it was asked with.
package enum ConductorOutput: Sendable {
    case done(Int)
    /// The event that met it; nil for a state that held already.
    case met(Int, TraceEvent?)
    /// What was the case instead.
    case missed(Int, why: String)
    case seen(Int, Recording)
    /// What a step has added, for who watches; it answers nothing.
    case saw([TraceEvent])
}
