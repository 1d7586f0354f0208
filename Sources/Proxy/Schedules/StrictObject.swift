import SquallCore

/// A JSON object in which unknown keys, missing keys and wrong types are errors.
///
/// The accessors return nil for a missing key, and throw an ``APIError`` that states the path if a value has the wrong
/// type.
struct StrictObject {
    private let members: [JSONMember]
    let path: String

    init(_ json: JSON, at path: String, known: [String]) throws(APIError) {
        guard let members = json.members else {
            throw APIError("\(path): expected an object, found \(json.kindName)", 400)
        }
        if let key = UnknownKey(in: members.map(\.name), known: known) {
            throw APIError("\(path): unknown key '\(key.name)'; \(key.help("known are"))", 400)
        }
        self.members = members
        self.path = path
    }

    subscript(name: String) -> JSON? { members.first { $0.name == name }?.value }

    private func wrong(_ name: String, _ wanted: String) -> APIError {
        APIError("\(path).\(name): expected \(wanted)", 400)
    }

    func text(_ name: String) throws(APIError) -> String? {
        guard let value = self[name] else { return nil }
        guard let text = value.stringValue else { throw wrong(name, "a string") }
        return text
    }

    func need(text name: String) throws(APIError) -> String {
        guard let text = try text(name) else { throw wrong(name, "a string") }
        return text
    }

    func flag(_ name: String) throws(APIError) -> Bool? {
        guard let value = self[name] else { return nil }
        guard let flag = value.boolValue else { throw wrong(name, "true or false") }
        return flag
    }

    func number(_ name: String, atLeast least: Int64 = 0) throws(APIError) -> Int64? {
        guard let value = self[name] else { return nil }
        guard let number = value.intValue, number >= least else { throw wrong(name, "an integer of at least \(least)") }
        return number
    }

    func milliseconds(_ name: String) throws(APIError) -> TimeSpan? {
        try number(name).map { .milliseconds($0) }
    }

    func list(_ name: String) throws(APIError) -> [JSON]? {
        guard let value = self[name] else { return nil }
        guard let list = value.arrayValue else { throw wrong(name, "a list") }
        return list
    }
}
