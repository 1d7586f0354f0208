package import SquallCore

/// An input that the relay's owner passes to ``Relay/handle(_:at:)``.
package enum RelayInput: Hashable, Sendable {
    /// Begins a fault. The fault can be healed by its label, or by its verb if it has no label. A fault that already
    /// has this label is replaced.
    // The case is indirect because it is rare and far larger than the common inputs.
    indirect case begin(Fault, label: String?, clients: [ClientID]?)
    case heal(label: String)
    case healAll
    /// The user of this client has logged in at a portal. The faults that last until a login end for this client.
    case login(ClientID)
    /// Makes a third party replay this client's recorded login on a separate connection.
    case replayLogin(ClientID)
    /// The server behind the relay has started (true) or stopped (false) accepting connections.
    case upstreamListening(Bool)
    /// A client's connection was accepted. The first output for the link determines what happens to it.
    case accepted(LinkID)
    /// The connection to the server that ``RelayOutput/connectUpstream(_:)`` requested is open.
    case upstreamOpened(LinkID)
    case upstreamFailed(LinkID, LinkFailure)
    /// The TLS handshake of a client's new connection has failed, so no link is created.
    case handshakeFailed(ClientID, Handshake)
    /// Bytes were read from the socket of one side.
    case received(LinkID, from: LinkSide, [UInt8])
    /// One side has ended its direction of the connection (FIN) or reset the connection (RST).
    case ended(LinkID, side: LinkSide, LinkEnd)
    /// The relay's next deadline has passed.
    case timer
}

/// An action for the relay's owner to perform.
package enum RelayOutput: Hashable, Sendable {
    /// Changes how the listener handles new connections of this client.
    case acceptMode(ClientID, AcceptMode)
    /// Changes the outcome of TLS handshakes on this client's new connections.
    case handshake(ClientID, Handshake)
    case connectUpstream(LinkID)
    case write(LinkID, to: LinkSide, [UInt8])
    case end(LinkID, side: LinkSide, LinkEnd)
    /// Changes how the socket of one side is read.
    case readMode(LinkID, side: LinkSide, ReadMode)
    case observe(Observation, client: ClientID?)
}

/// How a client's listener handles new connections.
package enum AcceptMode: String, Hashable, Sendable, CaseIterable {
    case open
    /// SYNs are answered with an RST: connection refused.
    case refusing
    /// SYNs are dropped. A connection attempt that begins in this mode remains lost even when the mode changes.
    case dropping
}

/// How the relay reads a socket.
package enum ReadMode: String, Hashable, Sendable, CaseIterable {
    /// Bytes are read as they arrive.
    case none
    /// Bytes are not read. The kernel acknowledges them until its buffers are full, as in a stall.
    case unread
    /// Bytes are not even acknowledged, as in a blackhole.
    case unacknowledged
}
