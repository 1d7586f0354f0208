import SquallCore
package import Trace

extension Prover {
    /// Describes the condition that starts the expectation's time limit if the bound is meaningless; otherwise returns
    /// nil. A bound is meaningless if the expectation would pass in this run even with a bound of zero.
    ///
    /// This happens if the client itself reports both the trigger and the response at the same instant. The bound then
    /// cannot detect a slow client, which reports both late. The bound should be measured from the cause instead: an
    /// action by the user, the device, the server or the network.
    package func immediateTrigger(in recording: Recording) -> String? {
        let claim = expectation.formula.claim
        // If the operator has a goal but no trigger, its time limit starts when the scope opens.
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
