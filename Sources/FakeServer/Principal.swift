import ChatWire
import Faults
import SquallCore

/// The client that makes a request, and the user on whose behalf it does so.
///
/// The user is determined by the request's API key or the connection's login, not by other keys that the client uses
/// elsewhere.
struct Principal: Hashable, Sendable {
    let client: ClientID
    let user: String
}

extension ChatServer {
    /// Returns the principal of an HTTP request: the owner of `key`, or the client's user if no user owns it.
    func principal(of client: ClientID, key: String?) -> Principal {
        Principal(client: client, user: key.flatMap(accounts.user) ?? presence.user(of: client))
    }

    /// Returns the principal of a WebSocket, determined by its login.
    func principal(on id: LinkID) -> Principal {
        let account = links.read(id, \.account).flatMap(\.self)
        return Principal(client: id.client, user: account ?? presence.user(of: id.client))
    }
}
