import ChatWire
import Faults
import SquallCore

/// Which users are there, by the clients that act for them.
struct PresenceTable: Hashable, Sendable {
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
    /// For whom each connection came that is there.
    private var present: [LinkID: String] = [:]
    /// What was last announced of each user.
    private(set) var entries: [String: Entry] = [:]

    /// For whom a client acts that has no user's own key.
    func user(of client: ClientID) -> String { users[client] ?? client.name }

    mutating func identify(_ client: ClientID, as user: String) {
        users[client] = user
    }

    /// Nil where nothing has changed for others.
    mutating func arrived(_ link: LinkID, for user: String, at moment: Int64) -> Entry? {
        present[link] = user
        return change(user, to: .online, at: moment)
    }

    /// Who is gone with a connection; nil where nothing has changed for others.
    mutating func left(
        _ link: LinkID,
        at moment: Int64,
        policy: ServerPolicy.Presence.Leaving
    ) -> (user: String, entry: Entry)? {
        guard let user = present.removeValue(forKey: link) else { return nil }
        let isStillThere = present.contains { other, somebody in
            somebody == user && (policy == .withLastClient || other.client == link.client)
        }
        guard !isStillThere, let entry = change(user, to: .offline, at: moment) else { return nil }
        return (user, entry)
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
