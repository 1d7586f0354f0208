import SquallCore
package import Trace

// Makes a failed expectation inconclusive if its time bound ended before the script created an object that the
// expectation names.

extension Expectation {
    /// Returns `verdict`, or an inconclusive verdict if the time bound ended before the script created a message, fault
    /// or other object that the expectation names.
    ///
    /// No client could meet such a bound, because it is measured from the wrong event. `events` contains all events of
    /// the run.
    package func reconsidered(_ verdict: Verdict, in events: [TraceEvent]) -> Verdict {
        guard verdict.outcome == .fail, let bound, let due = verdict.reason.expectedBy, let origin else {
            return verdict
        }
        for key in keys {
            guard let first = events.first(where: { $0.key == key }), first.observation.provenance == .injected,
                first.time > due
            else { continue }
            let name = ObservedName(client: first.client, name: first.name, key: key)
            let text =
                """
                the bound of \(bound) from \(origin) ended at \(due), before \(name) at \(first.time); add 'after: \
                \(name)'
                """
            return Verdict(.inconclusive, Reason(text, events: [first.index]))
        }
        return verdict
    }

    /// Describes what the time bound is measured from; nil if the scope may close before the bound has elapsed.
    private var origin: String? {
        if let trigger = formula.claim.trigger, scope == .run { return trigger.text(for: clients.first) }
        return switch scope {
        case .run: "the start of the run"
        case .after(let condition): condition.text(for: clients.first)
        case .before, .between, .during, .atEnd: nil
        }
    }
}
