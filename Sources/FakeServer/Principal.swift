import ChatWire
import Faults
import SquallCore

/// On whose behalf something is asked.
///
/// The user goes by the key of the one request, or by the login of the one connection: what a client says elsewhere, with
/// another key, changes neither.
struct Principal: Hashable, Sendable {
    let client: ClientID
    let user: String
}

extension ChatServer {
    /// Who asks with a key: whose own it is, else the client's user.
    func principal(of client: ClientID, key: String?) -> Principal {
        Principal(client: client, user: key.flatMap(accounts.user) ?? presence.user(of: client))
    }

    /// Who speaks on a connection, by its login.
    func principal(on id: LinkID) -> Principal {
        let account = links.read(id, \.account).flatMap(\.self)
        return Principal(client: id.client, user: account ?? presence.user(of: id.client))
    }
}
