package import SquallCore

/// The reason why a connection failed or ended. Simulated and live runs use the same reasons.
package enum LinkFailure: String, Hashable, Sendable, CaseIterable {
    /// No process listens on the port.
    case refused
    /// The caller's timeout expired before a response arrived.
    case timedOut = "timed_out"
    /// The other side has sent an RST.
    case reset
    /// The other side has ended the connection cleanly, with a FIN.
    case endOfStream = "end_of_stream"
    /// The TLS handshake failed.
    case tls
    case nameNotFound = "name_not_found"
    /// The device has no network connection.
    case unreachable
}

/// How one side of a link ends the connection.
package enum LinkEnd: String, Hashable, Sendable, CaseIterable {
    /// The side sends a FIN. Bytes written before the FIN are still delivered.
    case fin
    /// The side sends an RST. Bytes in flight are lost.
    case rst
}

/// The two sides of a link, as seen from the network between them.
package enum LinkSide: String, Hashable, Sendable, CaseIterable {
    case client, server

    package var opposite: LinkSide { if case .client = self { .server } else { .client } }
    /// The direction in which bytes from this side travel.
    package var outbound: Direction { if case .client = self { .upstream } else { .downstream } }
}
