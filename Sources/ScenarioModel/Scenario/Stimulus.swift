package import ChatWire
package import FakeServer
package import Faults
package import SquallCore

/// One thing that a scenario makes somebody do.
package struct Stimulus: Hashable, Sendable {
    package enum Operation: Hashable, Sendable {
        case client(ClientCommand)
        case server(ServerAction)
        case begin(Fault)
        case heal(label: String)
        case healAll
        /// A third party says again what it has recorded of a client's login.
        case replayLogin
    }

    package var actor: Actor
    package var verb: String
    package var deed: Operation
    /// Whose phone, whose connection; empty: everybody's.
    package var clients: [ClientID]
    /// The `as:` name.
    package var label: String?

    package init(actor: Actor, verb: String, deed: Operation, clients: [ClientID] = [], label: String? = nil) {
        self.actor = actor
        self.verb = verb
        self.deed = deed
        self.clients = clients
        self.label = label
    }

    /// The name under which the trace shows it.
    package var name: String { "\(actor.rawValue).\(verb)" }
}
