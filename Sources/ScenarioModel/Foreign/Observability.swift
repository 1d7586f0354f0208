import Adapter
import SquallCore

/// What can be seen of a run with this client: what its adapter tells, what the wire tells, and what Squall does.
package struct Observability: Sendable {
    /// Nil for Squall's own client, which shows everything.
    private let offer: ClientOffer?
    private let hasOwnServer: Bool

    package init(of plan: ForeignPlan?, hasOwnServer: Bool = true) {
        offer = plan?.offer
        self.hasOwnServer = hasOwnServer
    }

    /// Whether an observable, an event, or all events below a name can be seen.
    package func sees(_ name: String) -> Bool {
        if let entry = Registry.entry(named: name) { return sees(entry) }
        let below = Registry.events(named: name)
        return !below.isEmpty && below.allSatisfy(sees)
    }

    private func sees(_ entry: RegistryEntry) -> Bool {
        guard hasOwnServer || !entry.name.hasPrefix("server.") else { return seesUpstream(entry.name) }
        guard let offer else { return entry.name != "link.state" }
        // What Squall does, it sees.
        if entry.level == .wire || entry.provenance == .injected { return true }
        if ClientWire.standIns.contains(entry.name) || offer.shows(entry.name) { return true }
        switch entry.name {
        case "client.accepted": return offer.takes("send")
        case "client.crashed", "client.refused", "client.log": return true
        default: return false
        }
    }

    /// Whether the client itself tells of it, whatever the wire shows.
    func isShown(_ name: String) -> Bool { offer?.shows(name) ?? true }

    /// Whether the client can ever say that it is in a state: by its own map, where it has one.
    func hasState(_ word: String) -> Bool {
        guard let offer, !offer.states.isEmpty else { return true }
        return offer.states.contains { $0.word == word }
    }

    /// Somebody else's server shows what passes it by.
    private func seesUpstream(_ name: String) -> Bool {
        ServerWire.names.contains(name)
            || ["server.received.", "server.sent.", "server.requested.", "server.answered."].contains {
                name.hasPrefix($0)
            }
    }

    /// Why something cannot be seen.
    package func blindness(to name: String) -> String {
        if !hasOwnServer, name.hasPrefix("server.") { return "\(name) is what only Squall's own server tells" }
        return offer?.shows.isEmpty == true
            ? "\(name) is the client's to tell, and it is judged from the wire alone"
            : "the client does not show \(name)"
    }
}
