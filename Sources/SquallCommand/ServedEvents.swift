import ScenarioModel
import SquallCore
import TemporalLogic
import Trace

/// The lines that `squall serve` prints for events, for a person.
enum ServedEvents {
    /// Whether a person waits for this event: not the client's side of a frame, whose other side is the server's; nor
    /// heartbeats and what belongs to each connection.
    static func isNotable(_ event: TraceEvent) -> Bool {
        let name = event.name
        if usual.contains(name) || name.hasPrefix("client.received.") || name.hasPrefix("client.sent.") { return false }
        let parts = name.split(separator: ".")
        guard parts.count > 2, parts[0] == "server", parts[1] == "sent" || parts[1] == "received" else { return true }
        return !usualFrames.contains(String(parts[2]))
    }

    private static let usual: Set<String> = [
        "client.attempt.began", "connection.open_sockets", "link.state", "network.accepted", "network.closed",
        "server.accepted", "server.answered.ws", "server.requested.ws",
    ]
    private static let usualFrames: Set<String> = ["connect", "hello", "message_ack", "ping", "pong"]

    /// Time, name and fields, durations in seconds or milliseconds.
    static func line(_ event: TraceEvent) -> String {
        let name = ObservedName(client: event.client, name: event.name, key: event.key)
        guard let fields = event.fields?.members, !fields.isEmpty else {
            return "\(event.time)  \(name)\(event.observation.change.tail)"
        }
        let durations = Set(
            (Registry.entry(named: event.name)?.fields ?? []).filter { $0.kind == .duration }.map(\.name) + ["after"]
        )
        let shown = fields.map { field in
            guard durations.contains(field.name), let value = field.value.intValue else {
                return "\(field.name): \(field.value.readable)"
            }
            return "\(field.name): \(TimeSpan.milliseconds(TimeSpan(nanoseconds: value).milliseconds))"
        }
        return "\(event.time)  \(name)  \(shown.joined(separator: ", "))"
    }
}
