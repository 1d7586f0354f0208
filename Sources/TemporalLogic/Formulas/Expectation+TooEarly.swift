import SquallCore
package import Trace

// A bound that was over before there was anything to be in time for.

extension Expectation {
    /// The verdict, unless its bound was over before the script first made what it is about: a message of this label that
    /// was sent only then, a fault that began only then.
    ///
    /// Nobody could have been in time; what is wrong is where the bound counts from. `events` are those of the whole run.
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
                "the bound of \(bound) from \(origin) was over at \(due), before \(name) at \(first.time); say after: \(name)"
            return Verdict(.inconclusive, Reason(text, events: [first.index]))
        }
        return verdict
    }

    /// What the bound counts from; nil where a scope may close before the bound is over.
    private var origin: String? {
        if let trigger = formula.claim.trigger, scope == .run { return trigger.text(for: clients.first) }
        return switch scope {
        case .run: "the start of the run"
        case .after(let condition): condition.text(for: clients.first)
        case .before, .between, .during, .atEnd: nil
        }
    }
}
