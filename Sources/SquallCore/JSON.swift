/// A JSON value (RFC 8259) that loses nothing: members keep their order, whole numbers are exact, and every other
/// number keeps the text it was written in.
///
/// Two values are equal exactly when their compact texts are the same bytes. Texts therefore compare by their UTF-8 and
/// not, as `String` does, by canonical equivalence: a client that normalises what it relays has changed it.
package enum JSON: Sendable {
    case null
    case bool(Bool)
    case integer(Int64)
    /// Any number that is not a whole one in `Int64`.
    case number(JSONNumber)
    case string(String)
    case array([JSON])
    /// Members in order. The decoder refuses a name given twice unless told otherwise; building one here is allowed.
    case object([JSONMember])
}

/// One name and its value in an object.
package struct JSONMember: Sendable {
    package var name: String
    package var value: JSON

    package init(_ name: String, _ value: JSON) {
        self.name = name
        self.value = value
    }
}

extension JSON {
    /// The first member of that name; nil where there is none, or where this is no object.
    package subscript(name: String) -> JSON? {
        guard case .object(let members) = self else { return nil }
        for member in members where member.name.hasSameBytes(as: name) { return member.value }
        return nil
    }

    /// The element at `index`, from 0; nil outside the array, or where this is no array.
    package subscript(index: Int) -> JSON? {
        guard case .array(let elements) = self, elements.indices.contains(index) else { return nil }
        return elements[index]
    }

    package var isNull: Bool {
        if case .null = self { true } else { false }
    }

    package var boolValue: Bool? {
        if case .bool(let flag) = self { flag } else { nil }
    }

    package var intValue: Int64? {
        if case .integer(let number) = self { number } else { nil }
    }

    /// Any number, rounded to the nearest `Double`; infinite where it is larger than one can be.
    package var doubleValue: Double? {
        switch self {
        case .integer(let number): Double(number)
        case .number(let number): Double(number.text)
        case .null, .bool, .string, .array, .object: nil
        }
    }

    package var stringValue: String? {
        if case .string(let text) = self { text } else { nil }
    }

    package var arrayValue: [JSON]? {
        if case .array(let elements) = self { elements } else { nil }
    }

    package var members: [JSONMember]? {
        if case .object(let members) = self { members } else { nil }
    }

    /// Gives the first member of that name a new value, or appends one; other members stay where they are.
    ///
    /// `false`, and nothing done, where this is no object.
    @discardableResult
    package mutating func set(_ name: String, to value: JSON) -> Bool {
        guard case .object(var members) = self else { return false }
        // Lets go of the second reference, so that the edit happens in place.
        self = .null
        if let place = members.firstIndex(where: { $0.name.hasSameBytes(as: name) }) {
            members[place].value = value
        } else {
            members.append(JSONMember(name, value))
        }
        self = .object(members)
        return true
    }

    /// Removes every member of that name.
    ///
    /// `false`, and nothing done, where there is none, or where this is no object.
    @discardableResult
    package mutating func remove(_ name: String) -> Bool {
        guard case .object(var members) = self else { return false }
        self = .null
        let before = members.count
        members.removeAll { $0.name.hasSameBytes(as: name) }
        self = .object(members)
        return members.count < before
    }
}

extension JSON: CustomStringConvertible {
    /// The compact text.
    package var description: String {
        String(decoding: encode(), as: UTF8.self)
    }
}
