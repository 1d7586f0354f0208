package import SquallCore

/// How a run came to its end, which none of its events tells.
package struct RunEnding: Hashable, Sendable {
    /// How the script went.
    package enum Script: Hashable, Sendable {
        case finished
        /// A `wait` timed out at its line, at that instant.
        case stuck(at: SourceLocation, why: String, by: Instant)
        /// The run ended before the script did.
        case unfinished(at: SourceLocation)
        /// A step's `at:` event never came.
        case anchorNeverCame(at: SourceLocation, what: String)
    }

    package var script = Script.finished
    /// When there was nothing more of the script to play; nil where the run ended before.
    package var scriptEnd: Instant?
    /// Why the run was broken off, where it was.
    package var abandoned: String?
    /// Whether it was stopped because nobody wanted it any more: what it came to by then proves nothing.
    package var isInterrupted = false

    package init() {}

    /// Whether every step was played.
    package var isFinished: Bool { script == .finished }
}

extension RunEnding: CustomStringConvertible {
    /// How it went, in a line for a reader.
    package var description: String {
        let script =
            switch script {
            case .finished: "the script finished"
            case .stuck(let place, let why, let time): "the script was stuck at \(place) by \(time): \(why)"
            case .unfinished(let place): "the run ended before the step at \(place)"
            case .anchorNeverCame(let place, let what): "\(what), which the step at \(place) waits for, never came"
            }
        let end = abandoned.map { "; it was broken off: \($0)" } ?? (isInterrupted ? "; it was interrupted" : "")
        return script + end
    }
}
