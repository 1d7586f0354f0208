package import Adapter
package import Live
import ScenarioModel

/// A client within this process, as one that a suite can be played with.
package final class HostedChoice: Hashable, Sendable {
    package let clients: HostedClients
    /// What it shows and takes; nil for one that is judged from the wire alone.
    package let offer: ClientOffer?
    package let name: String
    /// How somebody plays a case with it again, in words: no command can.
    package let replay: String

    package init(_ clients: HostedClients, offer: ClientOffer?, name: String, replay: String) {
        self.clients = clients
        self.offer = offer
        self.name = name
        self.replay = replay
    }

    var plan: ForeignPlan {
        ForeignPlan(hasAdapter: offer != nil, home: .here, offer: offer ?? ClientOffer(name: name))
    }

    package static func == (left: HostedChoice, right: HostedChoice) -> Bool { left === right }

    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
