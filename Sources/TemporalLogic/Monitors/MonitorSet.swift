package import SquallCore
package import Trace

/// How a run's expectations and invariants came out.
package struct Judgement: Hashable, Sendable {
    /// In the order of the expectations.
    package var expectations: [Verdict]
    /// In the order of ``InvariantName/allCases``; empty where none were asked for.
    package var invariants: [InvariantVerdict]

    /// Looks at the whole run once it is over; `expectations` are those that were judged.
    package mutating func reconsider(_ expectations: [Expectation], in recording: Recording) {
        for (place, expectation) in zip(self.expectations.indices, expectations) {
            self.expectations[place] = expectation.reconsidered(self.expectations[place], in: recording.events)
        }
    }
}

/// All monitors of a run, and the state that they judge by.
///
/// An event reaches only those that its name matters to.
package struct MonitorSet: Sendable {
    /// What is shown after the last event.
    package private(set) var state = ObservedState()
    package private(set) var monitors: [Monitor]
    private var invariants: InvariantSet?
    private var concerns: InvariantSet.Concerns?
    private var router = EventRouter<Target, Destination>()
    /// No monitor has anything due before.
    private var nextDue = Instant.zero

    /// Whom events of one name and client matter to.
    private struct Destination: Sendable {
        var targets: [Target] = []
        /// What they mean to the invariants, and to whose; nil where they mean nothing.
        var invariants: InvariantSet.Concern?

        /// Each instance once, in order, with all that interests it.
        init(_ found: [Target], _ invariants: InvariantSet.Concern?) {
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

    /// Without settings, no invariants are judged.
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
                for entry in instance.readings {
                    let target = Target(monitor: index, instance: place, interest: entry.interest)
                    router.add(target, reads: entry.reading)
                }
            }
        }
        self.invariants = invariants.map { InvariantSet($0, clients: clients, tolerance: tolerance) }
        concerns = invariants.map { _ in InvariantSet.Concerns(clients) }
    }

    /// Takes in the next event of the trace, and says which route it came.
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

    /// The time has come, and everything before it is over: bounds pass without events, too.
    package mutating func advance(to time: Instant) {
        guard time > nextDue else { return }
        for index in monitors.indices { monitors[index].advance(to: time) }
        nextDue = monitors.map(\.nextDue).min() ?? .never
    }

    /// The script has been played.
    ///
    /// What triggers an expectation from now on is judged as long as the run goes on, but does not prolong it.
    package mutating func scriptEnded(at time: Instant) {
        for index in monitors.indices { monitors[index].scriptEnded(at: time) }
    }

    /// The run may not end before this instant, and not before everything that happens at it; nil where it may end.
    package var openDeadline: Instant? {
        mutating get {
            var latest: Instant?
            for index in monitors.indices {
                guard let open = monitors[index].openDeadline else { continue }
                latest = max(latest ?? open, open)
            }
            return latest
        }
    }

    /// The faults whose ends close scopes that are being judged.
    package var awaitedFaults: [AwaitedFault] {
        monitors.flatMap { $0.instances.compactMap(\.awaitedFault) }
    }

    /// Whether nothing that comes can change the verdict of any expectation.
    package var isDecided: Bool { monitors.indices.allSatisfy { monitors[$0].isDecided } }

    package mutating func finish(at end: Instant, scriptFinished: Bool) -> Judgement {
        var verdicts: [Verdict] = []
        for index in monitors.indices {
            verdicts.append(monitors[index].finish(at: end, scriptFinished: scriptFinished))
        }
        return Judgement(expectations: verdicts, invariants: invariants?.finish(at: end) ?? [])
    }

    /// Judges a recording that is already there, as it was judged while it grew.
    package static func judge(
        _ recording: Recording,
        _ expectations: [Expectation],
        invariants: InvariantSettings? = nil,
        clients: [ClientID] = [.only],
        tolerance: Tolerance = .none
    ) -> Judgement {
        var monitors = MonitorSet(expectations, invariants: invariants, clients: clients, tolerance: tolerance)
        var judgement = monitors.live(through: recording)
        judgement.reconsider(expectations, in: recording)
        return judgement
    }

    /// Takes in a recording from its first event to its end.
    mutating func live(through recording: Recording) -> Judgement {
        if let scriptEnd = recording.ending.scriptEnd { scriptEnded(at: scriptEnd) }
        for event in recording.events { observe(event) }
        return finish(at: recording.end, scriptFinished: recording.ending.isFinished)
    }
}
