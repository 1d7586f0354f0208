package import ChatWire
package import Faults
package import SquallCore

/// What reaches the fake server.
package enum ServerInput: Hashable, Sendable {
    // Rare and far larger than what comes at every step.
    indirect case action(ServerAction)
    /// A connection has come in.
    case accepted(LinkID)
    case received(LinkID, [UInt8])
    case ended(LinkID, LinkEnd)
    /// A deadline has come.
    case timer
}

/// What the fake server wants done.
package enum ServerOutput: Hashable, Sendable {
    case write(LinkID, [UInt8])
    /// The server is done with this connection. After an ``LinkEnd/fin`` it still reads until the peer ends.
    case end(LinkID, LinkEnd)
    /// Whether connections are accepted from now on. A server begins listening.
    case listen(Bool)
    case observe(Observation, client: ClientID?)
    /// For the push service, which brings it to the phone that has the token. The label is the scenario's, and not on the way.
    indirect case push(Push, token: String, label: String?)
}
