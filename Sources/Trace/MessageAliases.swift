package import SquallCore

/// The names that a scenario gave its messages and files (`as: hello`), put in the place of the machines' own ids.
///
/// A machine names a message by its id and says the label once, in the first thing it says about it: the field `label` of
/// one of ``sources``. From there on the id is
/// replaced where it is a key, and in the lists of message keys. A message of a user has two ids, its sender's and the
/// server's, and the one name of both is its label, or its sender's id. Fields of events keep the ids: they show what was on
/// the wire.
package struct MessageAliases: Hashable, Sendable {
    /// The events that bring a label, under the id that it replaces.
    package static let sources = [
        "client.accepted", "client.shared", "server.stored", "server.stream_began", "server.pushed",
        "server.push_undeliverable",
    ]
    /// The observables whose items are message keys.
    package static let lists = ["view.rows", "conversation.messages", "notifications"]
    /// The observables that are a message's key.
    package static let references = ["scroll.anchor", "new_marker.before", "highlight.target"]

    private var labels: [String: String] = [:]
    /// What bears a label, for each who gave it.
    private var ids: [Bearer: String] = [:]
    private var taken: Set<String> = []

    private struct Bearer: Hashable {
        var label: String
        /// Nil for the server.
        var client: ClientID?
    }

    package init() {}

    /// Learns from the observation, and puts it under the scenario's names.
    package mutating func rename(_ observation: inout Observation, of client: ClientID? = nil) {
        if case .happened(let fields) = observation.change, let key = observation.key,
            let label = fields["label"]?.stringValue, labels[key] == nil, Self.sources.contains(observation.name)
        {
            labels[key] = unused(label)
            let bearer = Bearer(label: label, client: observation.name.hasPrefix("server.") ? nil : client)
            if ids[bearer] == nil { ids[bearer] = key }
            if ids[Bearer(label: label)] == nil { ids[Bearer(label: label)] = key }
        }
        if case .happened(let fields) = observation.change, let key = observation.key,
            observation.name == "server.stored", let id = fields["message_id"]?.stringValue, labels[id] == nil
        {
            labels[id] = labels[key] ?? key
        }
        guard !labels.isEmpty else { return }
        if let key = observation.key, let label = labels[key] { observation.key = label }
        // Most observations are neither, and are passed by before any name is looked at.
        switch observation.change {
        case .set(.array), .inserted, .replaced:
            if Self.lists.contains(observation.name) { rename(&observation.change) }
        case .set(.string):
            if Self.references.contains(observation.name) { rename(&observation.change) }
        case .happened, .set, .removed: break
        }
    }

    /// What the machines call the message that this client, else anybody, has sent under that label; nil for a label that
    /// nothing has borne yet.
    package func id(of label: String, for client: ClientID) -> String? {
        ids[Bearer(label: label, client: client)] ?? ids[Bearer(label: label)]
    }

    /// Two messages under one label would pass for one; the second is told apart.
    private mutating func unused(_ label: String) -> String {
        var candidate = label
        var number = 2
        while !taken.insert(candidate).inserted {
            candidate = "\(label)-\(number)"
            number += 1
        }
        return candidate
    }

    private func rename(_ change: inout Change) {
        switch change {
        case .set(let item) where label(of: item) != nil:
            if let label = label(of: item) { change = .set(label) }
        case .set(.array(let items)):
            guard items.contains(where: { self.label(of: $0) != nil }) else { return }
            change = .set(.array(items.map { label(of: $0) ?? $0 }))
        case .inserted(let index, let item):
            if let label = label(of: item) { change = .inserted(at: index, label) }
        case .replaced(let index, let item):
            if let label = label(of: item) { change = .replaced(at: index, label) }
        case .happened, .set, .removed: break
        }
    }

    private func label(of item: JSON) -> JSON? {
        guard case .string(let id) = item, let label = labels[id] else { return nil }
        return .string(label)
    }
}
