package import SquallCore

/// Identifies one connection of a client in the network between client and server.
///
/// Connections are numbered from 1 in the order in which they reached the relay. A negative number belongs to a
/// connection that a third party has opened with the client's identity.
package struct LinkID: Hashable, Comparable, Sendable, CustomStringConvertible {
    package let client: ClientID
    package let number: Int

    package init(_ client: ClientID, _ number: Int) {
        self.client = client
        self.number = number
    }

    package static func < (left: LinkID, right: LinkID) -> Bool {
        (left.client, left.number) < (right.client, right.number)
    }

    package var description: String { "\(client)~\(number)" }
}
