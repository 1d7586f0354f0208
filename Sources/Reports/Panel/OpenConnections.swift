import SquallCore
package import Trace

/// Counts a client's open connections from its events.
package struct OpenConnections: Hashable, Sendable {
    /// The number of open connections at the relay. Some of them may be dead: a connection that a client abandons
    /// during a blackhole remains open.
    private var links = 0
    /// The number of the client's open WebSockets; nil if it has never been reported.
    private var sockets: Int?

    package init() {}

    /// The number of connections that the client keeps open, or the number at the relay if the former is unknown.
    package var count: Int { sockets ?? links }

    /// Updates the count with an event of the client. Returns false if the event is about something else.
    @discardableResult
    package mutating func observe(_ event: TraceEvent) -> Bool {
        switch (event.name, event.observation.change) {
        case ("network.accepted", _), ("link.accepted", _): links += 1
        case ("network.closed", _), ("link.over", _): links = max(0, links - 1)
        case ("connection.open_sockets", .set(.integer(let number))): sockets = Int(clamping: number)
        default: return false
        }
        return true
    }
}
