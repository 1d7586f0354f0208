package import SquallCore

/// How an expectation came out.
package enum Outcome: String, Hashable, Sendable, CaseIterable {
    case pass
    case fail
    /// What it is about never happened, or the run stopped too early to say.
    case inconclusive
    /// The client cannot show what it is about.
    case skipped
}

/// Why a verdict is as it is.
package struct Reason: Hashable, Sendable {
    /// For a reader; empty for a plain pass.
    package var text: String
    /// The instant until which it should have come, tolerance included; nil where no bound was missed.
    package var expectedBy: Instant?
    /// The indexes of the events that decided it, in the order of the trace.
    package var events: [Int]
    /// What was there instead: `toast.text null since 12.400`.
    package var lastSeen: String?

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

    /// For what the client cannot show.
    package static func skipped(_ why: String) -> Verdict { Verdict(.skipped, Reason(why)) }
}
