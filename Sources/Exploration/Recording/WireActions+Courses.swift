import ScenarioModel
import SquallCore
import Trace

// Server actions that consist of several frames: a message streamed token by token, and an announced shutdown.

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
}
