package import Adapter
package import Live
import ScenarioModel
package import SquallCore

/// A client within this process that a suite can be played with.
package final class HostedChoice: Hashable, Sendable {
    package let clients: HostedClients
    /// What the client can show and do; nil for one that is judged by its traffic alone.
    package let offer: ClientOffer?
    package let name: String
    /// How to replay a case with this client, in words, since no command can.
    package let replay: String
    /// Returns how late the client's threads were at worst since the previous call; the client is not blamed for that.
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
