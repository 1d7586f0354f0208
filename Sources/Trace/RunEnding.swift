package import SquallCore

/// How a run ended. This information cannot be derived from the run's events.
package struct RunEnding: Hashable, Sendable {
    /// The outcome of the script.
    package enum Script: Hashable, Sendable {
        case finished
        /// The `wait` at this location timed out at the given time.
        case stuck(at: SourceLocation, why: String, by: Instant)
        /// The run ended before the script did.
        case unfinished(at: SourceLocation)
        /// The event that a step's `at:` refers to did not occur.
        case anchorMissing(at: SourceLocation, what: String)
    }

    package var script = Script.finished
    /// The time at which the last step was performed; nil if the run ended earlier.
    package var scriptEnd: Instant?
    /// The reason why Squall abandoned the run; nil if the run was not abandoned.
    package var abandoned: String?
    /// Whether the run was interrupted from outside, which makes its result meaningless.
    package var isInterrupted = false

    package init() {}

    /// Whether every step of the script was performed.
    package var isFinished: Bool { script == .finished }
}

extension RunEnding: CustomStringConvertible {
    /// A description of the ending in one line.
    package var description: String {
        let script =
            switch script {
            case .finished: "the script finished"
            case .stuck(let index, let why, let time): "the script was stuck at \(index) by \(time): \(why)"
            case .unfinished(let index): "the run ended before the step at \(index)"
            case .anchorMissing(let index, let what): "\(what), which the step at \(index) waits for, never occurred"
            }
        let end = abandoned.map { "; it was abandoned: \($0)" } ?? (isInterrupted ? "; it was interrupted" : "")
        return script + end
    }
}
