package import SquallCore

/// Why a connection failed or ended; the same vocabulary in both worlds, sim and live.
package enum LinkFailure: String, Hashable, Sendable, CaseIterable {
    /// The port has no listener.
    case refused
    /// No answer within the caller's own limit.
    case timedOut = "timed_out"
    /// Ended by an RST.
    case reset
    /// Ended cleanly by the other side's FIN.
    case endOfStream = "end_of_stream"
    /// The TLS handshake failed.
    case tls
    case nameNotFound = "name_not_found"
    /// The device has no network at all.
    case unreachable
}

/// How a side ends a connection.
package enum LinkEnd: String, Hashable, Sendable, CaseIterable {
    /// Cleanly: bytes written before it still arrive.
    case fin
    /// At once: bytes in flight are lost.
    case rst
}

/// The two ends of a link, seen from the network between them.
package enum LinkSide: String, Hashable, Sendable, CaseIterable {
    case client, server

    package var opposite: LinkSide { if case .client = self { .server } else { .client } }
    /// The direction in which bytes read from this side travel.
    package var outbound: Direction { if case .client = self { .upstream } else { .downstream } }
}
