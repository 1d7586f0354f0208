package import SquallCore

/// One connection as the network between client and server knows it.
///
/// It is the n-th of its client that reached the relay, counted from 1; below 0 are those that somebody else has opened in
/// the client's name.
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
