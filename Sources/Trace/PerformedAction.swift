package import SquallCore

/// An action performed during a run: either a step of its script, or an action requested by a user or an API client.
///
/// The events of a run record the effects of an action; this type contains the data needed to perform it again.
package struct PerformedAction: Hashable, Sendable {
    package var actor: Actor
    package var verb: String
    /// The arguments as read from the step or command, including the label.
    package var arguments: Arguments
    /// The clients affected by the action; empty if it affects all clients.
    package var clients: [ClientID]
    /// The number of events that precede the action in the recording.
    package var position: Int
    package var time: Instant

    package init(
        _ actor: Actor,
        _ verb: String,
        _ arguments: Arguments,
        clients: [ClientID],
        position: Int,
        time: Instant
    ) {
        self.actor = actor
        self.verb = verb
        self.arguments = arguments
        self.clients = clients
        self.position = position
        self.time = time
    }
}

/// The JSON form of an action in the last line of a trace:
/// `{"position":12,"time":…,"actor":"network","verb":"stall","as":"tunnel","with":{"for":{"ns":10000000000}}}`.
extension PerformedAction {
    var json: JSON {
        var json: JSON = [
            "position": .integer(Int64(position)), "time": .integer(time.nanoseconds),
            "actor": .string(actor.rawValue), "verb": .string(verb),
        ]
        if !clients.isEmpty { json.set("clients", to: .array(clients.map { .string($0.name) })) }
        if let label = arguments.label { json.set("as", to: .string(label)) }
        if !arguments.values.isEmpty {
            json.set("with", to: .object(arguments.values.map { JSONMember($0.name, $0.value.traced) }))
        }
        return json
    }

    /// Decodes an action; returns nil if the argument does not have the form of the property ``json``.
    init?(_ json: JSON) {
        guard let position = json["position"]?.intValue, let time = json["time"]?.intValue,
            let actor = json["actor"]?.stringValue.flatMap(Actor.init), let verb = json["verb"]?.stringValue
        else { return nil }
        var values: [(name: String, value: ArgumentValue)] = []
        for member in json["with"]?.members ?? [] {
            guard let value = ArgumentValue(traced: member.value) else { return nil }
            values.append((member.name, value))
        }
        self.init(
            actor,
            verb,
            Arguments(values, label: json["as"]?.stringValue),
            clients: (json["clients"]?.arrayValue ?? []).compactMap { $0.stringValue.map { ClientID($0) } },
            position: Int(clamping: position),
            time: Instant(nanoseconds: time)
        )
    }
}

extension ArgumentValue {
    /// The value as JSON that preserves its type: a duration becomes an object with the member `ns`, and a JSON value
    /// becomes an object with the member `json`.
    fileprivate var traced: JSON {
        switch self {
        case .text(let text): .string(text)
        case .integer(let number): .integer(number)
        case .flag(let flag): .bool(flag)
        case .duration(let span): ["ns": .integer(span.nanoseconds)]
        case .list(let items): .array(items.map(\.traced))
        case .json(let value): ["json": value]
        }
    }

    fileprivate init?(traced json: JSON) {
        if let text = json.stringValue {
            self = .text(text)
        } else if let flag = json.boolValue {
            self = .flag(flag)
        } else if let number = json.intValue {
            self = .integer(number)
        } else if let items = json.arrayValue {
            let values = items.compactMap { ArgumentValue(traced: $0) }
            guard values.count == items.count else { return nil }
            self = .list(values)
        } else if let span = json["ns"]?.intValue {
            self = .duration(TimeSpan(nanoseconds: span))
        } else if let value = json["json"] {
            self = .json(value)
        } else {
            return nil
        }
    }
}
