import ScenarioModel
import SquallCore
import Trace

// Server actions that take time: a message streamed token by token, an announced shutdown, and an outage.

extension WireActions {
    /// A message that was streamed token by token.
    struct Stream {
        /// The index of the event for the message's first token.
        var first: Int
        var values: [(name: String, value: ArgumentValue)]
    }

    /// A shutdown that the server has announced to its clients.
    struct Drain {
        /// The index of the announcement's event.
        var first: Int
        /// The index of the event that closed the connection; nil if the server did not close it.
        var end: Int?
        /// The index of the connection's last event.
        var last: Int
        var values: [(name: String, value: ArgumentValue)]
    }

    /// The streamed messages by key. The trace does not contain their texts, so a placeholder word is used for each
    /// token.
    ///
    /// A message that was never stored is omitted, because its conversation is unknown.
    var streams: [String: Stream] {
        var tokens: [String: [TraceEvent]] = [:]
        var found: [String: Stream] = [:]
        for event in recording.events {
            guard let key = event.key else { continue }
            if event.name == "server.sent.token" { tokens[key, default: []].append(event) }
            guard event.name == "server.stored", let all = tokens[key], let first = all.first, let last = all.last,
                let conversation = event.fields?["conversation"]?.stringValue
            else { continue }
            let text = (1...all.count).map { "token\($0)" }.joined(separator: " ")
            var values: [(name: String, value: ArgumentValue)] = [
                ("conversation", .text(conversation)), ("text", .text(text)), ("pieces", .integer(Int64(all.count))),
            ]
            if all.count > 1 {
                let pause = TimeSpan(nanoseconds: (last.time - first.time).nanoseconds / Int64(all.count - 1))
                values.append(("every", .duration(pause.rounded)))
            }
            found[key] = Stream(first: first.index, values: values)
        }
        return found
    }

    var drains: [Drain] {
        var found: [Drain] = []
        for event in recording.events where event.name == "server.sent.draining" {
            // A server announces its shutdown to all clients at about the same time, so those announcements count as
            // one shutdown.
            if let last = found.last, event.time - recording.events[last.first].time < Self.announcing { continue }
            var values: [(name: String, value: ArgumentValue)] = []
            if let span = event.fields?["retry_after"]?.intValue {
                values.append(("retry_after", .duration(TimeSpan(nanoseconds: span))))
            }
            let after = recording.events[event.index...].filter { $0.client == event.client }
            let end = after.first { $0.name == "network.closed" }
            let loss = after.first { $0.name == "client.disconnected" }
            let closing = after.first { ["server.received.close", "server.sent.close"].contains($0.name) }
            let isServers = closing?.name == "server.sent.close" || end?.fields?["side"]?.stringValue == "server"
            if isServers, let end = closing ?? end {
                values.append(("notice", .duration((end.time - event.time).rounded)))
            }
            let drain = Drain(first: event.index, end: end?.index, last: loss?.index ?? .max, values: values)
            found.append(drain)
        }
        return found
    }

    private static let announcing = TimeSpan.seconds(1)

    /// A time in which the server refused all connections, after it had ended the existing ones.
    struct Outage {
        /// The event in which the server ended a connection.
        var first: TraceEvent
        /// The instant at which the server accepted connections again; nil if it never did.
        var end: Instant?
        /// The action that repeats the outage: a restart if the server sent a close frame, otherwise a crash.
        var verb: String
        var arguments: Arguments
    }

    /// Returns the outage in which a client lost its connection; nil if the server accepted the client's next
    /// connection, or if something else ended the connection.
    ///
    /// The server came back between the last connection that it refused and the first that it accepted; the middle
    /// stands for the unknown instant.
    func outage(of client: ClientID, after loss: TraceEvent) -> Outage? {
        let closing = closing(of: client, before: loss)
        guard closing?.name != "server.received.close", let first = closing ?? end(of: client, before: loss) else {
            return nil
        }
        let later = recording.events[loss.index...].lazy.filter { $0.client == client }
        let accepted = later.first { $0.name == "server.accepted" }
        let attempts = later.prefix { $0.index < accepted?.index ?? .max }
        guard let refused = attempts.last(where: { $0.name == "network.upstream.failed" }) else { return nil }
        guard let accepted else {
            let verb = closing == nil ? "crash" : "stop"
            return Outage(first: first, end: nil, verb: verb, arguments: Arguments([]))
        }
        let end = Instant(nanoseconds: (refused.time.nanoseconds + accepted.time.nanoseconds) / 2)
        let down = ArgumentValue.duration((end - first.time).rounded)
        let verb = closing == nil ? "crash" : "restart"
        return Outage(first: first, end: end, verb: verb, arguments: Arguments([("down", down)]))
    }
}
