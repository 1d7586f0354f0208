import SquallCore
import TemporalLogic
import Trace

/// The fault-free (calm) period after the script, in which clients and server have time to reach the same state.
///
/// It begins when the run would otherwise be over: every fault is healed, the server listens again, and each client
/// runs in the foreground with a network. Clients and server are compared at growing intervals. The period ends after
/// the last comparison, or earlier if they agree both before and after the clients are restarted.
struct Calm: Sendable {
    /// The state of the run when its expectations were decided, before the fault-free (calm) period.
    struct Before: Sendable {
        var end: Instant
        /// The number of events in the trace.
        var events: Int
        var digest: String
        var judgement: RunVerdicts
    }

    let before: Before
    /// Whether the clients are restarted once they agree with the server.
    let restarts: Bool
    private(set) var isOver = false
    /// The values that the clients showed just before they were restarted; nil until then. The restart must not change
    /// them.
    private(set) var beforeRestart: ObservedState?
    var isRestarted: Bool { beforeRestart != nil }
    private var comparisons = 0
    /// The instant at which the current series of comparisons began.
    private var began: Instant

    /// The times of the comparisons, relative to ``began``.
    ///
    /// The last comparison is late enough to allow for a maximum backoff, a retry that the server has delayed, and a
    /// poll.
    private static let times = [1, 4, 15, 45, 120, 300].map { TimeSpan.seconds($0) }

    init(_ before: Before, restarts: Bool) {
        self.before = before
        self.restarts = restarts
        began = before.end
    }

    /// The instant at which clients and server are next compared; nil after the last comparison.
    var deadline: Instant? {
        isOver || comparisons >= Self.times.count ? nil : began + Self.times[comparisons]
    }

    /// Whether the next comparison is the last one.
    var isLast: Bool { comparisons == Self.times.count - 1 }

    /// Records the result of a comparison.
    mutating func compared(agreed: Bool) {
        isOver = isLast || agreed && (isRestarted || !restarts)
        comparisons += 1
    }

    /// Records that the clients were killed and restarted; `state` is what they showed beforehand.
    mutating func restarted(_ state: ObservedState, at now: Instant) {
        beforeRestart = state
        comparisons = 0
        began = now
    }
}
