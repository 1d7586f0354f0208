package import SquallCore

// Parses commands, for a client that runs in Squall's process.

extension AdapterCommand {
    /// Parses a line from Squall, without its line feed.
    ///
    /// - Returns: The command with its id, or nil if the line is not a command.
    package static func read(line: some Sequence<UInt8>) -> (id: Int64, command: AdapterCommand)? {
        guard let json = try? JSON.decode(Array(line)), let id = json["id"]?.intValue,
            let type = json["type"]?.stringValue
        else { return nil }
        let fields = (json.members ?? []).filter { $0.name != "id" && $0.name != "type" }
        return (id, AdapterCommand(type, fields))
    }

    /// Returns the value of a field; nil if it is missing or null.
    package subscript(field name: String) -> JSON? {
        fields.first { $0.name == name }.flatMap { $0.value.isNull ? nil : $0.value }
    }

    package func text(_ name: String) -> String? { self[field: name]?.stringValue }
}
