import Foundation
import SquallCore

/// Implements the part of JSON Schema (draft 2020-12) that the scenario schema uses: validates a value and collects the
/// members that the schema evaluated.
struct SchemaValidator {
    let root: JSON

    func fits(_ value: JSON) -> Bool {
        evaluated(value, by: root) != nil
    }

    /// Returns the names of the members that the schema evaluated, or nil if the value is invalid.
    private func evaluated(_ value: JSON, by schema: JSON) -> Set<String>? {
        if let verdict = schema.boolValue { return verdict ? [] : nil }
        var known: Set<String> = []
        if let target = schema["$ref"]?.stringValue {
            guard let found = resolve(target), let names = evaluated(value, by: found) else { return nil }
            known.formUnion(names)
        }
        for part in schema["allOf"]?.arrayValue ?? [] {
            guard let names = evaluated(value, by: part) else { return nil }
            known.formUnion(names)
        }
        if let choices = schema["anyOf"]?.arrayValue {
            let fitting = choices.compactMap { evaluated(value, by: $0) }
            guard !fitting.isEmpty else { return nil }
            fitting.forEach { known.formUnion($0) }
        }
        guard hasType(value, schema), fitsItself(value, schema) else { return nil }
        switch value {
        case .object(let members):
            guard let names = evaluated(members, by: schema, known: known) else { return nil }
            known = names
        case .array(let items):
            if let item = schema["items"], !items.allSatisfy({ evaluated($0, by: item) != nil }) { return nil }
        default: break
        }
        return known
    }

    func resolve(_ target: String) -> JSON? {
        root["$defs"]?[String(target.dropFirst("#/$defs/".count))]
    }

    private func evaluated(_ members: [JSONMember], by schema: JSON, known: Set<String>) -> Set<String>? {
        var known = known
        var own: Set<String> = []
        for member in members {
            if let property = schema["properties"]?[member.name] {
                guard evaluated(member.value, by: property) != nil else { return nil }
                own.insert(member.name)
            }
            for pattern in schema["patternProperties"]?.members ?? [] where matches(member.name, pattern.name) {
                guard evaluated(member.value, by: pattern.value) != nil else { return nil }
                own.insert(member.name)
            }
            if !own.contains(member.name), let others = schema["additionalProperties"] {
                guard evaluated(member.value, by: others) != nil else { return nil }
                own.insert(member.name)
            }
        }
        known.formUnion(own)
        if schema["unevaluatedProperties"]?.boolValue == false, members.contains(where: { !known.contains($0.name) }) {
            return nil
        }
        let required = schema["required"]?.arrayValue?.compactMap(\.stringValue) ?? []
        let names = members.map(\.name)
        return required.allSatisfy(names.contains) && members.count >= schema["minProperties"]?.intValue ?? 0
            ? known : nil
    }

    private func hasType(_ value: JSON, _ schema: JSON) -> Bool {
        guard let type = schema["type"] else { return true }
        let allowed = (type.arrayValue ?? [type]).compactMap(\.stringValue)
        return switch value {
        case .null: allowed.contains("null")
        case .bool: allowed.contains("boolean")
        case .integer: allowed.contains("integer") || allowed.contains("number")
        case .number: allowed.contains("number")
        case .string: allowed.contains("string")
        case .array: allowed.contains("array")
        case .object: allowed.contains("object")
        }
    }

    private func fitsItself(_ value: JSON, _ schema: JSON) -> Bool {
        if let constant = schema["const"], constant != value { return false }
        if let choices = schema["enum"]?.arrayValue, !choices.contains(value) { return false }
        if let number = value.intValue {
            if let least = schema["minimum"]?.intValue, number < least { return false }
            if let most = schema["maximum"]?.intValue, number > most { return false }
        }
        if let text = value.stringValue {
            if let pattern = schema["pattern"]?.stringValue, !matches(text, pattern) { return false }
            if let least = schema["minLength"]?.intValue, text.count < least { return false }
        }
        if let items = value.arrayValue {
            if let least = schema["minItems"]?.intValue, items.count < least { return false }
            if let most = schema["maxItems"]?.intValue, items.count > most { return false }
        }
        return true
    }

    private func matches(_ text: String, _ pattern: String) -> Bool {
        text.range(of: pattern, options: .regularExpression) != nil
    }
}
