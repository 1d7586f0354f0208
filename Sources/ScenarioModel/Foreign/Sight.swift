import Adapter
import Foundations

/// What can be seen of a run with this client: what its adapter tells, what the wire tells, and what Squall does.
package struct Sight: Sendable {
    private let offer: ClientOffer

    package init(of plan: ForeignPlan) {
        offer = plan.offer
    }

    /// Whether an observable, an event, or all events below a name can be seen.
    package func sees(_ name: String) -> Bool {
        if let entry = Registry.entry(named: name) { return sees(entry) }
        let below = Registry.events(named: name)
        return !below.isEmpty && below.allSatisfy(sees)
    }

    private func sees(_ entry: RegistryEntry) -> Bool {
        // What Squall does, it sees.
        if entry.level == .wire || entry.provenance == .injected { return true }
        if ClientWire.standIns.contains(entry.name) || offer.shows(entry.name) { return true }
        switch entry.name {
        case "client.accepted": return offer.takes("send")
        case "client.crashed", "client.refused", "client.log": return true
        default: return false
        }
    }

    /// Whether the client can ever say that it is in a state: by its own map, where it has one.
    func hasState(_ word: String) -> Bool {
        offer.states.isEmpty || offer.states.contains { $0.word == word }
    }

    /// Why something cannot be seen.
    package func blindness(to name: String) -> String {
        offer.shows.isEmpty
            ? "\(name) is the client's to tell, and it is judged from the wire alone"
            : "the client does not show \(name)"
    }
}
