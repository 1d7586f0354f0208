/// The users who log in with a key of their own instead of the key that all clients share.
struct AccountTable: Hashable, Sendable {
    private var users: [String: String] = [:]

    mutating func open(_ user: String, key: String) {
        users[key] = user
    }

    /// The user who owns `key`; nil for a key that no user owns.
    func user(of key: String) -> String? { users[key] }
}
