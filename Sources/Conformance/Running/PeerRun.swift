package import Faults
package import SquallCore

/// A case being played, as whoever carries its bytes sees it.
package protocol PeerRun: Sendable {
    mutating func takeOutputs() -> [PeerOutput]
    /// When ``tick(at:)`` is due at the latest.
    var deadline: Instant? { get }
    mutating func receive(_ bytes: [UInt8], at now: Instant)
    mutating func receiveEnd(_ end: LinkEnd, at now: Instant)
    mutating func tick(at now: Instant)
    /// Set when the case is over.
    var result: ConformanceResult? { get }
}

/// What a case wants done to its connection.
package enum PeerOutput: Hashable, Sendable {
    /// One write; the next is another.
    case write([UInt8])
    /// FIN: nothing more goes out, what comes is still read. RST: at once.
    case end(LinkEnd)
    /// This connection is ended and done with; what follows goes over a new one. Judging a server, it is made to the same
    /// place, by this one of the case's users, 0 first; judging a client, the client makes it.
    case reconnect(LinkEnd, user: Int)
    /// A client that takes commands is told this.
    case command(ClientWish)
}
