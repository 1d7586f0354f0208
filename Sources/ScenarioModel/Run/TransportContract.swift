package import FakeServer
package import Faults
package import ReferenceClient
package import SquallCore

/// An input that a world's transport delivers to a run. All decisions are made by the run, none by the transport.
package enum TransportInput: Sendable {
    /// The listeners are open, so the run can begin. The transport delivers this input once, at instant zero.
    case ready
    /// The content of a client's store, as requested by ``TransportOutput/launch(_:)``.
    case launched(ClientID, StoreImage)
    /// An input for Squall's own client: `opened`, `connectFailed`, `received`, `ended`, `response`, `requestFailed` or
    /// `persisted`.
    case client(ClientID, ClientInput)
    /// An input for the relay: `accepted`, `upstreamOpened`, `upstreamFailed`, `received` or `ended`.
    case relay(RelayInput)
    /// An input for the fake server: `accepted`, `received` or `ended`.
    case server(ServerInput)
    /// An input from a foreign client's process.
    indirect case foreign(ClientID, ForeignInput)
    /// An input from the external program that controls the run.
    indirect case conducted(ConductorInput)
    /// The run's next deadline has passed.
    case wake
}

/// An action that a run requests from its world's transport. Actions are performed in order.
package enum TransportOutput: Sendable {
    /// Load this client's store. The answer is ``TransportInput/launched(_:_:)``.
    case launch(ClientID)
    /// End this client's process: its connections and exchanges end as if closed by the kernel, pending writes to its
    /// store are lost, and no further input from it reaches the run.
    case kill(ClientID)
    /// An action requested by Squall's own client. The case `observe` does not occur here, because the run handles it
    /// itself.
    case client(ClientID, ClientOutput)
    /// An action requested by the relay. The case `observe` does not occur here, because the run handles it itself.
    case relay(RelayOutput)
    /// An action requested by the fake server. The case `observe` does not occur here, because the run handles it
    /// itself.
    case server(ServerOutput)
    indirect case foreign(ClientID, ForeignOutput)
    /// A response to the external program that controls the run.
    indirect case conducted(ConductorOutput)
}

extension TransportInput {
    /// Whether a held (frozen) run handles this input immediately.
    package var isConducted: Bool {
        if case .conducted = self { true } else { false }
    }
}
