import SquallCore
package import Trace

extension Prover {
    /// Returns the text of the condition that starts the expectation's time limit, its trigger or the opening of its
    /// scope, if the expectation would pass in this run even with a bound of zero, so that the bound measures nothing;
    /// otherwise nil.
    ///
    /// This happens if the client itself reports both the trigger and, at the same instant, the response: a slow client
    /// reports both late. The bound should be measured from the cause instead: an action of the user, the device, the
    /// server or the network.
    package func immediateTrigger(in recording: Recording) -> String? {
        let claim = expectation.formula.claim
        // Without a trigger, a time limit for reaching a goal begins with the scope.
        let opening = claim.goal == nil ? nil : expectation.scope.opening
        guard expectation.bound != nil, let trigger = claim.trigger ?? opening, trigger.offset == .zero else {
            return nil
        }
        if let event = trigger.event {
            guard event.name.hasPrefix("client."),
                recording.events.contains(where: { event.covers($0.name) && $0.observation.provenance != .injected })
            else { return nil }
        }
        var immediate = expectation
        immediate.bound = .zero
        guard Prover(immediate).judge(recording).0.outcome == .pass else { return nil }
        return trigger.text(for: expectation.clients.first)
    }
}
