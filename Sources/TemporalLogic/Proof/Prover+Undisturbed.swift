package import SquallCore
package import Trace

/// Evidence that an expectation passed before the script's first disturbance.
package struct EarlyPass: Hashable, Sendable {
    /// The instant at which the expectation was met.
    package let met: Instant
    /// The script's first action that affects the client, the server or the network.
    package let disturbance: TraceEvent
}

extension Prover {
    /// Returns evidence that the expectation waits for a state that already held before the script's first disturbance
    /// and was lost afterwards. Such an expectation does not check that the state is restored.
    ///
    /// `isDisturbance` recognizes the script's disturbances. Returns nil if the expectation has a scope or waits for an
    /// event, or if the state did not hold before the disturbance or was not affected by it.
    package func earlyPass(in recording: Recording, isDisturbance: (TraceEvent) -> Bool) -> EarlyPass? {
        guard expectation.scope == .run, let goal = expectation.formula.claim.goal, goal.isStateOnly,
            let index = recording.events.firstIndex(where: isDisturbance)
        else { return nil }
        let disturbance = recording.events[index]
        var before = recording
        before.events = Array(recording.events[..<index])
        before.end = disturbance.time
        let verdict = judge(before).0
        let back = Condition.event(EventPattern(disturbance.name, key: disturbance.key))
        guard verdict.outcome == .pass, outcome(of: .always(goal.state), .atEnd, in: before) == .pass,
            outcome(of: .always(goal.state), .after(back), in: recording) == .fail
        else { return nil }
        let last = verdict.reason.events.filter(before.events.indices.contains).max()
        return EarlyPass(met: last.map { before.events[$0].time } ?? .zero, disturbance: disturbance)
    }

    /// Returns the outcome of evaluating another formula on this run, with the given scope and for the same clients.
    private func outcome(of formula: Formula, _ scope: Scope, in recording: Recording) -> Outcome {
        let claim = Expectation(formula, scope: scope, location: expectation.location, clients: expectation.clients)
        return Prover(claim).judge(recording).0.outcome
    }
}
