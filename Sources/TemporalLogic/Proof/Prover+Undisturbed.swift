package import SquallCore
package import Trace

/// An expectation that was met before the script had done anything that it could be about.
package struct PrematurePass: Hashable, Sendable {
    /// When it was met.
    package let met: Instant
    /// The first thing that the script did to client, server or network.
    package let disturbance: TraceEvent
}

extension Prover {
    /// Where an expectation without a scope waits for a state that was there when the script's first disturbance came, and
    /// was gone after it: whether it comes back, nobody asks.
    ///
    /// `isDisturbance` tells the script's disturbances among the events. Nil where the expectation is about something else: an
    /// event, a state that the disturbance left alone, or one that had passed before.
    package func earlyPass(in recording: Recording, isDisturbance: (TraceEvent) -> Bool) -> PrematurePass? {
        guard expectation.scope == .run, let goal = expectation.formula.claim.goal, goal.isLevel,
            let place = recording.events.firstIndex(where: isDisturbance)
        else { return nil }
        let disturbance = recording.events[place]
        var before = recording
        before.events = Array(recording.events[..<place])
        before.end = disturbance.time
        let verdict = judge(before).0
        let back = Condition.event(EventPattern(disturbance.name, key: disturbance.key))
        guard verdict.outcome == .pass, outcome(of: .always(goal.state), .atEnd, in: before) == .pass,
            outcome(of: .always(goal.state), .after(back), in: recording) == .fail
        else { return nil }
        let last = verdict.reason.events.filter(before.events.indices.contains).max()
        return PrematurePass(met: last.map { before.events[$0].time } ?? .zero, disturbance: disturbance)
    }

    /// What else can be said of the run, for the clients that the expectation is about.
    private func outcome(of formula: Formula, _ scope: Scope, in recording: Recording) -> Outcome {
        let claim = Expectation(formula, scope: scope, location: expectation.location, clients: expectation.clients)
        return Prover(claim).judge(recording).0.outcome
    }
}
