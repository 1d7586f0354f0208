package import Faults
package import SquallCore

/// An input to the fake server.
package enum ServerInput: Hashable, Sendable {
    // The case is indirect, because actions are rare and far larger than the frequent inputs.
    indirect case action(ServerAction)
    /// Reports that a client's connection was accepted.
    case accepted(LinkID)
    case received(LinkID, [UInt8])
    case ended(LinkID, LinkEnd)
    /// Reports that the server's next deadline has passed.
    case timer
}

/// An output from the fake server.
package enum ServerOutput: Hashable, Sendable {
    case write(LinkID, [UInt8])
    /// Ends the server's side of a connection. After ``LinkEnd/fin`` the server continues to read until the peer closes
    /// the connection.
    case end(LinkID, LinkEnd)
    /// Starts or stops accepting connections. A new server accepts connections.
    case listen(Bool)
    case observe(Observation, client: ClientID?)
    /// A notification for the push service, which delivers it to the device with the token.
    ///
    /// The label is the scenario's name for the notification and is not transmitted.
    case push([UInt8], token: String, label: String?)
}
