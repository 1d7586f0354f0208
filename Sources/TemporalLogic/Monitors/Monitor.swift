package import SquallCore
package import Trace

// Theory of operation
//
//     trace event ──► ConditionTracker (one per condition of the operator and of the scope)
//                        │  met immediately, by an event      │  at the end of the instant, by a state
//                        ▼                                     ▼
//                     closing ─► operator's conditions ─► opening   InstantBuffer
//                        │                                     │  sorted by position in the trace
//                        ▼                                     ▼
//                     MonitorInstance: intervals  [open ──── close)   [open ──── close)
//                        │  begin, happened, settle, expire, close
//                        ▼
//                     OperatorMonitor ──► OperatorStatus, one per interval ──► Verdict, one per expectation
//
// From events to conditions: a condition on an event is met when the event happens. A state can be evaluated only once
// no more events can occur at that instant, because several observables may change at once. The same applies to a
// condition on an event while a state holds. ``settle()`` runs when a later instant begins, or at the end of the run.
//
// From conditions to intervals: an interval begins when the scope opens and ends when the scope closes; the scope `run`
// is one interval from the start. For each event, the closing of the scope is handled first and its opening last, so an
// interval contains neither the event that opened it nor the event that closed it. A repeated scope (`between`,
// `during`) can have many intervals; any other scope has at most one.
//
// From intervals to verdicts: the operator's monitor (an ``OperatorMonitor``) evaluates each interval separately.
// The first interval with the status `broken` fails the expectation immediately. An interval with the status `cut`
// makes it inconclusive, and an interval with the status `met` passes it. The status `vacuous` counts only if there
// is no other interval. An operator with a time limit has a deadline: `nextDue` is the instant at which the caller
// must call ``advance(to:)`` even if no event occurs.
//
// Buffering: if a state opens or closes a scope, it is unclear until the end of the instant whether an event of that
// instant is inside the scope. From the first such event on, everything that happens at the instant is added to
// ``InstantBuffer`` and evaluated later. At the end of the instant the states are known, and the buffered items are
// replayed in trace order.

/// Evaluates one expectation as the trace grows, with one ``MonitorInstance`` for each client of the expectation.
///
/// Each event is passed together with the state after it. An instant is evaluated when a later one begins or the run
/// ends, because until then more events may happen at that instant. See the theory of operation above.
package struct Monitor: Sendable {
    package let expectation: Expectation
    private(set) var instances: [MonitorInstance]

    package init(_ expectation: Expectation, tolerance: Tolerance = .none) {
        self.expectation = expectation
        let clients: [ClientID?] = expectation.isForEach ? expectation.clients.map(Optional.some) : [nil]
        instances = clients.map { MonitorInstance(expectation, for: $0, tolerance: tolerance) }
    }

    /// Observes an event; `state` is the state after it.
    package mutating func observe(_ event: TraceEvent, state: ObservedState) {
        for index in instances.indices {
            var interest: MonitorInstance.Interest = 0
            for entry in instances[index].subscriptions where entry.reading.covers(event.name, event.client) {
                interest |= entry.interest
            }
            if interest != 0 { instances[index].observe(event, in: state, interest) }
        }
    }

    mutating func observe(
        _ event: TraceEvent,
        in state: ObservedState,
        instance: Int,
        interest: MonitorInstance.Interest
    ) {
        instances[instance].observe(event, in: state, interest)
    }

    /// Advances the current time to `time` and evaluates all earlier instants. More events at `time` may follow.
    package mutating func advance(to time: Instant) {
        for index in instances.indices { instances[index].advance(to: time) }
    }

    /// Records that the script ended at `time`.
    ///
    /// A trigger after the script's end is evaluated while the run continues, but does not prolong the run.
    package mutating func scriptEnded(at time: Instant) {
        for index in instances.indices { instances[index].scriptEnded(at: time) }
    }

    /// The instant until which the run must continue for this expectation; nil if the run may end now.
    package var requiredRunEnd: Instant? {
        mutating get {
            var latest: Instant?
            for index in instances.indices {
                guard let open = instances[index].runMustLastUntil else { continue }
                latest = max(latest ?? open, open)
            }
            return latest
        }
    }

    /// The earliest instant at which an instance must be called even if no event occurs; `never` if there is none.
    var nextDue: Instant {
        var first = Instant.never
        for index in instances.indices { first = min(first, nextDue(of: index)) }
        return first
    }

    func nextDue(of instance: Int) -> Instant {
        instances[instance].isDecided ? .never : instances[instance].nextDue
    }

    /// Whether the verdict is final, that is, no later event can change it.
    package var isDecided: Bool { instances.allSatisfy(\.isDecided) }

    /// The indexes of the events that the expectation read, in ascending order and without duplicates.
    package var readEvents: [Int] {
        guard instances.count > 1 else { return instances.first?.readEvents ?? [] }
        let all = instances.flatMap(\.readEvents).sorted()
        return all.enumerated().compactMap { $0.offset > 0 && all[$0.offset - 1] == $0.element ? nil : $0.element }
    }

    /// Ends the evaluation and returns the verdict. If there are several clients, returns the worst of their verdicts.
    ///
    /// If `scriptFinished` is false, at least one step of the script was not performed. A claim that something never
    /// happens is then inconclusive.
    package mutating func finish(at end: Instant, scriptFinished: Bool) -> Verdict {
        var verdicts: [Verdict] = []
        for index in instances.indices {
            verdicts.append(instances[index].finish(at: end, scriptFinished: scriptFinished))
        }
        guard verdicts.count > 1 else {
            return verdicts.first ?? Verdict(.inconclusive, Reason("the expectation applies to no client"))
        }
        for outcome in [Outcome.fail, .inconclusive] {
            let places = verdicts.indices.filter { verdicts[$0].outcome == outcome }
            guard let first = places.first else { continue }
            var verdict = verdicts[first]
            if let client = instances[first].client { verdict.reason.text = "\(client): \(verdict.reason.text)" }
            if places.count > 1 {
                verdict.reason.text += " (and likewise \(places.count - 1) more of \(verdicts.count) clients)"
            }
            return verdict
        }
        return Verdict(.pass, Reason("", events: verdicts.flatMap(\.reason.events).sorted()))
    }
}
