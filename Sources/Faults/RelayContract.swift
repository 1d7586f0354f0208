package import SquallCore

/// What reaches the relay between clients and server.
package enum RelayInput: Hashable, Sendable {
    /// Begin a fault; its label, or its verb where it has none, ends it again. A label that is taken is taken over.
    // Rare and far larger than what comes at every step.
    indirect case begin(Fault, label: String?, clients: [ClientID]?)
    case heal(label: String)
    case healAll
    /// The user of this client has logged in: ends for it what lasts until then, a captive portal.
    case login(ClientID)
    /// A third party says again, on a connection of its own, what this client has said to log in.
    case replayLogin(ClientID)
    /// Whether the server behind the relay accepts connections.
    case upstreamListening(Bool)
    /// A client's connection was accepted. Its first answer says what becomes of it.
    case accepted(LinkID)
    /// The connection to the server asked for by ``RelayOutput/connectUpstream(_:)`` is there.
    case upstreamOpened(LinkID)
    case upstreamFailed(LinkID, LinkFailure)
    /// The TLS handshake of a client's new connection came to nothing; there never is a link.
    case handshakeFailed(ClientID, Handshake)
    /// Bytes read from one side.
    case received(LinkID, from: LinkSide, [UInt8])
    /// One side has ended its direction (FIN) or torn the connection down (RST).
    case ended(LinkID, side: LinkSide, LinkEnd)
    /// A deadline has come.
    case timer
}

/// What the relay wants done.
package enum RelayOutput: Hashable, Sendable {
    /// How the door for this client's new connections behaves from now on.
    case acceptMode(ClientID, AcceptMode)
    /// How the TLS handshakes of this client's new connections go from now on.
    case handshake(ClientID, Handshake)
    case connectUpstream(LinkID)
    case write(LinkID, to: LinkSide, [UInt8])
    case end(LinkID, side: LinkSide, LinkEnd)
    /// How the socket towards one side treats what arrives.
    case readMode(LinkID, side: LinkSide, ReadMode)
    case observe(Observation, client: ClientID?)
}

/// How new connections of a client fare.
package enum AcceptMode: String, Hashable, Sendable, CaseIterable {
    case open
    /// Answered with an RST: connection refused.
    case refusing
    /// SYNs vanish; an attempt begun now stays lost after the heal.
    case dropping
}

/// How a socket of the relay treats bytes that arrive at it.
package enum ReadMode: String, Hashable, Sendable, CaseIterable {
    /// Reads as they come.
    case none
    /// Does not read: the kernel still acknowledges until the buffers are full. A stall.
    case unread
    /// Does not even acknowledge: a blackhole.
    case unacknowledged
}
