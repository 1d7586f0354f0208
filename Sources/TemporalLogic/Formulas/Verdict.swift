package import SquallCore

/// The outcome of an expectation.
package enum Outcome: String, Hashable, Sendable, CaseIterable {
    case pass
    case fail
    /// There was nothing to judge, or the run stopped too early.
    case inconclusive
    /// The client cannot show what the expectation reads.
    case skipped
}

/// The reason of a verdict, with its evidence.
package struct Reason: Hashable, Sendable {
    /// The explanation; empty for a pass.
    package var text: String
    /// The deadline that was missed, tolerance included; nil when none was.
    package var expectedBy: Instant?
    /// The indexes of the decisive events, in the order of the trace.
    package var events: [Int]
    /// The last value seen: `toast.text null since 12.400`.
    package var lastSeen: String?
    /// The values that the observables had while the expectation waited for others, in order; empty for other failures.
    package var seen: [SeenValue] = []

    package init(_ text: String, expectedBy: Instant? = nil, events: [Int] = [], lastSeen: String? = nil) {
        self.text = text
        self.expectedBy = expectedBy
        self.events = events
        self.lastSeen = lastSeen
    }
}

package struct Verdict: Hashable, Sendable {
    package var outcome: Outcome
    package var reason: Reason

    package init(_ outcome: Outcome, _ reason: Reason) {
        self.outcome = outcome
        self.reason = reason
    }

    /// The verdict on an expectation that reads something the client does not show.
    package static func skipped(_ why: String) -> Verdict { Verdict(.skipped, Reason(why)) }
}
