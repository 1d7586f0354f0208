package import Faults
package import SquallCore

/// The run of a case, as seen by the transport that carries its bytes.
package protocol PeerRun: Sendable {
    mutating func takeOutputs() -> [PeerOutput]
    /// The instant at which ``tick(at:)`` is due at the latest.
    var deadline: Instant? { get }
    mutating func receive(_ bytes: [UInt8], at now: Instant)
    mutating func receiveEnd(_ end: LinkEnd, at now: Instant)
    mutating func tick(at now: Instant)
    /// The result; nil until the case is over.
    var result: ConformanceResult? { get }
}

/// An output of a run for its connection.
package enum PeerOutput: Hashable, Sendable {
    /// Bytes for one write.
    case write([UInt8])
    /// Ends the connection: FIN half-closes it, so that data is still read; RST ends it at once.
    case end(LinkEnd)
    /// Ends this connection and continues on a new one. When judging a server, the new one is opened to the same
    /// address, by this user of the case, counted from 0; when judging a client, the client opens it.
    case reconnect(LinkEnd, user: Int)
    /// Sends a command to the client through its adapter.
    case command(UserAction)
}
