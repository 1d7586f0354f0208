package import Adapter
package import Live
import ScenarioModel
package import SquallCore

/// A client that runs in this process and is tested by a suite.
package final class HostedChoice: Hashable, Sendable {
    package let clients: HostedClients
    /// The client's capabilities; nil for a client that is evaluated only by its network traffic.
    package let offer: AdapterCapabilities?
    package let name: String
    /// Instructions for replaying a case with this client, because no command can start it.
    package let replay: String
    /// Returns the maximum delay of the client's threads since the previous call; failures caused by such a delay are
    /// not attributed to the client.
    package let lateness: @Sendable () -> TimeSpan

    package init(
        _ clients: HostedClients,
        offer: AdapterCapabilities?,
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
        ForeignPlan(hasAdapter: offer != nil, home: .here, offer: offer ?? AdapterCapabilities(name: name))
    }

    package static func == (left: HostedChoice, right: HostedChoice) -> Bool { left === right }

    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
