package import SquallCore

/// Replaces the ids of messages and files with the labels that the scenario assigns to them (`as: hello`).
///
/// The client and the server identify a message by its id. They report its label only once, in the `label` field of the
/// first event about the message (one of ``sources``). From then on the label replaces the id as a key and in lists of
/// message keys. A message sent by a user has two ids, the client's and the server's; both are replaced with the label,
/// or with the client's id if there is no label. The fields of events keep the ids, because they record what was sent
/// over the wire.
package struct MessageAliases: Hashable, Sendable {
    /// The events that can have a label, which then replaces the id used as the event's key.
    package static let sources = [
        "client.accepted", "client.shared", "server.stored", "server.stream_began", "server.pushed",
        "server.push_undeliverable", "client.extension.began", "client.performed",
    ]
    /// The observables whose values are lists of message keys.
    package static let lists = ["view.rows", "conversation.messages", "notifications"]
    /// The observables whose value is a message key.
    package static let references = ["scroll.anchor", "new_marker.before", "highlight.target"]

    /// The label for each id.
    private var labels: [String: String] = [:]
    /// The id of the first message to which a client or the server gave each label, keyed by label and client.
    private var ids: [LabelUse: String] = [:]
    private var taken: Set<String> = []

    /// A label and the client that used it.
    private struct LabelUse: Hashable {
        var label: String
        /// The client; nil for the server, and also in the entry for the label's first use by any sender.
        var client: ClientID?
    }

    package init() {}

    /// Records the label that the observation defines, if any, and then replaces the ids in the observation with
    /// labels.
    package mutating func rename(_ observation: inout Observation, of client: ClientID? = nil) {
        if case .happened(let fields) = observation.change, let key = observation.key,
            let label = fields["label"]?.stringValue, labels[key] == nil, Self.sources.contains(observation.name)
        {
            labels[key] = unused(label)
            let bearer = LabelUse(label: label, client: observation.name.hasPrefix("server.") ? nil : client)
            if ids[bearer] == nil { ids[bearer] = key }
            if ids[LabelUse(label: label)] == nil { ids[LabelUse(label: label)] = key }
        }
        if case .happened(let fields) = observation.change, let key = observation.key,
            observation.name == "server.stored", let id = fields["message_id"]?.stringValue, labels[id] == nil
        {
            labels[id] = labels[key] ?? key
        }
        guard !labels.isEmpty else { return }
        if let key = observation.key, let label = labels[key] { observation.key = label }
        // The change is checked before the name, because most observations are neither lists nor strings.
        switch observation.change {
        case .set(.array), .inserted, .replaced:
            if Self.lists.contains(observation.name) { rename(&observation.change) }
        case .set(.string):
            if Self.references.contains(observation.name) { rename(&observation.change) }
        case .happened, .set, .removed: break
        }
    }

    /// Returns the id of the message that `client` sent with the label. If there is none, returns the id of the first
    /// message that any client sent with it.
    ///
    /// Returns nil if the label has not been used yet.
    package func id(of label: String, for client: ClientID) -> String? {
        ids[LabelUse(label: label, client: client)] ?? ids[LabelUse(label: label)]
    }

    /// Returns the label that replaces an id; nil if there is none.
    package func label(of id: String) -> String? { labels[id] }

    /// Returns the label, with a number appended (`hello-2`) if another message already uses it.
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
