package import SquallCore
package import Trace

/// The verdicts on a run's expectations and invariants.
package struct RunVerdicts: Hashable, Sendable {
    /// One verdict for each expectation, in the same order.
    package var expectations: [Verdict]
    /// The verdicts on the invariants, in the order of ``InvariantName/allCases``; empty if no invariants were checked.
    package var invariants: [InvariantVerdict]

    /// Whether no expectation failed and no invariant was violated.
    package var hasPassed: Bool {
        expectations.allSatisfy { $0.outcome != .fail } && invariants.allSatisfy { $0.verdict.outcome != .fail }
    }

    /// Makes failures inconclusive if their bound ended too early for any client to meet it. `expectations` must be the
    /// evaluated expectations, in the order of their verdicts.
    package mutating func correctTooEarlyBounds(_ expectations: [Expectation], in recording: Recording) {
        for (place, expectation) in zip(self.expectations.indices, expectations) {
            self.expectations[place] = expectation.reconsidered(self.expectations[place], in: recording.events)
        }
    }
}

/// All of a run's monitors, and the observed state that they evaluate.
///
/// An event is passed only to the monitors that subscribe to its name.
package struct MonitorSet: Sendable {
    /// The state after the last event.
    package private(set) var state = ObservedState()
    package private(set) var monitors: [Monitor]
    private var invariants: InvariantSet?
    private var concerns: InvariantSet.AudienceCache?
    private var router = EventRouter<Target, Destination>()
    /// A lower bound on the monitors' next deadline.
    private var nextDue = Instant.zero

    /// The monitors and invariants that receive the events with a given name from a given client.
    private struct Destination: Sendable {
        var targets: [Target] = []
        /// The event kind and the client, which select the invariants that read these events; nil if none reads them.
        var invariants: InvariantSet.Audience?

        /// Sorts the targets, and merges targets that belong to the same monitor instance.
        init(_ found: [Target], _ invariants: InvariantSet.Audience?) {
            self.invariants = invariants
            for target in found.sorted(by: { ($0.monitor, $0.instance) < ($1.monitor, $1.instance) }) {
                if let last = targets.last, last.monitor == target.monitor, last.instance == target.instance {
                    targets[targets.count - 1].interest |= target.interest
                } else {
                    targets.append(target)
                }
            }
        }
    }

    private struct Target: Sendable {
        let monitor: Int
        let instance: Int
        var interest: MonitorInstance.Interest
    }

    /// Creates the monitors. If `invariants` is nil, only the expectations are evaluated.
    package init(
        _ expectations: [Expectation],
        invariants: InvariantSettings? = nil,
        clients: [ClientID] = [.only],
        tolerance: Tolerance = .none
    ) {
        let monitors = expectations.map { Monitor($0, tolerance: tolerance) }
        self.monitors = monitors
        for index in monitors.indices {
            for (place, instance) in monitors[index].instances.enumerated() {
                for entry in instance.subscriptions {
                    let target = Target(monitor: index, instance: place, interest: entry.interest)
                    router.add(target, reads: entry.reading)
                }
            }
        }
        self.invariants = invariants.map { InvariantSet($0, clients: clients, tolerance: tolerance) }
        concerns = invariants.map { _ in InvariantSet.AudienceCache(clients) }
    }

    /// Observes the next event in the trace and returns its route.
    @discardableResult
    package mutating func observe(_ event: TraceEvent) -> EventRoute {
        let route = state.apply(event)
        let destination = destination(of: event, route)
        for target in destination.targets {
            monitors[target.monitor].observe(event, in: state, instance: target.instance, interest: target.interest)
            nextDue = min(nextDue, monitors[target.monitor].nextDue(of: target.instance))
        }
        if let concern = destination.invariants { invariants?.observe(event, concern) }
        return route
    }

    private mutating func destination(of event: TraceEvent, _ route: EventRoute) -> Destination {
        if let known = router[route] { return known }
        let destination = Destination(router.targets(of: event, route), concerns?.concern(of: event, route))
        router[route] = destination
        return destination
    }

    /// Advances the current time to `time` and evaluates all earlier instants, including the deadlines before `time`.
    package mutating func advance(to time: Instant) {
        guard time > nextDue else { return }
        for index in monitors.indices { monitors[index].advance(to: time) }
        nextDue = monitors.map(\.nextDue).min() ?? .never
    }

    /// Records that the script ended at `time`.
    ///
    /// A trigger after the script's end is evaluated while the run continues, but does not prolong the run.
    package mutating func scriptEnded(at time: Instant) {
        for index in monitors.indices { monitors[index].scriptEnded(at: time) }
    }

    /// The time until which the run must continue because a monitor has an open deadline; nil if the run may end now.
    package var requiredRunEnd: Instant? {
        mutating get {
            var latest: Instant?
            for index in monitors.indices {
                guard let open = monitors[index].requiredRunEnd else { continue }
                latest = max(latest ?? open, open)
            }
            return latest
        }
    }

    /// The faults whose end will close a monitor's open interval.
    package var awaitedFaults: [AwaitedFault] {
        monitors.flatMap { $0.instances.compactMap(\.awaitedFault) }
    }

    /// Whether the verdicts on all expectations are final, that is, no later event can change them.
    package var isDecided: Bool { monitors.indices.allSatisfy { monitors[$0].isDecided } }

    /// Whether a standing invariant has been violated. Later events cannot change this.
    package var hasViolation: Bool { invariants?.isViolated ?? false }

    /// Returns the verdicts on a run that was stopped because of ``hasViolation``: the current verdicts on the
    /// invariants, and `inconclusive` for every expectation, because the rest of the run is unknown.
    package func judgementSoFar() -> RunVerdicts {
        let open = Verdict(.inconclusive, Reason("the run was ended at the first violation of an invariant"))
        return RunVerdicts(expectations: monitors.map { _ in open }, invariants: invariants?.verdicts ?? [])
    }

    /// Returns the current verdicts on the invariants of a run in progress; empty if no invariants are checked.
    package func invariants(at now: Instant) -> [InvariantVerdict] {
        guard var judged = invariants else { return [] }
        judged.expire(before: now)
        return judged.verdicts
    }

    package mutating func finish(at end: Instant, scriptFinished: Bool) -> RunVerdicts {
        var verdicts: [Verdict] = []
        for index in monitors.indices {
            verdicts.append(monitors[index].finish(at: end, scriptFinished: scriptFinished))
        }
        return RunVerdicts(expectations: verdicts, invariants: invariants?.finish(at: end) ?? [])
    }

    /// Evaluates a complete recording. The result is the same as if the run had been monitored live.
    package static func judge(
        _ recording: Recording,
        _ expectations: [Expectation],
        invariants: InvariantSettings? = nil,
        clients: [ClientID] = [.only],
        tolerance: Tolerance = .none
    ) -> RunVerdicts {
        var monitors = MonitorSet(expectations, invariants: invariants, clients: clients, tolerance: tolerance)
        var judgement = monitors.live(through: recording)
        judgement.correctTooEarlyBounds(expectations, in: recording)
        return judgement
    }

    /// Observes all events in a recording, ends the run and returns the verdicts.
    mutating func live(through recording: Recording) -> RunVerdicts {
        if let scriptEnd = recording.ending.scriptEnd { scriptEnded(at: scriptEnd) }
        for event in recording.events { observe(event) }
        return finish(at: recording.end, scriptFinished: recording.ending.isFinished)
    }
}
