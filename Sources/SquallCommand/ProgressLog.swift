import Squall
import SquallCore
import Synchronization

/// Reports the progress of long-running work on standard error: on a terminal as a single line that is overwritten,
/// elsewhere as a new line at intervals.
enum ProgressLog {
    /// The minimum time between two lines if lines cannot be overwritten, as in a CI job's log.
    private static let pause = Duration.seconds(10)
    private static let started = ContinuousClock.now
    private static let next = Mutex(started + pause)
    /// The last message, which ``whilePlaying(_:)`` repeats until another run ends.
    private static let latest = Mutex("no run has ended")
    /// Whether the run is held (paused). It then waits for the user, so the last progress line is not repeated.
    private static let isHeld = Mutex(false)

    /// Reports the progress of a suite: on a terminal, with the title of the run that ended last; elsewhere, only the
    /// numbers.
    static func show(_ step: SuiteProgress) {
        let cases = step.repeated == 1 ? "a failed case" : "\(step.repeated) failed cases"
        let again = step.repeated > 0 ? ", playing \(cases) again" : ""
        let logged = "played \(step.done.grouped) of \(step.total.grouped) runs\(again)"
        latest.withLock { $0 = logged }
        show("\(step.done.grouped) of \(step.total.grouped)  \(step.title)", logged: logged)
    }

    /// Performs the work of a suite. If lines cannot be overwritten, the last message is repeated at each interval,
    /// even if no run has ended since.
    static func whilePlaying<Result: Sendable>(_ work: () async throws -> Result) async rethrows -> Result {
        guard !Terminal.showsProgress else { return try await work() }
        let repeater = Task.detached {
            while (try? await Task.sleep(for: .seconds(1))) != nil {
                if !isHeld.withLock(\.self) { show(latest.withLock { $0 }) }
            }
        }
        defer { repeater.cancel() }
        return try await work()
    }

    /// Performs `work` while a run is held, without repeating the last message.
    static func whileHeld<Result>(_ work: () -> Result) -> Result {
        isHeld.withLock { $0 = true }
        defer { isHeld.withLock { $0 = false } }
        return work()
    }

    /// On a terminal, shows `line` in place of the previous line. Elsewhere, writes `logged` (or `line` if it is nil)
    /// with the time since the start, at most once every ten seconds.
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
        Terminal.printError("squall: \(logged ?? line) after \(seconds) s")
    }
}
