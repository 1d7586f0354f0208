import ChatWire
import Foundations

/// Which users are there, by the clients that act for them.
struct PresenceBook: Hashable, Sendable {
    /// Users for whom a client acts under another name than its own.
    private var users: [ClientID: String] = [:]
    /// For whom each client came that is there.
    private var present: [ClientID: String] = [:]
    /// What was last announced of each user.
    private(set) var statuses: [String: PresenceStatus] = [:]

    /// Users as whom a client has logged in with a key of theirs.
    private var accounts: [ClientID: String] = [:]

    func user(of client: ClientID) -> String {
        accounts[client] ?? users[client] ?? client.name
    }

    /// The login of a client was with that user's own key, or with nobody's.
    mutating func signIn(_ client: ClientID, as user: String?) {
        guard accounts[client] != user else { return }
        accounts[client] = user
    }

    mutating func identify(_ client: ClientID, as user: String) {
        users[client] = user
    }

    /// Nil where nothing has changed for others.
    mutating func arrived(_ client: ClientID) -> PresenceStatus? {
        let user = user(of: client)
        present[client] = user
        return change(user, to: .online)
    }

    /// Nil where nothing has changed for others.
    mutating func left(_ client: ClientID, policy: ServerPolicy.Presence.Leaving) -> PresenceStatus? {
        guard let user = present.removeValue(forKey: client) else { return nil }
        switch policy {
        case .withLastClient where present.values.contains(user): return nil
        case .withLastClient, .withAnyClient: return change(user, to: .offline)
        }
    }

    /// As the script says it, whoever is there.
    mutating func set(_ user: String, to status: PresenceStatus) {
        statuses[user] = status
    }

    /// Nobody is connected any more.
    mutating func forgetClients() {
        present = [:]
        statuses = statuses.mapValues { _ in .offline }
    }

    private mutating func change(_ user: String, to status: PresenceStatus) -> PresenceStatus? {
        guard statuses[user] != status else { return nil }
        statuses[user] = status
        return status
    }
}
