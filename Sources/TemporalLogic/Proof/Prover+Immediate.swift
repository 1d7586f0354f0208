import SquallCore
package import Trace

extension Prover {
    /// The trigger of a bound that measures nothing in this run: the client itself reports it, and every answer is in
    /// the same step of the client. Nil for any other expectation.
    ///
    /// A client that notices late reports such a trigger as late as the answer. The bound has to count from the cause:
    /// what the user, the device, the server or the network did.
    package func immediateTrigger(in recording: Recording) -> String? {
        guard expectation.bound != nil, let trigger = expectation.formula.claim.trigger, trigger.offset == .zero else {
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
