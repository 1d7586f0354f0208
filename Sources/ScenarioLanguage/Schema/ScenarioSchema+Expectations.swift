import ScenarioModel
import SquallCore
import TemporalLogic

/// The schemas for conditions, predicates and expectations.
extension ScenarioSchema {
    static var conditionDefinitions: [(String, JSON)] {
        [
            ("condition", any([["type": "string", "pattern": .string("^(\(eventPattern)|.*\\$\\{.*)$")], alone])),
            ("names", names),
            ("predicate", predicate),
            ("observable", ["type": "string", "pattern": .string("^(\(observablePattern)|.*\\$\\{.*)$")]),
        ] + Registry.observables.map { ("value.\($0.name)", any([value(of: $0), reference("predicate")])) }
    }

    /// The schema of a mapping that contains a condition and no other keys.
    private static var alone: JSON {
        ["allOf": [reference("names")], "unevaluatedProperties": false]
    }

    // MARK: - Names

    private static let prefix = "([a-z][a-z0-9_-]*\\.)?"

    private static var eventPattern: String {
        // A dotted prefix of an event's name matches every event below it, and `client.` may be omitted after a
        // client's name.
        var names: Set<String> = []
        for entry in Registry.events {
            var parts = entry.name.split(separator: ".")
            while !parts.isEmpty {
                names.insert(parts.joined(separator: "."))
                if parts.count > 1, parts[0] == "client" { names.insert(parts.dropFirst().joined(separator: ".")) }
                parts.removeLast()
            }
        }
        let choices = names.sorted().map(escaped).joined(separator: "|")
        return "\(prefix)(\(choices))(\\[[^\\]]+\\])?(#[1-9][0-9]*)?( *\\+ *.+)?"
    }

    private static var observablePattern: String {
        let choices = Registry.observables.map { entry in
            escaped(entry.name) + (entry.key == nil ? "" : "\\[[^\\]]+\\]")
        }
        return "\(prefix)(\(choices.joined(separator: "|")))"
    }

    /// The schema of a mapping whose keys are observables, each with an expected value, or events, each with fields.
    private static var names: JSON {
        let observables = Registry.observables.filter { $0.key == nil }.map { entry in
            (entry.name, described(reference("value.\(entry.name)"), entry.meaning))
        }
        let events = Registry.events.map { entry in
            (entry.name, described(["type": ["object", "null"]], entry.meaning))
        }
        let patterns = Registry.observables.map { entry in
            (
                "^\(prefix)\(escaped(entry.name))\(entry.key == nil ? "" : "\\[[^\\]]+\\]")$",
                described(reference("value.\(entry.name)"), entry.meaning)
            )
        }
        // With a client's prefix, an event's name can look like an observable's, so the schema accepts any value and
        // leaves the check to the reader.
        return [
            "type": "object",
            "properties": object(observables + events),
            "patternProperties": object(patterns + [("^(\(eventPattern)|.*\\$\\{.*)$", true)]),
        ]
    }

    // MARK: - Predicates

    private static func value(of entry: RegistryEntry) -> JSON {
        let null: JSON = ["type": "null"]
        return switch entry.value {
        case .flag: any([reference("flag"), null])
        case .integer: any([["type": "integer"], reference("placeholder"), null])
        case .duration, .instant: any([reference("duration"), null])
        case .text: any([reference("text"), null])
        case .word(let choices): any([words(choices), null])
        case .list: any([list(reference("text")), reference("placeholder"), null])
        case .fields: ["type": "object"]
        }
    }

    private static var predicate: JSON {
        let words = LanguageWord.predicates.map { word in
            (word.name, described(predicateSchema(word.name), word.meaning))
        }
        let keyed = Registry.observables.filter { $0.key != nil }.map { entry in
            (entry.name, described(reference("value.\(entry.name)"), "The item is a key: \(entry.meaning.asPhrase)"))
        }
        return [
            "type": "object",
            "properties": object(words + keyed),
            "minProperties": 1,
            "additionalProperties": false,
        ]
    }

    private static func predicateSchema(_ word: String) -> JSON {
        switch word {
        case "exactly", "at_least", "at_most", "more_than", "less_than":
            any([["type": "integer"], reference("duration")])
        case "one_of": any([["type": "array", "minItems": 1], reference("placeholder")])
        case "contains", "matches": reference("text")
        case "set": reference("flag")
        case "same_as": reference("observable")
        case "member": ["type": "object"]
        default: true
        }
    }

    // MARK: - Expectations

    static var expectation: JSON {
        let words = OperatorSpec.all.map { ($0.name, described(body($0), $0.meaning)) }
        return [
            "type": "object",
            "properties": object(words + options + keysBesideWords),
            "minProperties": 1,
            "additionalProperties": false,
        ]
    }

    private static func body(_ word: OperatorSpec) -> JSON {
        let keys = word.keys.map { ($0.name, described(schema(of: $0.kind), $0.meaning)) }
        let properties = object(keys + options.filter { $0.0 == word.bound.key } + options.filter(isForAnyWord))
        guard word.body != .keys else {
            return ["type": "object", "properties": properties, "additionalProperties": false]
        }
        return any([
            ["type": "string"],
            ["allOf": [reference("names")], "properties": properties, "unevaluatedProperties": false],
        ])
    }

    private static func isForAnyWord(_ option: (String, JSON)) -> Bool {
        ExpectationReader.everywhere.contains(option.0)
    }

    /// The keys that belong to particular keywords, which may also be written next to the keyword instead of under it.
    /// A key whose schema depends on the keyword accepts any value here.
    private static var keysBesideWords: [(String, JSON)] {
        var names: [String] = []
        for word in LanguageWord.keys where word.place != .key(of: "delivered") && !names.contains(word.name) {
            names.append(word.name)
        }
        return names.map { name in
            let keys = OperatorSpec.all.flatMap(\.keys).filter { $0.name == name }
            let schemas = Set(keys.map { schema(of: $0.kind) })
            return (name, described(schemas.count == 1 ? schema(of: keys[0].kind) : true, keys[0].meaning))
        }
    }

    private static var options: [(String, JSON)] {
        LanguageWord.options.map { ($0.name, described(option($0.name), $0.meaning)) }
    }

    private static func option(_ name: String) -> JSON {
        switch name {
        case "within", "for": reference("duration")
        case "after", "before": reference("condition")
        case "between": ["type": "array", "items": reference("condition"), "minItems": 2, "maxItems": 2]
        case "at": ["const": "end"]
        case "covers": oneOrMore(["type": "string"])
        default: reference("text")
        }
    }

    private static func schema(of kind: OperatorKey.Kind) -> JSON {
        switch kind {
        case .condition, .state: reference("condition")
        case .conditions: list(reference("condition"))
        case .observable: reference("observable")
        case .observablePair: ["type": "array", "items": reference("observable"), "minItems": 2, "maxItems": 2]
        case .values: any([["type": "array", "minItems": 1], reference("placeholder")])
        case .flag: reference("flag")
        case .duration: reference("duration")
        case .number: any([["type": "integer", "minimum": 0], reference("placeholder")])
        case .count: any([["type": "integer", "minimum": 0], ["type": "object"], reference("placeholder")])
        case .text, .client: reference("text")
        }
    }
}
