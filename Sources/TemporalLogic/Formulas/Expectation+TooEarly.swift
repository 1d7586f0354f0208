import SquallCore
package import Trace

// Expectations whose bound ended before the script created their subject.

extension Expectation {
    /// The verdict; inconclusive when the bound ended before the script first created what the expectation is about,
    /// such as a message sent or a fault begun only later.
    ///
    /// No client could have met such a bound: it counts from the wrong moment. `events` are those of the whole run.
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

    /// The text of what the bound counts from; nil for a scope that may close before the bound ends.
    private var origin: String? {
        if let trigger = formula.claim.trigger, scope == .run { return trigger.text(for: clients.first) }
        return switch scope {
        case .run: "the start of the run"
        case .after(let condition): condition.text(for: clients.first)
        case .before, .between, .during, .atEnd: nil
        }
    }
}
