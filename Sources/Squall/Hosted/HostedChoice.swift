package import Adapter
package import Live
import ScenarioModel
package import SquallCore

/// A client within this process, as one that a suite can be played with.
package final class HostedChoice: Hashable, Sendable {
    package let clients: HostedClients
    /// What it shows and takes; nil for one that is judged from the wire alone.
    package let offer: ClientOffer?
    package let name: String
    /// How somebody plays a case with it again, in words: no command can.
    package let replay: String
    /// How late the client's own threads were at worst since this was asked last: what they are late by is not the client's.
    package let lateness: @Sendable () -> TimeSpan

    package init(
        _ clients: HostedClients,
        offer: ClientOffer?,
        name: String,
        replay: String,
        lateness: @escaping @Sendable () -> TimeSpan
    ) {
        self.clients = clients
        self.offer = offer
        self.name = name
        self.replay = replay
        self.lateness = lateness
    }

    var plan: ForeignPlan {
        ForeignPlan(hasAdapter: offer != nil, home: .here, offer: offer ?? ClientOffer(name: name))
    }

    package static func == (left: HostedChoice, right: HostedChoice) -> Bool { left === right }

    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
