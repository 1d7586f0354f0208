import ChatWire
import SquallCore

/// Validates JSON values against the protocol's object tables.
enum ShapeCheck {
    /// Returns a description of the first error in a value that must be an object of the type `name`, or nil if it is
    /// valid. Fields that the tables do not list are ignored.
    static func problem(_ value: JSON, named name: String, _ wire: WireProfile) -> String? {
        guard let shape = ObjectShape.all.first(where: { $0.name == name }) else {
            return "there is no object '\(name)'"
        }
        guard value.members != nil else { return "\(name): not an object" }
        for field in shape.testedFields {
            let member = value[wire[field.field]] ?? .null
            if member.isNull {
                guard field.required else { continue }
                return "\(name): no \(wire[field.field])"
            }
            if let problem = problem(member, field.kind, wire) { return "\(name): \(wire[field.field]) \(problem)" }
        }
        return nil
    }

    private static func problem(_ value: JSON, _ kind: FieldKind, _ wire: WireProfile) -> String? {
        switch kind {
        case .text: value.stringValue == nil ? "is not a string" : nil
        case .count, .milliseconds: (value.intValue ?? -1) < 0 ? "is not a count" : nil
        case .flag: value.boolValue == nil ? "is not a flag" : nil
        case .timestamp: timestamp(value, wire)
        case .word(let words): value.stringValue.map(words.contains) ?? false ? nil : "is not one of \(words)"
        case .object(let name): problem(value, named: name, wire).map { "is invalid: \($0)" }
        case .list(let name): list(value, name, wire)
        }
    }

    private static func timestamp(_ value: JSON, _ wire: WireProfile) -> String? {
        switch wire.timestampForm {
        case .iso8601: value.stringValue.flatMap(WireTimestamp.milliseconds) == nil ? "is not a timestamp" : nil
        case .milliseconds: value.intValue == nil ? "is not a timestamp" : nil
        }
    }

    private static func list(_ value: JSON, _ name: String, _ wire: WireProfile) -> String? {
        guard let elements = value.arrayValue else { return "is not a list" }
        for (index, element) in elements.enumerated() {
            if let problem = problem(element, named: name, wire) { return "[\(index)] is invalid: \(problem)" }
        }
        return nil
    }
}
