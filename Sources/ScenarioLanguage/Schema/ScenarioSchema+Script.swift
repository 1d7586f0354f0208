import ScenarioModel
import SquallCore

/// The schemas for steps and actions.
extension ScenarioSchema {
    static var step: JSON {
        var properties = LanguageWord.steps.filter { $0.name != "next" }.map { word in
            (word.name, described(stepSchema(word.name), word.meaning))
        }
        properties.append(("within", reference("duration")))
        let actors = Actor.allCases.map { actor in
            ("^[a-z][a-z0-9_-]*\\.\(actor.rawValue)$", reference(actor.rawValue))
        }
        return [
            "type": "object",
            "properties": object(properties.uniqued),
            "patternProperties": object(actors),
            "additionalProperties": false,
        ]
    }

    private static func stepSchema(_ name: String) -> JSON {
        switch name {
        case "wait": any([reference("duration"), reference("condition"), waiting])
        case "as": reference("label")
        case "at": any([reference("duration"), reference("condition")])
        case "within": reference("duration")
        default: reference(name)
        }
    }

    private static var waiting: JSON {
        [
            "allOf": [reference("names")],
            "properties": ["next": reference("condition"), "within": reference("duration")],
            "unevaluatedProperties": false,
        ]
    }

    /// Returns the schema of an actor's actions: a verb alone, or a mapping whose first key is the verb, with the
    /// parameters under that key or next to it.
    static func actor(_ actor: Actor) -> JSON {
        let entries = Registry.actions(of: actor)
        let alone = entries.filter { entry in !entry.parameters.contains(where: \.required) }.map(\.verb)
        var properties = entries.map { ($0.verb, described(verb($0), $0.meaning.asSentence)) }
        for parameter in entries.flatMap(\.parameters) { properties.append((parameter.name, true)) }
        properties.append(("as", reference("label")))
        return any([
            words(alone),
            [
                "type": "object",
                "properties": object(properties.uniqued),
                "minProperties": 1,
                "additionalProperties": false,
            ],
        ])
    }

    private static func verb(_ entry: ActionEntry) -> JSON {
        var parameters = entry.parameters.map { parameter in
            (parameter.name, described(value(of: parameter.kind), parameter.meaning.asSentence))
        }
        if entry.takesLabel { parameters.append(("as", reference("label"))) }
        let mapping: JSON = ["type": "object", "properties": object(parameters), "additionalProperties": false]
        var forms: [JSON] = []
        if let main = entry.parameters.first(where: { $0.name == entry.main }) { forms.append(value(of: main.kind)) }
        forms += [mapping, ["type": "null"]]
        return any(forms)
    }
}

extension [(String, JSON)] {
    /// The array without duplicate names; only the first element with each name is kept.
    fileprivate var uniqued: [(String, JSON)] {
        var seen: Set<String> = []
        return filter { seen.insert($0.0).inserted }
    }
}
