package import SquallCore

/// Something that Squall asks of a client: `{"id":3,"type":"send","text":"hello"}`.
package struct AdapterCommand: Hashable, Sendable {
    /// `init`, `start`, `reset`, `kill`, or a verb of the scenario language's `user` and `device`.
    package var type: String
    /// Beside `id` and `type`.
    package var fields: [JSONMember]

    package init(_ type: String, _ fields: [JSONMember] = []) {
        self.type = type
        self.fields = fields
    }

    /// The line, its line feed included.
    package func line(id: Int64) -> [UInt8] {
        let message = JSON.object([JSONMember("id", .integer(id)), JSONMember("type", .string(type))] + fields)
        return message.encode() + [UInt8(ascii: "\n")]
    }

    package static func == (left: AdapterCommand, right: AdapterCommand) -> Bool {
        left.type == right.type && JSON.object(left.fields) == JSON.object(right.fields)
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(type)
        hasher.combine(JSON.object(fields))
    }
}

/// Where a client finds its server, and what else it has to know before it starts.
package struct AdapterInit: Hashable, Sendable {
    /// The scenario client's name.
    package var client: String
    package var addresses: AdapterAddresses
    /// The credential that the server accepts.
    package var key: String
    package var seed: UInt64

    package init(client: String, addresses: AdapterAddresses, key: String, seed: UInt64) {
        self.client = client
        self.addresses = addresses
        self.key = key
        self.seed = seed
    }

    package var environment: [(name: String, value: String)] { addresses.environment(of: client, key: key) }

    package var command: AdapterCommand {
        // A client that knows nothing of TLS need not hear of it.
        let authority = addresses.authorityFile.map { [JSONMember("ca_file", .string($0))] } ?? []
        return AdapterCommand(
            "init",
            [
                JSONMember("protocol", .integer(AdapterProtocol.version)),
                JSONMember("client", .string(client)),
                JSONMember("ws_url", .string(addresses.webSocketURL)),
                JSONMember("http_url", .string(addresses.httpURL)),
                JSONMember("key", .string(key)),
                JSONMember("seed", JSON(unsigned: seed)),
                JSONMember("state_dir", addresses.stateFolder.map { .string($0) } ?? .null),
                JSONMember("clock", "wall"),
            ] + authority
        )
    }
}
