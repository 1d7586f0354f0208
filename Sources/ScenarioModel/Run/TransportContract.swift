package import FakeServer
package import Faults
package import ReferenceClient
package import SquallCore

/// An input that a world's transport delivers to a run. The transport only delivers; all decisions are made by the run.
package enum TransportInput: Sendable {
    /// The listeners are open; the run begins. Delivered once, at instant zero.
    case ready
    /// The content of a client's store, as requested by ``TransportOutput/launch(_:)``.
    case launched(ClientID, StoreImage)
    /// An input of Squall's own client: `opened`, `connectFailed`, `received`, `ended`, `response`, `requestFailed` or
    /// `persisted`.
    case client(ClientID, ClientInput)
    /// An input of the relay: `accepted`, `upstreamOpened`, `upstreamFailed`, `received` or `ended`.
    case relay(RelayInput)
    /// An input of the fake server: `accepted`, `received` or `ended`.
    case server(ServerInput)
    /// An input from a foreign client's process.
    indirect case foreign(ClientID, ForeignInput)
    /// An input from the external program that controls the run.
    indirect case conducted(ConductorInput)
    /// The run's next deadline has passed, so the run performs the actions that are due.
    case wake
}

/// An action that a run requests from its world's transport. Actions are performed in order.
package enum TransportOutput: Sendable {
    /// Load this client's store; answered by ``TransportInput/launched(_:_:)``.
    case launch(ClientID)
    /// End this client's process: its connections and exchanges end as if closed by the kernel, pending writes to its
    /// store are lost, and no further input from it reaches the run.
    case kill(ClientID)
    /// An action of Squall's own client; never an `observe`.
    case client(ClientID, ClientOutput)
    /// An action of the relay; never an `observe`.
    case relay(RelayOutput)
    /// An action of the fake server; never an `observe`.
    case server(ServerOutput)
    indirect case foreign(ClientID, ForeignOutput)
    /// A response to the external program that controls the run.
    indirect case conducted(ConductorOutput)
}

extension TransportInput {
    /// Whether a held run also handles this input.
    package var isConducted: Bool {
        if case .conducted = self { true } else { false }
    }
}
