package import SquallCore

// Encodes messages, for a client that runs in Squall's process.

extension AdapterMessage {
    /// The message as a line, including its line feed.
    package var line: [UInt8] {
        let json: JSON =
            switch self {
            case .ready(let id, let offer):
                .object([JSONMember("in_reply_to", .integer(id)), JSONMember("type", "init_ok")] + offer.members)
            case .done(let id, let completion): .object(Self.members(of: completion, to: id))
            case .refused(let id, let refusal):
                [
                    "in_reply_to": .integer(id), "type": "error", "definite": .bool(refusal.isDefinite),
                    "code": .string(refusal.code), "text": .string(refusal.text),
                ]
            case .event(let event): .object(event.members)
            case .unknown(let word): ["type": .string(word)]
            }
        return json.encode() + [UInt8(ascii: "\n")]
    }

    private static func members(of completion: Completion, to id: Int64) -> [JSONMember] {
        let key = completion.clientMessageID.map { [JSONMember("client_message_id", .string($0))] } ?? []
        let next = completion.nextTimer.map { [JSONMember("next", .integer($0.nanoseconds))] } ?? []
        return [JSONMember("in_reply_to", .integer(id)), JSONMember("type", "ok")] + key + next
    }
}

extension AdapterEvent {
    fileprivate var members: [JSONMember] {
        func keyed(_ key: String?) -> [JSONMember] { key.map { [JSONMember("key", .string($0))] } ?? [] }
        switch self {
        case .state(let word): return [JSONMember("event", "state"), JSONMember("value", .string(word))]
        case .message(let conversation, let key, let at):
            let place = at.map { [JSONMember("at", .integer(Int64($0)))] } ?? []
            return [
                JSONMember("event", "message"), JSONMember("conversation", .string(conversation)),
                JSONMember("id", .string(key)),
            ] + place
        case .status(let key, let status):
            return [
                JSONMember("event", "status"), JSONMember("client_message_id", .string(key)),
                JSONMember("value", .string(status)),
            ]
        case .show(let name, let key, let value):
            return [JSONMember("event", "show"), JSONMember("name", .string(name))] + keyed(key)
                + [JSONMember("value", value)]
        case .did(let name, let key, let fields):
            return [JSONMember("event", "did"), JSONMember("name", .string(name))] + keyed(key)
                + [JSONMember("fields", fields)]
        case .log(let text): return [JSONMember("event", "log"), JSONMember("text", .string(text))]
        }
    }
}

extension AdapterCapabilities {
    /// The fields of the `init_ok` message that declares these capabilities.
    package var members: [JSONMember] {
        func texts(_ list: [String]) -> JSON { .array(list.map { .string($0) }) }
        var members = [
            JSONMember("name", .string(name)), JSONMember("version", .string(version)),
            JSONMember("shows", texts(shows)),
            JSONMember("takes", texts(takes)), JSONMember("tls", .bool(supportsTLS)),
        ]
        if !states.isEmpty {
            members.append(JSONMember("states", .object(states.map { JSONMember($0.native, .string($0.word)) })))
        }
        if clock != .wall { members.append(JSONMember("clock", .string(clock.rawValue))) }
        return members
    }
}
