import SquallCore

/// Whether a thread with nothing to do asks its sockets for a while before it sleeps.
///
/// Being woken costs a few microseconds, most of what a relay adds to a round trip between two peers that answer at once. Asking is sooner,
/// and takes the processor from whoever else wants it: it is done while it finds something nearly every time, and else ever more seldom. On one
/// processor for all, where a peer cannot answer while it is being asked, that is next to never.
struct BusyPolling {
    /// How long it asks: what a peer on the same machine takes for an answer, also one that must be woken on another processor first.
    static let span = TimeSpan.microseconds(20)
    /// How many in a row must find something before it is believed twice as much.
    static let streak = 64
    /// How many waits go by without asking behind the first failure, and at most: then one wait in a thousand is longer than it need be.
    static let pauses = 16...1024

    /// Waits that go by without asking behind the next failure, at least.
    private var pause = 0
    /// What is left of that.
    private var remaining = 0
    /// Successes since the last failure, or since the pause was made shorter.
    private var successes = 0

    /// Whether to ask now; to be called once for each wait.
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
