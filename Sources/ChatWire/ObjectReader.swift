import SquallCore

/// Parses a JSON object of the protocol, field by field, with the field names of a wire profile.
///
/// Members usually appear in the order in which they are read, so each search starts where the previous one ended.
package struct ObjectReader {
    private let tables: WireTables
    private let members: [JSONMember]
    private var next = 0

    /// Parses `body` as a JSON object.
    ///
    /// - Throws: ``Malformed`` if `body` is not a JSON object.
    init(_ body: [UInt8], _ tables: WireTables) throws(Malformed) {
        let value: JSON
        do {
            value = try JSON.decode(body)
        } catch {
            throw Malformed(error.message)
        }
        guard let members = value.members else { throw Malformed("the text is \(value.kind), not an object") }
        self.init(members, tables)
    }

    init(_ members: [JSONMember], _ tables: WireTables) {
        self.tables = tables
        self.members = members
    }

    // MARK: - Required fields

    mutating func text(_ field: WireField) throws(Malformed) -> String {
        try text(field, required(field))
    }

    mutating func count(_ field: WireField) throws(Malformed) -> Int64 {
        try count(field, required(field))
    }

    mutating func flag(_ field: WireField) throws(Malformed) -> Bool {
        let value = try required(field)
        guard let flag = value.boolValue else { throw wrong(field, value, "a flag") }
        return flag
    }

    mutating func moment(_ field: WireField) throws(Malformed) -> Int64 {
        try moment(field, required(field))
    }

    mutating func word<Word: RawRepresentable>(
        _ field: WireField,
        as _: Word.Type
    ) throws(Malformed) -> Word where Word.RawValue == String {
        try word(field, required(field))
    }

    mutating func list<Element: WireObject>(_ field: WireField) throws(Malformed) -> [Element] {
        let value = try required(field)
        guard case .array(let elements) = value else { throw wrong(field, value, "a list") }
        var list: [Element] = []
        list.reserveCapacity(elements.count)
        for (index, element) in elements.enumerated() {
            list.append(try object(element, "\(tables.name(field))[\(index)]"))
        }
        return list
    }

    /// Reads a timestamp; also returns the string on the wire, if it is not in the format that
    /// ``WireTimestamp/text(_:)`` writes.
    mutating func momentAsWritten(_ field: WireField) throws(Malformed) -> (Int64, String?) {
        let value = try required(field)
        let moment = try moment(field, value)
        guard case .string(let text) = value, text.utf8.count != 24 || text.utf8.last != UInt8(ascii: "Z") else {
            return (moment, nil)
        }
        return (moment, text)
    }

    // MARK: - Optional fields

    mutating func textIfAny(_ field: WireField) throws(Malformed) -> String? {
        guard let value = value(field) else { return nil }
        return try text(field, value)
    }

    mutating func countIfAny(_ field: WireField) throws(Malformed) -> Int64? {
        guard let value = value(field) else { return nil }
        return try count(field, value)
    }

    mutating func flagIfAny(_ field: WireField) throws(Malformed) -> Bool? {
        guard let value = value(field) else { return nil }
        guard case .bool(let flag) = value else { throw wrong(field, value, "a flag") }
        return flag
    }

    mutating func spanIfAny(_ field: WireField) throws(Malformed) -> TimeSpan? {
        guard let value = value(field) else { return nil }
        return .milliseconds(try count(field, value))
    }

    mutating func momentIfAny(_ field: WireField) throws(Malformed) -> Int64? {
        guard let value = value(field) else { return nil }
        return try moment(field, value)
    }

    mutating func objectIfAny<Object: WireObject>(_ field: WireField) throws(Malformed) -> Object? {
        guard let value = value(field) else { return nil }
        return try object(value, tables.name(field))
    }

    // MARK: - Fields of optional features
    // Another server may use the same name for something else, so a value of the wrong kind is treated as missing.

    mutating func textIfFit(_ field: WireField) -> String? { try? textIfAny(field) }

    mutating func countIfFit(_ field: WireField) -> Int64? { try? countIfAny(field) }

    mutating func flagIfFit(_ field: WireField) -> Bool? { try? flagIfAny(field) }

    mutating func momentIfFit(_ field: WireField) -> Int64? { try? momentIfAny(field) }

    mutating func objectIfFit<Object: WireObject>(_ field: WireField) -> Object? { try? objectIfAny(field) }

    // MARK: - Conversion

    private func text(_ field: WireField, _ value: JSON) throws(Malformed) -> String {
        guard case .string(let text) = value else { throw wrong(field, value, "a text") }
        return text
    }

    private func count(_ field: WireField, _ value: JSON) throws(Malformed) -> Int64 {
        guard case .integer(let number) = value else { throw wrong(field, value, "a count") }
        guard number >= 0 else { throw Malformed("\(tables.name(field)) is below zero") }
        return number
    }

    private func moment(_ field: WireField, _ value: JSON) throws(Malformed) -> Int64 {
        switch (tables.timestampForm, value) {
        case (.iso8601, .string(let text)):
            guard let moment = WireTimestamp.milliseconds(text) else {
                throw Malformed("\(tables.name(field)) is not a moment in ISO-8601 form")
            }
            return moment
        case (.milliseconds, .integer(let moment)):
            guard WireTimestamp.range.contains(moment) else {
                throw Malformed("\(tables.name(field)) is not a time in the years 0 to 9999")
            }
            return moment
        case (.iso8601, _): throw wrong(field, value, "a moment in text")
        case (.milliseconds, _): throw wrong(field, value, "a moment in milliseconds")
        }
    }

    private func word<Word: RawRepresentable>(
        _ field: WireField,
        _ value: JSON
    ) throws(Malformed) -> Word where Word.RawValue == String {
        let text = try text(field, value)
        guard let word = Word(rawValue: text) else { throw Malformed("\(tables.name(field)) is an unknown word") }
        return word
    }

    private func object<Object: WireObject>(
        _ value: JSON,
        _ path: @autoclosure () -> String
    ) throws(Malformed) -> Object {
        guard case .object(let members) = value else {
            throw Malformed("\(path()) is \(value.kind), not an object")
        }
        var reader = ObjectReader(members, tables)
        do {
            return try Object(from: &reader)
        } catch {
            throw error.inside(path())
        }
    }

    // MARK: - Lookup

    private mutating func required(_ field: WireField) throws(Malformed) -> JSON {
        guard let value = value(field) else { throw Malformed("\(tables.name(field)) is missing") }
        return value
    }

    /// Returns the field's value; nil if it is missing or `null`.
    private mutating func value(_ field: WireField) -> JSON? {
        let name = tables.name(field)
        var place = next
        for _ in members.indices {
            if place == members.count { place = 0 }
            if members[place].name == name {
                next = place + 1
                // In a conditional expression, the literal `nil` would become a JSON null.
                if members[place].value.isNull { return nil }
                return members[place].value
            }
            place += 1
        }
        return nil
    }

    private func wrong(_ field: WireField, _ value: JSON, _ kind: String) -> Malformed {
        Malformed("\(tables.name(field)) is \(value.kind), not \(kind)")
    }
}

extension JSON {
    /// The value's kind with an indefinite article, such as `a text`, for error messages.
    var kind: String {
        switch self {
        case .null: "null"
        case .bool: "a flag"
        case .integer: "an integer"
        case .number: "a number"
        case .string: "a text"
        case .array: "a list"
        case .object: "an object"
        }
    }
}
