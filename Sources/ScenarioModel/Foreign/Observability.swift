import Adapter
import SquallCore

/// The observables (named values) and events that can be observed in a run with a given client. Their sources are the
/// client's adapter, the wire and Squall itself.
package struct Observability: Sendable {
    /// The observables that the client's adapter reports; nil for Squall's own client, which reports all observables.
    private let offer: AdapterCapabilities?
    private let hasOwnServer: Bool

    package init(of plan: ForeignPlan?, hasOwnServer: Bool = true) {
        offer = plan?.offer
        self.hasOwnServer = hasOwnServer
    }

    /// Returns whether the observable or event `name` can be observed; for a prefix, whether all events with this
    /// prefix can be observed.
    package func sees(_ name: String) -> Bool {
        if let entry = Registry.entry(named: name) { return sees(entry) }
        let below = Registry.events(named: name)
        return !below.isEmpty && below.allSatisfy(sees)
    }

    private func sees(_ entry: RegistryEntry) -> Bool {
        guard hasOwnServer || !entry.name.hasPrefix("server.") else { return seesUpstream(entry.name) }
        guard let offer else { return entry.name != "link.state" }
        // Squall itself records the traffic on the wire and its own actions.
        if entry.level == .wire || entry.provenance == .injected { return true }
        if ClientWire.substitutes.contains(entry.name) || offer.shows(entry.name) { return true }
        switch entry.name {
        case "client.accepted": return offer.takes("send")
        case "client.crashed", "client.refused", "client.log": return true
        default: return false
        }
    }

    /// Returns whether the client itself reports this name, even if it is also visible on the wire.
    func isShown(_ name: String) -> Bool { offer?.shows(name) ?? true }

    /// Returns whether the client can report this connection state. A client that has its own states can report only
    /// the Squall states to which they map.
    func hasState(_ word: String) -> Bool {
        guard let offer, !offer.states.isEmpty else { return true }
        return offer.states.contains { $0.word == word }
    }

    /// Returns whether this upstream server event can be observed on the wire.
    private func seesUpstream(_ name: String) -> Bool {
        ServerWire.names.contains(name)
            || ["server.received.", "server.sent.", "server.requested.", "server.answered."].contains {
                name.hasPrefix($0)
            }
    }

    /// Describes, as a sentence for reports, why a name cannot be observed.
    package func reasonUnobserved(to name: String) -> String {
        if !hasOwnServer, name.hasPrefix("server.") { return "\(name) is reported by Squall's own server only" }
        return offer?.shows.isEmpty == true
            ? "only the client could report \(name), and it is judged only from the wire"
            : "the client does not show \(name)"
    }
}
