/// The personal API keys of users who do not log in with the key that all clients share.
struct AccountTable: Hashable, Sendable {
    private var users: [String: String] = [:]

    mutating func open(_ user: String, key: String) {
        users[key] = user
    }

    /// The API keys of all users, in no particular order.
    var keys: [String] { Array(users.keys) }

    /// Returns the user who owns `key`; nil if no user does.
    func user(of key: String) -> String? { users[key] }
}
