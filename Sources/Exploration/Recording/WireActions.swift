import ScenarioModel
import SquallCore
import Trace

/// Derives client and server actions from wire events, for runs whose actions came from neither a script nor a user of
/// Squall's own client.
struct WireActions {
    /// An action, and the key of its message in the recording.
    struct Read {
        var action: PerformedAction
        var key: String?
    }

    let recording: Recording

    init(_ recording: Recording) {
        self.recording = recording
    }

    /// The messages that a client sent, expressed as user actions; empty if the recording already contains such
    /// actions.
    var sends: [Read] {
        guard !recording.actions.contains(where: { $0.actor == .user && $0.verb == "send" }) else { return [] }
        var found: [Read] = []
        for event in recording.events where event.name == "server.received.send" {
            guard let key = event.key, let client = event.client, !found.contains(where: { $0.key == key }),
                let conversation = event.fields?["conversation"]?.stringValue
            else { continue }
            let label = "message-\(found.count + 1)"
            let text = ArgumentValue.text("message \(found.count + 1)")
            let arguments = Arguments([("text", text), ("to", .text(conversation))], label: label)
            found.append(Read(action: action(.user, "send", arguments, by: client, event), key: key))
        }
        return found
    }

    /// Returns the actions of an external server: other users' messages, presence and typing, unsolicited errors, and
    /// connections that the server closed.
    ///
    /// Messages whose keys occur in `sends` are excluded, because the client sent those messages.
    func actions(excluding sends: [Read]) -> [Read] {
        var found: [Read] = []
        // On each new connection, a server repeats the current presence and typing states; the repetitions are ignored.
        var presences: [String: String] = [:]
        var typing: Set<[String]> = []
        let streams = streams
        let drains = drains
        // The end of the last outage; the other clients lose their connections in it as well.
        var backAgain: Instant?
        for event in recording.events {
            switch event.name {
            case "server.sent.token":
                guard let key = event.key, let stream = streams[key], stream.first == event.index else { continue }
                let label = "streamed-\(found.count { $0.action.verb == "stream" } + 1)"
                let arguments = Arguments(stream.values, label: label)
                found.append(Read(action: action(.server, "stream", arguments, by: nil, event), key: key))
            case "server.sent.draining":
                guard let drain = drains.first(where: { $0.first == event.index }) else { continue }
                found.append(Read(action: action(.server, "drain", Arguments(drain.values), by: nil, event)))
            case "server.stored":
                guard let key = event.key, !sends.contains(where: { $0.key == key }), streams[key] == nil,
                    event.fields?["origin"]?.stringValue == "post",
                    let conversation = event.fields?["conversation"]?.stringValue
                else { continue }
                var values: [(name: String, value: ArgumentValue)] = [("to", .text(conversation))]
                if let sender = event.fields?["sender"]?.stringValue, sender != conversation {
                    values.append(("sender", .text(sender)))
                }
                let label = "posted-\(found.count { $0.action.verb == "post" } + 1)"
                let arguments = Arguments(values, label: label)
                found.append(Read(action: action(.server, "post", arguments, by: nil, event), key: key))
            case "client.disconnected":
                guard let client = event.client, event.time > backAgain ?? .zero else { continue }
                if let outage = outage(of: client, after: event) {
                    backAgain = outage.end ?? Instant(nanoseconds: .max)
                    found.append(Read(action: action(.server, outage.verb, outage.arguments, by: nil, outage.first)))
                    continue
                }
                if let closing = closing(of: client, before: event) {
                    guard closing.name == "server.sent.close",
                        !drains.contains(where: { $0.first < closing.index && event.index <= $0.last })
                    else { continue }
                    let code = closing.fields?["code"]?.intValue
                    let arguments = Arguments(code.map { [("code", .integer($0))] } ?? [("how", .text("fin"))])
                    let verb = code == nil ? "disconnect" : "close"
                    found.append(Read(action: action(.server, verb, arguments, by: client, closing)))
                    continue
                }
                guard let end = end(of: client, before: event) else { continue }
                if drains.contains(where: { $0.end == end.index }) { continue }
                let how = end.fields?["how"]?.stringValue ?? "fin"
                let arguments = Arguments([("how", .text(how))])
                found.append(Read(action: action(.server, "disconnect", arguments, by: client, end)))
            case "server.sent.presence":
                guard let user = event.fields?["user"]?.stringValue, let status = event.fields?["status"]?.stringValue,
                    presences.updateValue(status, forKey: user) != status
                else { continue }
                let arguments = Arguments([("user", .text(user)), ("status", .text(status))])
                found.append(Read(action: action(.server, "presence", arguments, by: nil, event)))
            case "server.sent.typing":
                guard let place = event.fields?["conversation"]?.stringValue,
                    let user = event.fields?["user"]?.stringValue,
                    let isActive = event.fields?["active"]?.boolValue,
                    isActive ? typing.insert([place, user]).inserted : typing.remove([place, user]) != nil
                else { continue }
                var values: [(name: String, value: ArgumentValue)] = [("conversation", .text(place))]
                if user != place { values.append(("user", .text(user))) }
                if !isActive { values.append(("active", .flag(false))) }
                found.append(Read(action: action(.server, "type", Arguments(values), by: nil, event)))
            case "server.sent.error" where event.key == nil:
                guard let code = event.fields?["code"]?.stringValue else { continue }
                found.append(Read(action: action(.server, "error", Arguments([("code", .text(code))]), by: nil, event)))
            default: continue
            }
        }
        return found
    }

    /// Returns the event in which the server closed the connection that the client lost; nil if the client or the
    /// network closed it.
    func end(of client: ClientID, before loss: TraceEvent) -> TraceEvent? {
        func isEnd(_ event: TraceEvent, by side: String) -> Bool {
            event.name == "network.closed" && event.client == client && event.fields?["side"]?.stringValue == side
        }
        // If the client closed the link, the trace reports that after the `loss` event. An earlier `network.closed` may
        // concern a different link, which the server closed.
        let after = recording.events[loss.index...].prefix { $0.time == loss.time }
        guard !after.contains(where: { isEnd($0, by: "client") }) else { return nil }
        let ends = recording.events[..<loss.index].reversed().prefix { $0.time + Self.crossing >= loss.time }
        let last = ends.first { $0.name == "network.closed" && $0.client == client }
        return last.flatMap { isEnd($0, by: "server") ? $0 : nil }
    }

    /// Returns the first close frame on the connection that the client lost; nil if none was recorded.
    func closing(of client: ClientID, before loss: TraceEvent) -> TraceEvent? {
        let own = recording.events[..<loss.index].reversed().prefix { event in
            event.client != client || !["client.connected", "client.disconnected"].contains(event.name)
        }
        return own.last { $0.client == client && ["server.received.close", "server.sent.close"].contains($0.name) }
    }

    /// The maximum delay between the end of a connection on the wire and the client event that reports it.
    private static let crossing = TimeSpan.milliseconds(50)

    func action(
        _ actor: Actor,
        _ verb: String,
        _ arguments: Arguments,
        by client: ClientID?,
        _ event: TraceEvent
    ) -> PerformedAction {
        let clients = client.map { $0 == .only ? [] : [$0] } ?? []
        return PerformedAction(actor, verb, arguments, clients: clients, position: event.index, time: event.time)
    }
}
