package import SquallCore
package import Trace

// Theory of operation
//
//     trace event ──► ConditionTracker (one per condition of the word and of the scope)
//                        │  met at once, by an event          │  noted, known at the end of the instant
//                        ▼                                     ▼
//                     closing ─► word's conditions ─► opening   HeldInstant
//                        │                                     │  sorted by place in the trace
//                        ▼                                     ▼
//                     MonitorInstance: intervals  [open ──── close)   [open ──── close)
//                        │  begin, happened, settle, expire, close
//                        ▼
//                     WordMonitor ──► WordRuling, one per interval ──► Verdict, one per expectation
//
// Events become conditions. A condition on events is met when its event happens. A state can be judged only when no
// more events can come at its instant, since several observables may change at one instant; so can an event while a
// state holds. ``settle()`` runs when a later instant begins, or at the end of the run.
//
// Conditions become intervals. The scope's opening begins an interval and its closing ends it; `run` is one interval
// from the start. At one event the closing counts first and the opening last, so that an interval holds neither the
// event that opened it nor the one that closed it. A repeated scope (`between`, `during`) has many intervals, the
// others at most one.
//
// Intervals become verdicts. The word's monitor judges each interval by itself. The first broken one fails the
// expectation at once; one that was cut short makes it inconclusive; one that was met passes it; vacuous ones count
// only when there is nothing else. A word that waits for time to pass has a deadline, and `nextDue` tells the caller
// when to call ``advance(to:)`` although no event comes.
//
// The hold. When a scope opens or closes by a state, an event of the same instant cannot be assigned to a side of that
// border before the instant is over. From the first such doubt, everything at this instant is added to ``HeldInstant``
// instead of being judged. At the end of the instant the states are known, and the parts are replayed in trace order.

/// Judges one expectation while its trace grows, with one ``MonitorInstance`` per client that the expectation is about.
///
/// It takes each event with the state after it. An instant is judged when a later one begins or the run ends, since
/// until then more events may happen at it. See the theory of operation above.
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

    /// Time has reached this instant: every earlier one is settled, and events of this one may follow.
    package mutating func advance(to time: Instant) {
        for index in instances.indices { instances[index].advance(to: time) }
    }

    /// The script has been played.
    ///
    /// A trigger after this point is judged as far as the run continues, but does not prolong it.
    package mutating func scriptEnded(at time: Instant) {
        for index in instances.indices { instances[index].scriptEnded(at: time) }
    }

    /// The run must last to the end of this instant; nil when it may end.
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

    /// The first instant at which a deadline passes without an event.
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

    /// The indexes of the events that the expectation read, ascending, each once.
    package var readEvents: [Int] {
        guard instances.count > 1 else { return instances.first?.readEvents ?? [] }
        let all = instances.flatMap(\.readEvents).sorted()
        return all.enumerated().compactMap { $0.offset > 0 && all[$0.offset - 1] == $0.element ? nil : $0.element }
    }

    /// Ends the run and returns the verdict; of several clients, the worst.
    ///
    /// `scriptFinished` says whether all steps of the script were played. If not, a claim that something never
    /// happens is inconclusive.
    package mutating func finish(at end: Instant, scriptFinished: Bool) -> Verdict {
        var verdicts: [Verdict] = []
        for index in instances.indices {
            verdicts.append(instances[index].finish(at: end, scriptFinished: scriptFinished))
        }
        guard verdicts.count > 1 else {
            return verdicts.first ?? Verdict(.inconclusive, Reason("the expectation is about no client"))
        }
        for outcome in [Outcome.fail, .inconclusive] {
            let places = verdicts.indices.filter { verdicts[$0].outcome == outcome }
            guard let first = places.first else { continue }
            var verdict = verdicts[first]
            if let client = instances[first].client { verdict.reason.text = "\(client): \(verdict.reason.text)" }
            if places.count > 1 {
                verdict.reason.text += " (and so \(places.count - 1) more of \(verdicts.count) clients)"
            }
            return verdict
        }
        return Verdict(.pass, Reason("", events: verdicts.flatMap(\.reason.events).sorted()))
    }
}
