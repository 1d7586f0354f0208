import SquallCore

/// Decides when a run is over.
///
/// After its script, a run continues until the last pending deadline of an expectation has passed, because no verdict
/// can change after that. It also continues for at least the time that the scenario specifies as `play_on`. A run that
/// is interrupted or abandoned ends immediately.
struct RunEnd: Sendable {
    /// The facts at one step of the run that determine when it ends.
    struct Inputs {
        /// The instant at which the script was finished or got stuck.
        var scriptEnd: Instant
        /// Whether a `wait` in the script has timed out, which means that the run has failed.
        var isStuck = false
        /// The last pending deadline of an expectation; nil if none is pending.
        var requiredRunEnd: Instant?
        /// The end of the last fault to which a pending expectation refers; nil if there is none.
        var faultEnd: Instant?
    }

    private(set) var isOver = false
    private(set) var isInterrupted = false
    /// The reason why the run was abandoned; nil if it was not abandoned.
    private(set) var abandonReason: String?
    /// The instant at which the run ends, unless it is extended or ended early; nil until the script has ended.
    private(set) var deadline: Instant?

    private let playOn: TimeSpan
    /// The latest possible end of the run. It is set when the script ends, and later deadlines do not change it.
    private var latest: Instant?

    /// The maximum time that expectations can add to a run by setting new deadlines.
    private static let longestProlongation = TimeSpan.seconds(3600)

    init(playOn: TimeSpan) {
        self.playOn = playOn
    }

    /// Recalculates the end of the run after a step, which may have set new deadlines or removed old ones.
    mutating func update(_ facts: Inputs) {
        let last = max(facts.scriptEnd + playOn, facts.requiredRunEnd ?? .zero, facts.faultEnd ?? .zero)
        // Deadlines are inclusive: an event at the last instant still counts.
        let end = last + TimeSpan(nanoseconds: 1)
        // If the script is stuck, no later deadline can change the verdict.
        let latest = latest ?? (facts.isStuck ? end : end + Self.longestProlongation)
        self.latest = latest
        deadline = min(end, latest)
    }

    /// Ends the run if its deadline has passed.
    mutating func advance(to now: Instant) {
        if let deadline, now >= deadline { isOver = true }
    }

    /// Ends the run at the user's request.
    mutating func interrupt() {
        isInterrupted = true
        isOver = true
    }

    /// Ends the run immediately, because its verdict is known.
    mutating func stop() {
        isOver = true
    }

    /// Ends the run for a reason other than an expectation: for example, a livelock or a client that has failed.
    mutating func abandon(_ reason: String) {
        abandonReason = reason
        isOver = true
    }
}
