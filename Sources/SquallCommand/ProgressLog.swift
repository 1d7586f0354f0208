import Squall
import Synchronization

/// Prints the progress of a suite to standard error: on a terminal one line that is overwritten, otherwise a line every
/// few seconds.
enum ProgressLog {
    /// The time between lines if they cannot be overwritten, as in the log of a CI job.
    private static let pause = Duration.seconds(10)
    private static let started = ContinuousClock.now
    private static let next = Mutex(started + pause)

    static func show(_ step: SuiteProgress) {
        guard !Terminal.showsProgress else {
            Terminal.progress("\(step.done) of \(step.total)  \(step.title)")
            return
        }
        let now = ContinuousClock.now
        let isDue = next.withLock { next in
            guard now >= next else { return false }
            next = now + pause
            return true
        }
        guard isDue else { return }
        let seconds = (now - started).components.seconds
        Terminal.complain("squall: played \(step.done) of \(step.total) runs in \(seconds) s")
    }
}
