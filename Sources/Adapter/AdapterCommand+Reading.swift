package import SquallCore

// The client's half of the protocol, for a client that is within this process.

extension AdapterCommand {
    /// Reads a line of Squall's, without its line feed.
    ///
    /// - Returns: Nil for what is no command.
    package static func read(line: some Sequence<UInt8>) -> (id: Int64, command: AdapterCommand)? {
        guard let json = try? JSON.decode(Array(line)), let id = json["id"]?.intValue,
            let type = json["type"]?.stringValue
        else { return nil }
        let fields = (json.members ?? []).filter { $0.name != "id" && $0.name != "type" }
        return (id, AdapterCommand(type, fields))
    }

    /// A field by its name; nil where it is missing or null.
    package subscript(field name: String) -> JSON? {
        fields.first { $0.name == name }.flatMap { $0.value.isNull ? nil : $0.value }
    }

    package func text(_ name: String) -> String? { self[field: name]?.stringValue }
}
