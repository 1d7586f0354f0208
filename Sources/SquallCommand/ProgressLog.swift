import Squall
import Synchronization

/// The progress of long work on standard error: one line that is overwritten on a terminal, else a line now and then.
enum ProgressLog {
    /// How often a line is written where lines stay, as in the log of a CI job.
    private static let pause = Duration.seconds(10)
    private static let started = ContinuousClock.now
    private static let next = Mutex(started + pause)

    /// Shows the progress of a suite by the run that has ended last; a log names no runs.
    static func show(_ step: SuiteProgress) {
        show("\(step.done) of \(step.total)  \(step.title)", logged: "played \(step.done) of \(step.total) runs")
    }

    /// Shows `line` on a terminal. Elsewhere writes `logged`, or `line` if it is nil, with the time since the start,
    /// unless another line was written a moment ago.
    static func show(_ line: String, logged: String? = nil) {
        guard !Terminal.showsProgress else { return Terminal.progress(line) }
        let now = ContinuousClock.now
        let isDue = next.withLock { next in
            guard now >= next else { return false }
            next = now + pause
            return true
        }
        guard isDue else { return }
        let seconds = (now - started).components.seconds
        Terminal.complain("squall: \(logged ?? line) after \(seconds) s")
    }
}
