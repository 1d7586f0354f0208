import ScenarioLanguage
package import SquallCore

/// An action that a panel offers: a button with a form and a keyboard shortcut.
package struct PanelAction: Hashable, Sendable {
    package var id: String
    /// The heading above the action's button.
    package var group: String
    /// The label of the button.
    package var title: String
    package var meaning: String
    package var fields: [Parameter]
    /// The initial values of fields, by field name.
    package var preset: [String: String] = [:]
    /// Whether the form has a field for the label of the scenario step (`as:`).
    package var takesLabel = false
    /// Whether a client must be chosen in the form; nil if the form offers no choice of client.
    package var choosesClient: Bool?
    /// Whether the action's button is always visible.
    package var isCommon = false
    /// The first key of a two-key shortcut; empty if the shortcut has one key.
    package var keyPrefix = ""
    /// The keys to press, one after another, to select the action; empty if no key was free.
    package fileprivate(set) var keys = ""

    package init(id: String, group: String, verb: String, meaning: String, fields: [Parameter] = []) {
        (self.id, self.group, self.meaning, self.fields) = (id, group, meaning, fields)
        title = verb.split(separator: "_").joined(separator: " ")
    }
}

/// The actions that a panel offers, each with its keyboard shortcut.
package struct PanelCatalogue: Sendable {
    package let actions: [PanelAction]
    private let byID: [String: PanelAction]

    /// The keys that the page's script handles itself and that no action may use as a shortcut.
    private static let ownKeys: Set<Character> = ["j", "k", "n", "x", "z", "A", "C", "F", "I", "L", "R", "T", "V", "X"]

    /// Creates a catalogue and assigns a shortcut to each action.
    ///
    /// The actions in `others` get their shortcuts first, so that an action keeps its shortcut in every catalogue that
    /// is created with the same `others`.
    package init(_ actions: [PanelAction], sharingKeysWith others: [PanelAction] = []) {
        let shared = Set(others.map(\.id))
        let all = others + actions.filter { !shared.contains($0.id) }
        var taken: [String: Set<Character>] = [
            "": Self.ownKeys.union(Set(all.map(\.keyPrefix)).compactMap(\.first))
        ]
        var keys: [String: String] = [:]
        for action in all {
            guard let key = Self.freeKey(for: action.title, taken[action.keyPrefix] ?? []) else { continue }
            taken[action.keyPrefix, default: []].insert(key)
            keys[action.id] = action.keyPrefix + String(key)
        }
        self.actions = actions.map { action in
            var action = action
            action.keys = keys[action.id] ?? ""
            return action
        }
        byID = Dictionary(self.actions.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    }

    package subscript(id: String) -> PanelAction? { byID[id] }

    /// Returns the first free letter of the title, in lower case if possible. If the title has none, returns any free
    /// letter; returns nil if no letter is free.
    private static func freeKey(for title: String, _ taken: Set<Character>) -> Character? {
        let letters = title.filter { $0.isASCII && $0.isLetter }.lowercased()
        let alphabet = "abcdefghijklmnopqrstuvwxyz"
        return (letters + letters.uppercased() + alphabet + alphabet.uppercased()).first { !taken.contains($0) }
    }

    /// The catalogue as JSON for the page's script.
    package var json: JSON { .array(actions.map(\.json)) }
}

extension PanelAction {
    fileprivate var json: JSON {
        [
            "id": .string(id), "group": .string(group), "title": .string(title), "keys": .string(keys),
            "common": .bool(isCommon), "label": .bool(takesLabel),
            "client": choosesClient.map { .string($0 ? "required" : "optional") } ?? .null,
            "meaning": .string(meaning), "fields": .array(fields.map(Self.json(of:))),
            "preset": .object(preset.sorted { $0.key < $1.key }.map { JSONMember($0.key, .string($0.value)) }),
        ]
    }

    private static func json(of parameter: Parameter) -> JSON {
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
