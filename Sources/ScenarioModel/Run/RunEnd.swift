import SquallCore

/// When a run is over.
///
/// A run continues after its script until no expectation can change its verdict any more: until the last bound that is
/// open has ended, and at least for the scenario's own `play_on`. It ends at once when it is interrupted or abandoned.
struct RunEnd: Sendable {
    /// What the end depends on, after one step of the run.
    struct Facts {
        /// When the script had nothing more to play.
        var scriptEnd: Instant
        /// Whether a wait of the script failed, which has failed the run.
        var isStuck = false
        /// When the last open bound of an expectation ends; nil if none is open.
        var openDeadline: Instant?
        /// When the last fault ends that an open expectation is about; nil for none.
        var faultEnd: Instant?
    }

    private(set) var isOver = false
    private(set) var isInterrupted = false
    /// Why the run could not continue; nil if it could.
    private(set) var abandonment: String?
    /// When the run is over unless something else happens; nil while the script goes on.
    private(set) var deadline: Instant?

    private let playOn: TimeSpan
    /// The latest possible end, fixed when the script ends: later bounds cannot move it.
    private var latest: Instant?

    /// How long the bounds of expectations that answer one another, each opening the next, may prolong a run.
    private static let longestProlongation = TimeSpan.seconds(3600)

    init(playOn: TimeSpan) {
        self.playOn = playOn
    }

    /// Records the results of a step. The end may move while bounds open and are met.
    mutating func update(_ facts: Facts) {
        let last = max(facts.scriptEnd + playOn, facts.openDeadline ?? .zero, facts.faultEnd ?? .zero)
        // Bounds are inclusive: what happens at the last instant still counts.
        let end = last + TimeSpan(nanoseconds: 1)
        // Nothing that opens later can change the verdict of a script that is stuck.
        let latest = latest ?? (facts.isStuck ? end : end + Self.longestProlongation)
        self.latest = latest
        deadline = min(end, latest)
    }

    /// Ends the run if it is due to end.
    mutating func advance(to now: Instant) {
        if let deadline, now >= deadline { isOver = true }
    }

    /// Ends the run at the user's request.
    mutating func interrupt() {
        isInterrupted = true
        isOver = true
    }

    /// Ends the run at once, since its verdict is known.
    mutating func stop() {
        isOver = true
    }

    /// Ends the run for a reason that is not an expectation's: a livelock, or a client that cannot be played.
    mutating func abandon(_ reason: String) {
        abandonment = reason
        isOver = true
    }
}
