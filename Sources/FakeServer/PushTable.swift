import SquallCore

/// The users' push tokens. Each of a user's devices has at most one token, and each token belongs to one user.
///
/// The table survives a restart with `state: keep`.
struct PushTable: Hashable, Sendable {
    private struct Device: Hashable {
        let client: ClientID
        let token: String
    }

    /// The devices of each user, in the order in which they were first registered.
    private var devices: [String: [Device]] = [:]

    /// The users with a registered device, sorted by name.
    var users: [String] { devices.keys.sorted() }

    func tokens(of user: String) -> [String] { devices[user, default: []].map(\.token) }

    func token(of user: String, on client: ClientID) -> String? {
        devices[user]?.first { $0.client == client }?.token
    }

    /// Assigns the device with this token to a user, and returns the device's previous user, if any.
    ///
    /// Replaces any earlier registration by the same client, and any registration of the same token by another of the
    /// user's clients.
    mutating func save(_ token: String, of user: String, on client: ClientID) -> String? {
        let before = users.first { name in name != user && tokens(of: name).contains(token) }
        if let before { removeAll(of: before) { $0.token == token } }
        let device = Device(client: client, token: token)
        if let index = devices[user]?.firstIndex(where: { $0.client == client || $0.token == token }) {
            devices[user]?[index] = device
            devices[user]?.removeAll { $0 != device && ($0.client == client || $0.token == token) }
        } else {
            devices[user, default: []].append(device)
        }
        return before
    }

    /// Removes the token that the client has registered for the user, and returns whether there was one.
    mutating func remove(of user: String, on client: ClientID) -> Bool {
        guard token(of: user, on: client) != nil else { return false }
        removeAll(of: user) { $0.client == client }
        return true
    }

    private mutating func removeAll(of user: String, where isRemoved: (Device) -> Bool) {
        devices[user]?.removeAll(where: isRemoved)
        if devices[user]?.isEmpty == true { devices[user] = nil }
    }
}
