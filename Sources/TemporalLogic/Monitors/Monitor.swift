package import SquallCore
package import Trace

/// Judges one expectation while its trace grows.
///
/// It is told each event with the state after it. An instant is judged when a later one begins, or when the run ends: until
/// then more may happen at it.
package struct Monitor: Sendable {
    package let expectation: Expectation
    private(set) var instances: [MonitorInstance]

    package init(_ expectation: Expectation, tolerance: Tolerance = .none) {
        self.expectation = expectation
        let clients: [ClientID?] = expectation.isForEach ? expectation.clients.map(Optional.some) : [nil]
        instances = clients.map { MonitorInstance(expectation, for: $0, tolerance: tolerance) }
    }

    /// `state` is what is shown after the event.
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

    /// The time has come, and everything before it is over; events of this instant may follow.
    package mutating func advance(to time: Instant) {
        for index in instances.indices { instances[index].advance(to: time) }
    }

    /// The script has been played.
    ///
    /// What triggers an expectation from now on is judged as long as the run goes on, but does not prolong it.
    package mutating func scriptEnded(at time: Instant) {
        for index in instances.indices { instances[index].scriptEnded(at: time) }
    }

    /// The run may not end before this instant, and not before everything that happens at it; nil where it may end.
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

    /// The first instant at which something is due without an event.
    var nextDue: Instant {
        var first = Instant.never
        for index in instances.indices { first = min(first, nextDue(of: index)) }
        return first
    }

    func nextDue(of instance: Int) -> Instant {
        instances[instance].isDecided ? .never : instances[instance].nextDue
    }

    /// Whether nothing that comes can change the verdict.
    package var isDecided: Bool { instances.allSatisfy(\.isDecided) }

    /// The indexes of the events that it read, ascending, each once.
    package var readEvents: [Int] {
        guard instances.count > 1 else { return instances.first?.readEvents ?? [] }
        let all = instances.flatMap(\.readEvents).sorted()
        return all.enumerated().compactMap { $0.offset > 0 && all[$0.offset - 1] == $0.element ? nil : $0.element }
    }

    /// The run has ended.
    ///
    /// Of several clients, the worst verdict counts.
    ///
    /// `scriptFinished` says whether all steps of the script were played: without, nothing that must never happen has
    /// been shown not to.
    package mutating func finish(at end: Instant, scriptFinished: Bool) -> Verdict {
        var verdicts: [Verdict] = []
        for index in instances.indices {
            verdicts.append(instances[index].finish(at: end, scriptFinished: scriptFinished))
        }
        guard verdicts.count > 1 else {
            return verdicts.first ?? Verdict(.inconclusive, Reason("it is about no client"))
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
