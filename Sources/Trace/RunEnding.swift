package import SquallCore

/// How a run has ended, which its events do not show.
package struct RunEnding: Hashable, Sendable {
    /// The outcome of the script.
    package enum Script: Hashable, Sendable {
        case finished
        /// A `wait` at this location has timed out at this time.
        case stuck(at: SourceLocation, why: String, by: Instant)
        /// The run ended before the script did.
        case unfinished(at: SourceLocation)
        /// The event that a step's `at:` names has not occurred.
        case anchorNeverCame(at: SourceLocation, what: String)
    }

    package var script = Script.finished
    /// The time at which the last step was done; nil if the run ended before.
    package var scriptEnd: Instant?
    /// Why Squall has abandoned the run; nil if it has not.
    package var abandoned: String?
    /// Whether the run was interrupted from outside, so that its result proves nothing.
    package var isInterrupted = false

    package init() {}

    /// Whether every step was played.
    package var isFinished: Bool { script == .finished }
}

extension RunEnding: CustomStringConvertible {
    /// One line for a reader.
    package var description: String {
        let script =
            switch script {
            case .finished: "the script finished"
            case .stuck(let place, let why, let time): "the script was stuck at \(place) by \(time): \(why)"
            case .unfinished(let place): "the run ended before the step at \(place)"
            case .anchorNeverCame(let place, let what): "\(what), which the step at \(place) waits for, never occurred"
            }
        let end = abandoned.map { "; it was abandoned: \($0)" } ?? (isInterrupted ? "; it was interrupted" : "")
        return script + end
    }
}
