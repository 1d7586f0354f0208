import ChatWire
import Faults
import SquallCore

/// The users' presence, derived from their clients' connections.
struct PresenceTable: Hashable, Sendable {
    /// A user's presence.
    struct Entry: Hashable, Sendable {
        var status: PresenceStatus
        /// The time of the last change, in milliseconds since 1970 on the server's clock.
        var since: Int64
        /// The user's status message.
        var text: String?

        /// The time at which the user went offline; nil for any other status.
        var lastSeen: Int64? { status == .offline ? since : nil }
    }

    /// The user of each client; a client without an entry has a user of the same name.
    private var users: [ClientID: String] = [:]
    /// The user of each authenticated connection.
    private var present: [LinkID: String] = [:]
    /// The current presence of each user.
    private(set) var entries: [String: Entry] = [:]

    /// Returns the user of a client that has not logged in with a personal key.
    func user(of client: ClientID) -> String { users[client] ?? client.name }

    mutating func identify(_ client: ClientID, as user: String) {
        users[client] = user
    }

    /// Records a new connection of `user`. Returns the new presence, or nil if it has not changed.
    mutating func arrived(_ link: LinkID, for user: String, at moment: Int64) -> Entry? {
        present[link] = user
        return change(user, to: .online, at: moment)
    }

    /// Removes a connection. Returns the connection's user if they are now offline; otherwise nil.
    mutating func left(
        _ link: LinkID,
        at moment: Int64,
        policy: ServerPolicy.Presence.Leaving
    ) -> (user: String, entry: Entry)? {
        guard let user = present.removeValue(forKey: link) else { return nil }
        let isStillThere = present.contains { other, owner in
            owner == user && (policy == .withLastClient || other.client == link.client)
        }
        guard !isStillThere, let entry = change(user, to: .offline, at: moment) else { return nil }
        return (user, entry)
    }

    /// Sets the presence that the script specifies, regardless of the user's connections.
    mutating func set(_ user: String, to status: PresenceStatus, _ text: String?, at moment: Int64) -> Entry {
        let entry = Entry(status: status, since: moment, text: text)
        entries[user] = entry
        return entry
    }

    /// Removes all connections and marks every user as offline.
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
