import SquallCore

/// Decides whether an idle thread polls its sockets briefly before it blocks.
///
/// A wake-up costs a few microseconds, which is most of the time that a relay adds to a round trip between two peers
/// that respond immediately. Polling avoids that cost but takes processor time from every other thread, so the thread
/// polls only while nearly every poll finds an event. Each unsuccessful poll doubles the number of waits that block
/// immediately. On a single processor, where a peer cannot run while this thread polls, polling therefore almost never
/// happens.
struct BusyPolling {
    /// The duration of one poll: long enough for a peer on the same machine to be woken on another processor and to
    /// respond.
    static let pollDuration = TimeSpan.microseconds(20)
    /// The number of consecutive successful polls after which ``pause`` is halved.
    static let successesBeforeHalving = 64
    /// The range of ``pause``, the number of waits to skip after an unsuccessful poll.
    ///
    /// At the upper bound, one wait in about a thousand includes an unsuccessful poll.
    static let skipRange = 16...1024

    /// The number of waits to skip after the latest unsuccessful poll. The next unsuccessful poll doubles it.
    private var pause = 0
    /// The number of waits left to skip before the next poll.
    private var remaining = 0
    /// The number of successful polls since the last unsuccessful one or the last halving of the pause.
    private var successes = 0

    /// Returns whether to poll before the next wait. Call it exactly once per wait, because it counts the skipped
    /// waits.
    mutating func isWorthwhile() -> Bool {
        guard remaining > 0 else { return true }
        remaining -= 1
        return false
    }

    mutating func succeeded() {
        successes += 1
        guard successes == Self.successesBeforeHalving else { return }
        successes = 0
        pause /= 2
    }

    mutating func failed() {
        successes = 0
        pause = min(max(2 * pause, Self.skipRange.lowerBound), Self.skipRange.upperBound)
        remaining = pause
    }
}
