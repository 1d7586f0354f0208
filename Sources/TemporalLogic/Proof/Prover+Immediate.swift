import SquallCore
package import Trace

extension Prover {
    /// Returns the text of the expectation's trigger if its bound measures nothing in this run: the client itself
    /// reports the trigger, and each response at the same instant. Otherwise returns nil.
    ///
    /// A client that is late reports such a trigger as late as the response. The bound should be measured from the
    /// cause instead: an action of the user, the device, the server or the network.
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
