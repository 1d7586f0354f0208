import SquallCore

/// Decides whether an idle thread polls its sockets for a short while before it blocks.
///
/// A wake-up costs a few microseconds, most of what a relay adds to a round trip between two peers that answer at once.
/// Polling avoids it but takes the processor from every other thread, so it goes on only while nearly every poll finds
/// something; each failure doubles the number of waits that block at once. On a single processor, where a peer cannot
/// run while this thread polls, polling is therefore almost never done.
struct BusyPolling {
    /// The duration of one poll.
    ///
    /// It is long enough for a peer on the same machine that must first be woken on another processor.
    static let span = TimeSpan.microseconds(20)
    /// The number of successful polls in a row after which the pause is halved.
    static let streak = 64
    /// The waits without a poll after the first failure, and at most after many.
    ///
    /// With the upper bound, one wait in a thousand polls in vain.
    static let pauses = 16...1024

    /// The waits to skip after the latest failure; the next failure doubles it.
    private var pause = 0
    /// The waits that are still to be skipped.
    private var remaining = 0
    /// Successful polls since the last failure or the last halving of the pause.
    private var successes = 0

    /// Returns whether to poll before this wait. Call it exactly once per wait: it counts the skipped ones.
    mutating func isWorthwhile() -> Bool {
        guard remaining > 0 else { return true }
        remaining -= 1
        return false
    }

    mutating func succeeded() {
        successes += 1
        guard successes == Self.streak else { return }
        successes = 0
        pause /= 2
    }

    mutating func failed() {
        successes = 0
        pause = min(max(2 * pause, Self.pauses.lowerBound), Self.pauses.upperBound)
        remaining = pause
    }
}
