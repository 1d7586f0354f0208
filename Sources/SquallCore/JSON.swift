/// A lossless JSON value (RFC 8259): members keep their order, integers are exact, and other numbers keep their text.
///
/// Two values are equal if and only if their compact encodings have the same bytes. Strings thus compare by UTF-8, not
/// by canonical equivalence as `String` does, so a comparison detects a client that normalises relayed text.
package enum JSON: Sendable {
    case null
    case bool(Bool)
    case integer(Int64)
    /// A number that is not an integer in the range of `Int64`.
    case number(JSONNumber)
    case string(String)
    case array([JSON])
    /// Members in order. By default the decoder rejects duplicate names; a value built in memory may have them.
    case object([JSONMember])
}

/// A name and its value in an object.
package struct JSONMember: Sendable {
    package var name: String
    package var value: JSON

    package init(_ name: String, _ value: JSON) {
        self.name = name
        self.value = value
    }
}

extension JSON {
    /// The value of the first member with this name; nil if there is none, or if the value is not an object.
    package subscript(name: String) -> JSON? {
        guard case .object(let members) = self else { return nil }
        for member in members where member.name.hasSameBytes(as: name) { return member.value }
        return nil
    }

    /// The element at `index`, from 0; nil if the index is out of range, or if the value is not an array.
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

    /// The number, rounded to the nearest `Double`, or infinity if it exceeds the range of `Double`; nil if the value
    /// is not a number.
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

    /// Sets the value of the first member with this name, or appends a member.
    ///
    /// - Returns: `false` if the value is not an object and was left unchanged.
    @discardableResult
    package mutating func set(_ name: String, to value: JSON) -> Bool {
        guard case .object(var members) = self else { return false }
        // Drops the second reference to the members, so that they can be edited in place.
        self = .null
        if let place = members.firstIndex(where: { $0.name.hasSameBytes(as: name) }) {
            members[place].value = value
        } else {
            members.append(JSONMember(name, value))
        }
        self = .object(members)
        return true
    }

    /// Removes all members with this name.
    ///
    /// - Returns: `false` if there was none, or if the value is not an object.
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
    /// The value as compact JSON.
    package var description: String {
        String(decoding: encode(), as: UTF8.self)
    }
}
