package import SquallCore

/// A command from Squall to a client, such as `{"id":3,"type":"send","text":"hello"}`.
package struct AdapterCommand: Hashable, Sendable {
    /// The command's name: `init`, `start`, `reset`, `kill`, or a `user` or `device` action of the scenario language.
    package var type: String
    /// The command's fields except for `id` and `type`.
    package var fields: [JSONMember]

    package init(_ type: String, _ fields: [JSONMember] = []) {
        self.type = type
        self.fields = fields
    }

    /// Returns the command as a line, including its line feed.
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

extension AdapterCommand {
    /// The command that sets the client's clock to `now`, the time on the run's clock.
    package static func advance(to now: Instant) -> AdapterCommand {
        AdapterCommand(advance, [JSONMember("now", .integer(now.nanoseconds))])
    }

    /// The type of the command that sets the client's clock.
    package static let advance = "advance"
}

/// The content of `init`: the addresses of the server and everything else that a client must know before it starts.
package struct AdapterInit: Hashable, Sendable {
    /// The client's name in the scenario.
    package var client: String
    package var addresses: AdapterAddresses
    /// The credential that the server accepts.
    package var key: String
    package var seed: UInt64
    /// The clock that the client's timers follow in this run.
    package var clock: AdapterClock

    package init(
        client: String,
        addresses: AdapterAddresses,
        key: String,
        seed: UInt64,
        clock: AdapterClock = .wall
    ) {
        self.client = client
        self.addresses = addresses
        self.key = key
        self.seed = seed
        self.clock = clock
    }

    package var environment: [(name: String, value: String)] { addresses.environment(of: client, key: key) }

    package var command: AdapterCommand {
        // `ca_file` and `fresh` are omitted if they do not apply, because some clients do not support these fields.
        let authority = addresses.authorityFile.map { [JSONMember("ca_file", .string($0))] } ?? []
        let fresh = addresses.isFresh.map { [JSONMember("fresh", .bool($0))] } ?? []
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
                JSONMember("clock", .string(clock.rawValue)),
            ] + authority + fresh
        )
    }
}
