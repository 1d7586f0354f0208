import SquallCore
package import Trace

extension TraceEvent {
    /// Whether a person waits for this event: not the client's side of a frame, whose other side is the server's; nor
    /// heartbeats and what belongs to each connection.
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
