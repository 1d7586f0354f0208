import SquallCore
package import Trace

extension TraceEvent {
    /// Whether the event is of interest to a user who watches the run. Heartbeats and events common to all connections
    /// are excluded. The client's frame events are excluded too, because the server's events report the same frames.
    package var isNotable: Bool {
        if Self.usual.contains(name) || name.hasPrefix("client.received.") || name.hasPrefix("client.sent.") {
            return false
        }
        let parts = name.split(separator: ".")
        guard parts.count > 2, parts[0] == "server", parts[1] == "sent" || parts[1] == "received" else { return true }
        return !Self.usualFrames.contains(String(parts[2]))
    }

    private static let usual: Set<String> = [
        "client.attempt.began", "connection.open_sockets", "link.state", "network.accepted", "network.closed",
        "server.accepted", "server.answered.ws", "server.requested.ws",
    ]
    private static let usualFrames: Set<String> = ["connect", "hello", "message_ack", "ping", "pong"]
}
