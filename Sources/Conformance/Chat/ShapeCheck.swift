import ChatWire
import SquallCore

/// Whether a JSON value is what the protocol's tables say of an object.
enum ShapeCheck {
    /// What is wrong, in words; nil where all is well. Fields that the tables do not name are nobody's affair.
    static func problem(_ value: JSON, named name: String, _ wire: WireProfile) -> String? {
        guard let shape = ObjectShape.all.first(where: { $0.name == name }) else { return "nothing is called \(name)" }
        guard value.members != nil else { return "\(name): not an object" }
        for field in shape.judged {
            let member = value[wire[field.field]] ?? .null
            if member.isNull {
                guard field.required else { continue }
                return "\(name): no \(wire[field.field])"
            }
            if let problem = problem(member, field.kind, wire) { return "\(name): \(wire[field.field]) \(problem)" }
        }
        return order(value, name, wire)
    }

    private static func problem(_ value: JSON, _ kind: FieldKind, _ wire: WireProfile) -> String? {
        switch kind {
        case .text: value.stringValue == nil ? "is no text" : nil
        case .count, .milliseconds: (value.intValue ?? -1) < 0 ? "is no count" : nil
        case .flag: value.boolValue == nil ? "is no flag" : nil
        case .timestamp: timestamp(value, wire)
        case .word(let words): value.stringValue.map(words.contains) ?? false ? nil : "is none of \(words)"
        case .object(let name): problem(value, named: name, wire).map { "holds: \($0)" }
        case .list(let name): list(value, name, wire)
        }
    }

    private static func timestamp(_ value: JSON, _ wire: WireProfile) -> String? {
        switch wire.timestampForm {
        case .iso8601: value.stringValue.flatMap(WireTimestamp.milliseconds) == nil ? "is no timestamp" : nil
        case .milliseconds: value.intValue == nil ? "is no timestamp" : nil
        }
    }

    private static func list(_ value: JSON, _ name: String, _ wire: WireProfile) -> String? {
        guard let elements = value.arrayValue else { return "is no list" }
        for (place, element) in elements.enumerated() {
            if let problem = problem(element, named: name, wire) { return "[\(place)] holds: \(problem)" }
        }
        return nil
    }

    /// Messages ascend wherever there are several (rule 7).
    private static func order(_ value: JSON, _ name: String, _ wire: WireProfile) -> String? {
        let places = (value[wire[.messages]]?.arrayValue ?? []).compactMap { $0[wire[.sequence]]?.intValue }
        return zip(places, places.dropFirst()).allSatisfy { $0 < $1 } ? nil : "\(name): the messages do not ascend"
    }
}
