import ChatWire
import Foundations

/// Which users are there, by the clients that act for them.
struct PresenceBook: Hashable, Sendable {
    /// What is known of one user.
    struct Entry: Hashable, Sendable {
        var status: PresenceStatus
        /// Since when, in milliseconds since 1970 on the server's clock.
        var since: Int64
        /// The status in words.
        var text: String?

        /// When last there, of somebody who is not.
        var lastSeen: Int64? { status == .offline ? since : nil }
    }

    /// Users for whom a client acts under another name than its own.
    private var users: [ClientID: String] = [:]
    /// For whom each client came that is there.
    private var present: [ClientID: String] = [:]
    /// What was last announced of each user.
    private(set) var entries: [String: Entry] = [:]

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
    mutating func arrived(_ client: ClientID, at moment: Int64) -> Entry? {
        let user = user(of: client)
        present[client] = user
        return change(user, to: .online, at: moment)
    }

    /// Nil where nothing has changed for others.
    mutating func left(_ client: ClientID, at moment: Int64, policy: ServerPolicy.Presence.Leaving) -> Entry? {
        guard let user = present.removeValue(forKey: client) else { return nil }
        switch policy {
        case .withLastClient where present.values.contains(user): return nil
        case .withLastClient, .withAnyClient: return change(user, to: .offline, at: moment)
        }
    }

    /// As the script says it, whoever is there.
    mutating func set(_ user: String, to status: PresenceStatus, _ text: String?, at moment: Int64) -> Entry {
        let entry = Entry(status: status, since: moment, text: text)
        entries[user] = entry
        return entry
    }

    /// Nobody is connected any more.
    mutating func forgetClients(at moment: Int64) {
        present = [:]
        for user in entries.keys { _ = change(user, to: .offline, at: moment) }
    }

    private mutating func change(_ user: String, to status: PresenceStatus, at moment: Int64) -> Entry? {
        guard entries[user]?.status != status else { return nil }
        let entry = Entry(status: status, since: moment)
        entries[user] = entry
        return entry
    }
}
