import SquallCore

/// Decides when a run is over.
///
/// A run continues after its script until no expectation can change its verdict any more, that is, until the last open
/// bound has expired, and at least for the scenario's own `play_on`. It ends at once when it is interrupted or
/// abandoned.
struct RunEnd: Sendable {
    /// The state on which the end of the run depends, after one step of the run.
    struct Facts {
        /// When the script was finished or got stuck.
        var scriptEnd: Instant
        /// Whether a `wait` of the script was not met, so that the run has failed.
        var isStuck = false
        /// When the last open bound of an expectation expires; nil if none is open.
        var openDeadline: Instant?
        /// When the last fault that an open expectation refers to ends; nil if there is none.
        var faultEnd: Instant?
    }

    private(set) var isOver = false
    private(set) var isInterrupted = false
    /// The reason why the run could not continue; nil if it could.
    private(set) var abandonment: String?
    /// When the run is over unless something else happens; nil while the script is playing.
    private(set) var deadline: Instant?

    private let playOn: TimeSpan
    /// The latest possible end, fixed when the script ends; bounds that open later cannot move it.
    private var latest: Instant?

    /// The maximum time by which a run is prolonged if expectations keep opening bounds for each other.
    private static let longestProlongation = TimeSpan.seconds(3600)

    init(playOn: TimeSpan) {
        self.playOn = playOn
    }

    /// Recalculates the end after a step: it can move while bounds open and are met.
    mutating func update(_ facts: Facts) {
        let last = max(facts.scriptEnd + playOn, facts.openDeadline ?? .zero, facts.faultEnd ?? .zero)
        // Bounds are inclusive: an event at the last instant still counts.
        let end = last + TimeSpan(nanoseconds: 1)
        // If the script is stuck, no later bound can change the verdict.
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

    /// Ends the run at once, because its verdict is known.
    mutating func stop() {
        isOver = true
    }

    /// Ends the run for a reason other than an expectation: a livelock, or a client that cannot be run.
    mutating func abandon(_ reason: String) {
        abandonment = reason
        isOver = true
    }
}
