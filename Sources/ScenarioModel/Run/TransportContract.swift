package import FakeServer
package import Faults
package import ReferenceClient
package import SquallCore

/// An input that a world's transport delivers to a run. The run decides; the transport only carries.
package enum TransportInput: Sendable {
    /// The listeners are open; the run begins. Delivered once, at instant zero.
    case ready
    /// The store of a client, as requested by ``TransportOutput/launch(_:)``.
    case launched(ClientID, StoreImage)
    /// `opened`, `connectFailed`, `received`, `ended`, `response`, `requestFailed` or `persisted`.
    case client(ClientID, ClientInput)
    /// `accepted`, `upstreamOpened`, `upstreamFailed`, `received` or `ended`.
    case relay(RelayInput)
    /// `accepted`, `received` or `ended`.
    case server(ServerInput)
    /// An input from a foreign client's process.
    indirect case foreign(ClientID, ForeignInput)
    /// An input from the program that conducts the run from outside.
    indirect case conducted(ConductorInput)
    /// A deadline has come; the run fires what is due.
    case wake
}

/// An action that a run asks of its world's transport. Actions are carried out in order.
package enum TransportOutput: Sendable {
    /// Load this client's store; answered by ``TransportInput/launched(_:_:)``.
    case launch(ClientID)
    /// End this client's process: its connections and exchanges end as a kernel ends them, pending writes to its store
    /// are lost, and nothing more of it reaches the run.
    case kill(ClientID)
    /// Never an `observe`.
    case client(ClientID, ClientOutput)
    /// Never an `observe`.
    case relay(RelayOutput)
    /// Never an `observe`.
    case server(ServerOutput)
    indirect case foreign(ClientID, ForeignOutput)
    /// An answer to the program that conducts the run from outside.
    indirect case conducted(ConductorOutput)
}

extension TransportInput {
    /// Whether a held run handles this input, too.
    package var isConducted: Bool {
        if case .conducted = self { true } else { false }
    }
}
