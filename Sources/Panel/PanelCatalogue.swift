import ScenarioLanguage
package import SquallCore

/// The actions that a panel offers, made from the registry's entries: each is a button with a form and a key.
package struct PanelCatalogue: Sendable {
    /// One action of the registry.
    package struct Action: Hashable, Sendable {
        package let entry: ActionEntry
        /// The keys that select it, pressed one after the other.
        package let keys: String
        /// Whether its button is always shown.
        package let isCommon: Bool

        /// `network.stall`.
        package var id: String { "\(entry.actor.rawValue).\(entry.verb)" }
    }

    /// The actions whose buttons are always shown, in their order; the others follow in the registry's.
    package static let common = [
        "network.drop", "network.reset_peer", "network.stall", "network.blackhole", "network.half_open",
        "network.latency", "network.bandwidth", "network.captive_portal", "network.heal_all", "device.network",
        "device.handoff", "server.restart", "server.drain", "server.limit", "server.post", "server.presence",
        "server.error", "server.auth",
    ]

    /// The key that precedes those of the server's actions.
    private static let serverKey: Character = "s"
    /// The keys that the page uses for itself.
    private static let ownKeys: Set<Character> = ["j", "k", "s", "C", "T"]

    package let actions: [Action]
    private let byID: [String: Action]

    /// Makes the buttons of these actions.
    package init(_ entries: [ActionEntry]) {
        let ids = entries.map { "\($0.actor.rawValue).\($0.verb)" }
        let order = entries.indices.sorted { left, right in
            let ranks = [left, right].map { Self.common.firstIndex(of: ids[$0]) ?? .max }
            return (ranks[0], left) < (ranks[1], right)
        }
        var taken: [Bool: Set<Character>] = [false: Self.ownKeys, true: []]
        actions = order.map { place in
            let entry = entries[place]
            let isServers = entry.actor == .server
            let key = Self.freeKey(for: entry.verb, taken[isServers] ?? [])
            if let key { taken[isServers]?.insert(key) }
            let prefix = isServers ? String(Self.serverKey) : ""
            return Action(
                entry: entry,
                keys: key.map { prefix + String($0) } ?? "",
                isCommon: Self.common.contains(ids[place])
            )
        }
        byID = Dictionary(actions.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    }

    package subscript(id: String) -> Action? { byID[id] }

    /// The first free letter of the verb, as a small letter before a capital one; otherwise any free letter.
    private static func freeKey(for verb: String, _ taken: Set<Character>) -> Character? {
        let letters = verb.filter { $0.isASCII && $0.isLetter }
        let alphabet = "abcdefghijklmnopqrstuvwxyz"
        return (letters + letters.uppercased() + alphabet + alphabet.uppercased()).first { !taken.contains($0) }
    }

    /// The catalogue for the page's script.
    package var json: JSON { .array(actions.map(\.json)) }
}

extension PanelCatalogue.Action {
    fileprivate var json: JSON {
        [
            "id": .string(id), "actor": .string(entry.actor.rawValue), "verb": .string(entry.verb),
            "keys": .string(keys), "common": .bool(isCommon), "label": .bool(entry.takesLabel),
            "main": entry.main.map { .string($0) } ?? .null, "meaning": .string(entry.meaning),
            "fields": .array(entry.parameters.map(field)),
        ]
    }

    private func field(_ parameter: Parameter) -> JSON {
        var json: JSON = [
            "name": .string(parameter.name), "required": .bool(parameter.required),
            "meaning": .string(parameter.meaning), "example": .string(parameter.example),
        ]
        switch parameter.kind {
        case .text: json.set("kind", to: "text")
        case .integer(let range):
            json.set("kind", to: "integer")
            json.set("min", to: .integer(range.lowerBound))
            json.set("max", to: .integer(range.upperBound))
        case .duration: json.set("kind", to: "duration")
        case .flag: json.set("kind", to: "flag")
        case .word(let words):
            json.set("kind", to: "word")
            json.set("words", to: .array(words.map { .string($0) }))
        case .label: json.set("kind", to: "label")
        case .list: json.set("kind", to: "list")
        case .json: json.set("kind", to: "json")
        }
        switch parameter.initial {
        case .text(let text)? where !text.isEmpty: json.set("initial", to: .string(text))
        case .integer(let number)?: json.set("initial", to: .string("\(number)"))
        case .duration(let span)?: json.set("initial", to: .string("\(span)"))
        case .flag(let flag)?: json.set("initial", to: .string("\(flag)"))
        case .text?, .list?, .json?, nil: break
        }
        return json
    }
}
