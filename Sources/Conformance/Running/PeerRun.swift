package import Faults
package import SquallCore

/// The interface through which the transport drives a case run.
package protocol PeerRun: Sendable {
    mutating func takeOutputs() -> [PeerOutput]
    /// The instant by which ``tick(at:)`` must be called; nil if no deadline is pending.
    var deadline: Instant? { get }
    mutating func receive(_ bytes: [UInt8], at now: Instant)
    mutating func receiveEnd(_ end: LinkEnd, at now: Instant)
    mutating func tick(at now: Instant)
    /// The result of the case; nil until the case has ended.
    var result: ConformanceResult? { get }
}

/// An action that a run requests and the transport performs on the connection.
package enum PeerOutput: Hashable, Sendable {
    /// Sends these bytes in one write.
    case write([UInt8])
    /// Closes the connection: a FIN half-closes it, so that data is still read; an RST closes it immediately.
    case end(LinkEnd)
    /// Ends this connection and continues on a new one. When Squall tests a server, the transport opens the new
    /// connection to the same address, as the case's user with this number, counted from 0. When Squall tests a client,
    /// the client opens it. If the end is nil, this connection stays open, but is no longer read; it ends with the
    /// connection that replaces it.
    case reconnect(LinkEnd?, user: Int)
    /// Sends a command to the client through its adapter.
    case command(UserAction)
}
