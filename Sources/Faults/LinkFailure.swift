package import SquallCore

/// Why a connection could not be had or came to its end: the one closed vocabulary of both worlds.
package enum LinkFailure: String, Hashable, Sendable, CaseIterable {
    /// Nobody listens there.
    case refused
    /// No answer within the caller's own limit.
    case timedOut = "timed_out"
    /// Torn down by an RST.
    case reset
    /// Ended in order by the other side's FIN.
    case endOfStream = "end_of_stream"
    /// The secured channel could not be made.
    case tls
    case nameNotFound = "name_not_found"
    /// The device has no network at all.
    case unreachable
}

/// How a side ends a connection.
package enum LinkEnd: String, Hashable, Sendable, CaseIterable {
    /// In order: everything written before it still arrives.
    case fin
    /// At once: what is under way is lost.
    case rst
}

/// The two ends of a link as the network between them sees them.
package enum LinkSide: String, Hashable, Sendable, CaseIterable {
    case client, server

    package var opposite: LinkSide { if case .client = self { .server } else { .client } }
    /// The direction in which bytes read from this side travel.
    package var outbound: Direction { if case .client = self { .upstream } else { .downstream } }
}
