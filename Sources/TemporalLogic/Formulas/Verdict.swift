package import SquallCore

/// The outcome of an expectation.
package enum Outcome: String, Hashable, Sendable, CaseIterable {
    case pass
    case fail
    /// The expectation did not apply to anything in the run, or the run ended before the verdict was certain.
    case inconclusive
    /// The client does not report an event or observable that the expectation reads.
    case skipped
}

/// The reason for a verdict, with its evidence.
package struct Reason: Hashable, Sendable {
    /// The explanation; empty for a pass.
    package var text: String
    /// The deadline that was missed, including the tolerance; nil if none was missed.
    package var expectedBy: Instant?
    /// The indexes of the events that decided the verdict, in trace order.
    package var events: [Int]
    /// The last value reported, such as `toast.text null since 12.400`.
    package var lastSeen: String?
    /// The values that the observables had instead of the expected ones, in order. Empty unless the expectation failed
    /// because a value did not appear in time.
    package var seen: [ObservedValue] = []

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

    /// Returns the verdict for an expectation or invariant that was not evaluated; `why` states the reason.
    package static func skipped(_ why: String) -> Verdict { Verdict(.skipped, Reason(why)) }
}
