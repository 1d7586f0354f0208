package import SquallCore
package import Trace

// Theory of operation
//
//     trace event ──► ConditionTracker (one per condition of the operator and of the scope)
//                        │  met immediately, by an event      │  noted, known at the end of the instant
//                        ▼                                     ▼
//                     closing ─► operator's conditions ─► opening   HeldInstant
//                        │                                     │  sorted by position in the trace
//                        ▼                                     ▼
//                     MonitorInstance: intervals  [open ──── close)   [open ──── close)
//                        │  begin, happened, settle, expire, close
//                        ▼
//                     WordMonitor ──► WordStatus, one per interval ──► Verdict, one per expectation
//
// Events become conditions. A condition on an event is met when the event happens. A state can be evaluated only when
// no more events can come at its instant, since several observables may change at one instant; the same is true of an
// event while a state holds. ``settle()`` runs when a later instant begins, or at the end of the run.
//
// Conditions become intervals. The scope's opening begins an interval and its closing ends it; `run` is one interval
// from the start. For one event, the closing is handled first and the opening last, so that an interval contains
// neither the event that opened it nor the one that closed it. A repeated scope (`between`, `during`) has many
// intervals, any other scope at most one.
//
// Intervals become verdicts. The operator's monitor (a ``WordMonitor``) judges each interval by itself. The first
// broken interval fails the expectation immediately; one that was cut short makes it inconclusive; one that was met
// passes it; vacuous intervals count only if there are no others. An operator with a time limit has a deadline:
// `nextDue` is the instant at which the caller must call ``advance(to:)`` even if no event comes.
//
// Buffering. When a state opens or closes a scope, it is unclear until the end of the instant on which side of that
// boundary an event of the instant falls. From the first such event on, everything at this instant is added to
// ``HeldInstant`` instead of being judged. At the end of the instant the states are known, and the parts are replayed
// in trace order.

/// Judges one expectation as the trace grows, with one ``MonitorInstance`` per client that the expectation is about.
///
/// Each event is passed with the state after it. An instant is judged when a later one begins or the run ends, because
/// until then more events may happen at that instant. See the theory of operation above.
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
            for entry in instances[index].readings where entry.reading.covers(event.name, event.client) {
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

    /// Advances the time to `time`: all earlier instants are judged, and more events at `time` may follow.
    package mutating func advance(to time: Instant) {
        for index in instances.indices { instances[index].advance(to: time) }
    }

    /// Records that the script ended at `time`.
    ///
    /// A trigger after the script's end is judged as long as the run continues, but does not prolong the run.
    package mutating func scriptEnded(at time: Instant) {
        for index in instances.indices { instances[index].scriptEnded(at: time) }
    }

    /// The last instant that the run must include for this expectation; nil if the run may end.
    package var openDeadline: Instant? {
        mutating get {
            var latest: Instant?
            for index in instances.indices {
                guard let open = instances[index].openUntil else { continue }
                latest = max(latest ?? open, open)
            }
            return latest
        }
    }

    /// The earliest instant at which an instance must act even if no event occurs; `never` if there is none.
    var nextDue: Instant {
        var first = Instant.never
        for index in instances.indices { first = min(first, nextDue(of: index)) }
        return first
    }

    func nextDue(of instance: Int) -> Instant {
        instances[instance].isDecided ? .never : instances[instance].nextDue
    }

    /// Whether no later event can change the verdict.
    package var isDecided: Bool { instances.allSatisfy(\.isDecided) }

    /// The indexes of the events that the expectation read, in ascending order and without duplicates.
    package var readEvents: [Int] {
        guard instances.count > 1 else { return instances.first?.readEvents ?? [] }
        let all = instances.flatMap(\.readEvents).sorted()
        return all.enumerated().compactMap { $0.offset > 0 && all[$0.offset - 1] == $0.element ? nil : $0.element }
    }

    /// Ends the run and returns the verdict: the worst one if the expectation is judged for several clients.
    ///
    /// `scriptFinished` is whether all steps of the script were performed. If not, a claim that something never happens
    /// is inconclusive.
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
