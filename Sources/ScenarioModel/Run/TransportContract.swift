package import FakeServer
package import Faults
package import ReferenceClient
package import SquallCore

/// What a world's transport brings to a run. The run decides; the transport only carries.
package enum TransportInput: Sendable {
    /// The doors and the server stand; the run may begin. Once, at instant zero.
    case ready
    /// The store of a client asked for by ``TransportOutput/launch(_:)``.
    case launched(ClientID, StoreImage)
    /// `opened`, `connectFailed`, `received`, `ended`, `response`, `requestFailed` or `persisted`.
    case client(ClientID, ClientInput)
    /// `accepted`, `upstreamOpened`, `upstreamFailed`, `received` or `ended`.
    case relay(RelayInput)
    /// `accepted`, `received` or `ended`.
    case server(ServerInput)
    /// Of a client that Squall does not drive itself.
    indirect case foreign(ClientID, ForeignInput)
    /// Of whoever conducts the run from outside.
    indirect case conducted(ConductorInput)
    /// Time has passed; the run fires what is due.
    case wake
}

/// What a run wants carried out, in this order.
package enum TransportOutput: Sendable {
    /// Load this client's store and answer with ``TransportInput/launched(_:_:)``.
    case launch(ClientID)
    /// This client's process is gone: its connections and exchanges end as a kernel ends them, writes not yet done are lost,
    /// nothing more of it reaches the run.
    case kill(ClientID)
    /// Never an `observe`.
    case client(ClientID, ClientOutput)
    /// Never an `observe`.
    case relay(RelayOutput)
    /// Never an `observe`.
    case server(ServerOutput)
    indirect case foreign(ClientID, ForeignOutput)
    /// To whoever conducts the run from outside.
    indirect case conducted(ConductorOutput)
}
