import SquallCore

/// The push tokens of users: at most one token for each user, and one user for each token.
///
/// The table survives a restart with `state: keep`.
struct PushTable: Hashable, Sendable {
    private var tokens: [String: String] = [:]

    /// The users with a registered device, sorted by name.
    var users: [String] { tokens.keys.sorted() }

    func token(of user: String) -> String? { tokens[user] }

    /// Assigns the device with this token to a user, and returns the device's previous user, if any.
    mutating func save(_ token: String, of user: String) -> String? {
        let before = tokens.first { $0.value == token && $0.key != user }?.key
        if let before { tokens[before] = nil }
        tokens[user] = token
        return before
    }

    /// Removes the user's token, and returns whether there was one.
    mutating func remove(of user: String) -> Bool { tokens.removeValue(forKey: user) != nil }
}
