import ScenarioModel
package import SquallCore
import Trace

/// The name of an event in a scenario: `anna.client.connected#2`, `server.stored[hello]`.
package struct EventName: Hashable, Sendable {
    /// The client that the event concerns; nil for any client, and for server and network events.
    package var client: ClientID?
    package var name: String
    package var key: String?
    /// The event's 1-based ordinal among the run's events with the same client, name and key.
    package var ordinal: Int

    package init(_ name: String, of client: ClientID? = nil, key: String? = nil, ordinal: Int = 1) {
        (self.client, self.name, self.key, self.ordinal) = (client, name, key, ordinal)
    }

    /// Returns whether the two names are equal, ignoring their ordinals.
    func isSame(as other: EventName) -> Bool {
        (client, name) == (other.client, other.name) && key == other.key
    }
}

extension EventName: CustomStringConvertible {
    package var description: String {
        let name = "\(ObservedName(client: client, name: name, key: key))"
        return ordinal > 1 ? "\(name)#\(ordinal)" : name
    }
}

/// Assigns names to the events in a recording, using labels in place of ids.
struct EventNaming {
    private var counts: [ObservedName: Int] = [:]
    private let labels: [String: String]
    private let hasOneClient: Bool

    init(labels: [String: String], clients: [ClientID]) {
        (self.labels, hasOneClient) = (labels, clients.count == 1)
    }

    /// Returns the name, including the ordinal, of the recording's next event.
    ///
    /// Server and network events are counted across all clients, because a scenario names them without a client.
    mutating func next(_ event: TraceEvent) -> EventName {
        let isClients = event.name.hasPrefix("client.")
        let name = ObservedName(
            client: isClients && !hasOneClient ? event.client : nil,
            name: event.name,
            key: event.key.map { labels[$0] ?? $0 }
        )
        counts[name, default: 0] += 1
        return EventName(name.name, of: name.client, key: name.key, ordinal: counts[name] ?? 1)
    }
}

extension TraceEvent {
    /// Whether a `wait` in a script can refer to this event.
    var canBeAwaited: Bool {
        guard fields != nil, let entry = Registry.entry(named: name), entry.parity == .log || entry.parity == .exact
        else { return false }
        return observation.provenance != .injected || Self.injected.contains(name)
    }

    /// Returns whether a user may have waited for this event before acting. The result is false for actions, heartbeats
    /// and low-level connection events.
    ///
    /// - Parameter isForeign: Whether the recording was made with a client other than Squall's. If so, the result is
    ///   true only for events that any client of the protocol must cause.
    func isAnchor(isForeign: Bool) -> Bool {
        guard canBeAwaited else { return false }
        if isForeign { return Self.common.contains(name) }
        return Self.arrivals.contains(name) || isNotable && !Self.details.contains(name)
    }

    private static let injected: Set = ["fault.ended", "fault.hit", "client.woke", "client.started"]
    private static let details: Set = ["client.backoff.began", "client.attempt.failed", "server.host.served"]
    private static let common: Set = [
        "client.connected", "client.disconnected", "fault.ended", "server.started", "server.stopped", "server.stored",
        "server.received.send", "client.received.message", "client.received.confirm", "server.received.text",
    ]
    /// Events that occur when a message reaches the client and becomes visible, rather than when the server sends it.
    private static let arrivals: Set = ["client.received.message", "client.received.confirm"]
}

/// The keys that a script can use in the names of events and observables: the labels that its steps define, and the
/// conversations and users that they mention.
struct NameableKeys {
    private var labels: Set<String> = []
    private var texts: Set<String> = []

    init(_ actions: [(actor: Actor, verb: String, arguments: Arguments)]) {
        for action in actions {
            if let label = action.arguments.label {
                labels.insert(label)
                if let count = action.arguments.integer("count"), count > 1, action.verb == "post" {
                    labels.remove(label)
                    for number in 1...min(count, 1_000) { labels.insert("\(label)-\(number)") }
                }
            }
            if action.actor == .network, action.arguments.label == nil { labels.insert(action.verb) }
            for (_, value) in action.arguments.values {
                if case .text(let text) = value { texts.insert(text) }
            }
        }
    }

    /// Returns whether a script can refer to the event or observable `name` with this key.
    func contain(_ key: String?, of name: String) -> Bool {
        guard let key else { return true }
        guard let kind = Registry.entry(named: name)?.key else { return false }
        return ["conversation", "user"].contains(kind) ? texts.contains(key) : labels.contains(key)
    }
}
