import SquallCore

/// An error in a request's body. The response contains its message after the prefix `bad request body: `.
struct BodyError: Error, Hashable {
    var message: String

    init(_ message: String) {
        self.message = message
    }
}

/// A JSON object parsed with the leniency of Go's `encoding/json`, on which Toxiproxy's clients rely.
///
/// Names match case-insensitively, the last of several duplicate names is used, unknown names are ignored, and null is
/// treated as a missing value.
struct LooseObject {
    private let members: [JSONMember]

    init(_ json: JSON, as type: String) throws(BodyError) {
        switch json {
        case .object(let members): self.members = members
        case .null: members = []
        default: throw BodyError("json: cannot unmarshal \(json.kindName) into \(type)")
        }
    }

    /// Decodes the first JSON value of a body and ignores any bytes after it.
    static func firstValue(in body: [UInt8]) throws(BodyError) -> JSON {
        let limits = JSONLimits(duplicates: .keep)
        do {
            return try JSON.decode(body, limits: limits)
        } catch {
            switch error.code {
            case .trailingByte:
                guard let first = try? JSON.decode(body[..<error.offset], limits: limits) else {
                    throw BodyError(error.message)
                }
                return first
            case .unexpectedEnd:
                let isEmpty = body.allSatisfy { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
                throw BodyError(isEmpty ? "EOF" : "unexpected EOF")
            default: throw BodyError(error.message)
            }
        }
    }

    subscript(name: String) -> JSON? {
        let value = members.last { $0.name == name || $0.name.lowercased() == name }?.value
        return value?.isNull == true ? nil : value
    }

    var names: [String] { members.map(\.name) }

    func text(_ name: String) throws(BodyError) -> String? {
        guard let value = self[name] else { return nil }
        guard let text = value.stringValue else { throw Self.unfit(value, name, "string") }
        return text
    }

    func flag(_ name: String) throws(BodyError) -> Bool? {
        guard let value = self[name] else { return nil }
        guard let flag = value.boolValue else { throw Self.unfit(value, name, "bool") }
        return flag
    }

    func integer(_ name: String) throws(BodyError) -> Int64? {
        guard let value = self[name] else { return nil }
        guard let number = value.intValue else { throw Self.unfit(value, name, "int64") }
        return number
    }

    func float(_ name: String) throws(BodyError) -> Float? {
        guard let value = self[name] else { return nil }
        guard let number = value.doubleValue, Float(number).isFinite else { throw Self.unfit(value, name, "float32") }
        return Float(number)
    }

    private static func unfit(_ value: JSON, _ name: String, _ type: String) -> BodyError {
        BodyError("json: cannot unmarshal \(value.kindName) into field \(name) of type \(type)")
    }
}

extension JSON {
    /// The name of the value's type in Go's error messages.
    var kindName: String {
        switch self {
        case .null: "null"
        case .bool: "bool"
        case .integer: "number"
        case .number(let number): "number \(number.text)"
        case .string: "string"
        case .array: "array"
        case .object: "object"
        }
    }
}
