/// Identifies a chat client of a scenario by its name.
package struct ClientID: Hashable, Comparable, Sendable, CustomStringConvertible {
    package let name: String

    package init(_ name: String) {
        self.name = name
    }

    /// The only client of a scenario without `clients:`, named `client`.
    package static let only = ClientID("client")

    @inlinable
    package static func == (left: ClientID, right: ClientID) -> Bool { left.name == right.name }

    @inlinable
    package func hash(into hasher: inout Hasher) { hasher.combine(name) }

    package static func < (left: ClientID, right: ClientID) -> Bool {
        left.name < right.name
    }

    package var description: String { name }
}

/// Identifies an attempt of a client to open a connection, for WebSocket or HTTP; numbered from 1 for each client.
package struct ConnectionID: Hashable, Comparable, Sendable, CustomStringConvertible {
    package let client: ClientID
    package let number: Int

    package init(_ client: ClientID, _ number: Int) {
        self.client = client
        self.number = number
    }

    package static func < (left: ConnectionID, right: ConnectionID) -> Bool {
        (left.client, left.number) < (right.client, right.number)
    }

    package var description: String { "\(client)/\(number)" }
}

/// The direction of bytes, in Toxiproxy's terms: upstream is towards the server.
package enum Direction: String, Hashable, Sendable, CaseIterable {
    case upstream, downstream

    package var opposite: Direction { self == .upstream ? .downstream : .upstream }
}
