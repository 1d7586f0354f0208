package import SquallCore

/// The reason why a connection failed or ended; the sim and live worlds use the same ones.
package enum LinkFailure: String, Hashable, Sendable, CaseIterable {
    /// The port has no listener.
    case refused
    /// There was no answer within the caller's own timeout.
    case timedOut = "timed_out"
    /// The other side has sent an RST.
    case reset
    /// The other side has ended the connection cleanly by a FIN.
    case endOfStream = "end_of_stream"
    /// The TLS handshake failed.
    case tls
    case nameNotFound = "name_not_found"
    /// The device has no network connection.
    case unreachable
}

/// The way in which a side ends a connection.
package enum LinkEnd: String, Hashable, Sendable, CaseIterable {
    /// By FIN: bytes written before it are still delivered.
    case fin
    /// By RST: bytes in flight are lost.
    case rst
}

/// The two sides of a link, seen from the network between them.
package enum LinkSide: String, Hashable, Sendable, CaseIterable {
    case client, server

    package var opposite: LinkSide { if case .client = self { .server } else { .client } }
    /// The direction in which bytes read from this side travel.
    package var outbound: Direction { if case .client = self { .upstream } else { .downstream } }
}
