import ScenarioModel
package import SquallCore
import TemporalLogic

/// The JSON Schema (draft 2020-12) for scenario files, generated from the tables that the reader uses.
///
/// Editors use it for completion and documentation. It covers the structure of a file and all names. Only the reader
/// finds errors that involve more than one part of the file, such as an undefined label, an unknown client or a missing
/// time limit.
package enum ScenarioSchema {
    package static func json() -> JSON {
        var schema: JSON = [
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "title": "A scenario for Squall",
            "type": "object",
        ]
        schema.set("properties", to: head)
        schema.set("required", to: ["squall", "name"])
        schema.set("additionalProperties", to: false)
        schema.set("$defs", to: definitions)
        return schema
    }

    // MARK: - Parts

    static func reference(_ name: String) -> JSON {
        ["$ref": .string("#/$defs/\(name)")]
    }

    static func described(_ schema: JSON, _ meaning: String) -> JSON {
        var schema = schema
        schema.set("description", to: .string(meaning))
        return schema
    }

    static func object(_ members: [(String, JSON)]) -> JSON {
        .object(members.map { JSONMember($0.0, $0.1) })
    }

    static func list(_ items: JSON) -> JSON {
        ["type": "array", "items": items]
    }

    static func any(_ schemas: [JSON]) -> JSON {
        schemas.count == 1 ? schemas[0] : ["anyOf": .array(schemas)]
    }

    /// Returns the schema of a list of items or a single item.
    static func oneOrMore(_ items: JSON) -> JSON {
        any([items, list(items)])
    }

    /// Returns the schema of a choice among words. It also accepts numbers and booleans, because editors parse a word
    /// made of digits as a number, and those that use YAML 1.1 parse `on` and `off` as booleans.
    static func words(_ words: [String]) -> JSON {
        var choices = words.map { JSON.string($0) } + words.compactMap { Int64($0) }.map { .integer($0) }
        if words.contains("on") || words.contains("yes") { choices.append(true) }
        if words.contains("off") || words.contains("no") { choices.append(false) }
        return any([["enum": .array(choices)], reference("placeholder")])
    }

    /// Escapes a name for use in a regular expression.
    static func escaped(_ name: String) -> String {
        name.replacing(".", with: "\\.")
    }

    // MARK: - Top-level keys

    private static var head: JSON {
        object(
            LanguageWord.head.map { word in
                (word.name, described(headSchema(word.name), word.meaning))
            }
        )
    }

    private static func headSchema(_ name: String) -> JSON {
        switch name {
        case "squall": ["const": 1]
        case "profile":
            any([
                ["enum": .array(ProfileReader.names.map { .string($0) })],
                described(
                    ["type": "string", "pattern": "/|\\.ya?ml$"],
                    "The path of a profile's file, relative to this file."
                ),
            ])
        case "tags": oneOrMore(["type": "string"])
        case "clients":
            any([
                list(["type": "string"]),
                ["type": "object", "additionalProperties": ["type": "integer", "minimum": 1]],
            ])
        case "set": profileValues(of: nil)
        case "server": profileValues(of: "server.")
        case "with": any([list(["type": "object"]), ["type": "object"]])
        case "script": list(any([reference("step"), reference("placeholder")]))
        case "expect": list(any([reference("expectation"), reference("placeholder")]))
        case "invariants": invariants
        case "play_on", "within": reference("duration")
        case "worlds": oneOrMore(["enum": .array(World.allCases.map { .string($0.rawValue) })])
        default: ["type": "string", "minLength": 1]
        }
    }

    private static var invariants: JSON {
        let names = InvariantName.allCases.map { name in
            (name.rawValue, described(["type": "string", "minLength": 1], name.meaning))
        }
        let waive: JSON = ["type": "object", "properties": object(names), "additionalProperties": false]
        return ["type": "object", "properties": ["waive": waive], "additionalProperties": false]
    }

    /// Returns the schema of profile values. It checks only dotted names; the reader checks nested mappings.
    private static func profileValues(of prefix: String?) -> JSON {
        let fields = Profile.fields.filter { $0.name.hasPrefix(prefix ?? "") }
        let values = fields.map { field in
            (
                String(field.name.dropFirst(prefix?.count ?? 0)),
                described(value(of: field.kind), field.meaning.asSentence)
            )
        }
        return ["type": "object", "properties": object(values), "additionalProperties": ["type": "object"]]
    }

    // MARK: - Values

    static func value(of kind: ParameterKind) -> JSON {
        switch kind {
        case .text: return reference("text")
        case .integer(let range):
            var schema: JSON = ["type": "integer"]
            if range.lowerBound > .min { schema.set("minimum", to: .integer(range.lowerBound)) }
            if range.upperBound < .max { schema.set("maximum", to: .integer(range.upperBound)) }
            return any([schema, reference("placeholder")])
        case .duration: return reference("duration")
        case .flag: return reference("flag")
        case .word(let choices): return words(choices)
        case .label: return reference("label")
        case .list(let kind): return oneOrMore(value(of: kind))
        case .json: return true
        }
    }

    private static var definitions: JSON {
        object(
            [
                (
                    "placeholder",
                    described(["type": "string", "pattern": "^\\$|\\$\\{"], "A value of the profile or of the table.")
                ),
                ("text", ["type": ["string", "number", "boolean"]]),
                (
                    "duration",
                    described(
                        ["type": "string", "pattern": "^(-?[0-9]+(\\.[0-9]+)?(ns|us|ms|s|m|h|d)|\\$.*|.*\\$\\{.*)$"],
                        "A number and a unit: 250us, 50ms, 1.5s, 10m, 1h."
                    )
                ),
                ("flag", any([["type": "boolean"], words(["on", "off", "yes", "no"])])),
                ("label", ["type": "string", "pattern": "^([A-Za-z0-9_-]+|.*\\$\\{.*)$"]),
                ("step", step),
            ] + Actor.allCases.map { ($0.rawValue, actor($0)) }
                + conditionDefinitions + [("expectation", expectation)]
        )
    }
}
