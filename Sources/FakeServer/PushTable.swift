import SquallCore

/// Which user's pushes go to which device: each user has one token at most, and each token one user.
///
/// A restart with `state: keep` keeps it.
struct PushTable: Hashable, Sendable {
    private var tokens: [String: String] = [:]

    /// Users with a device, in the order of their names.
    var users: [String] { tokens.keys.sorted() }

    func token(of user: String) -> String? { tokens[user] }

    /// The device is this user's from now on; gives whoever had it before.
    mutating func save(_ token: String, of user: String) -> String? {
        let before = tokens.first { $0.value == token && $0.key != user }?.key
        if let before { tokens[before] = nil }
        tokens[user] = token
        return before
    }

    /// Whether there was one.
    mutating func remove(of user: String) -> Bool { tokens.removeValue(forKey: user) != nil }
}
