/// Identifies one of a scenario's chat clients by name.
package struct ClientID: Hashable, Comparable, Sendable, CustomStringConvertible {
    package let name: String

    package init(_ name: String) {
        self.name = name
    }

    /// The single client, named `client`, of a scenario that has no `clients:`.
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

/// Identifies a client's attempt to open a WebSocket or HTTP connection; attempts are numbered from 1 for each client.
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

/// The direction in which bytes travel, named as in Toxiproxy: upstream is towards the server.
package enum Direction: String, Hashable, Sendable, CaseIterable {
    case upstream, downstream

    package var opposite: Direction { self == .upstream ? .downstream : .upstream }
}
