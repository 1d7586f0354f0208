/// Users with a key of their own, beside the one that lets every client in as itself.
struct AccountTable: Hashable, Sendable {
    private var users: [String: String] = [:]

    mutating func open(_ user: String, key: String) {
        users[key] = user
    }

    /// Nil for a key that is nobody's own.
    func user(of key: String) -> String? { users[key] }
}
