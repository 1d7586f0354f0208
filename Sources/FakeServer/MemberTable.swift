/// The members of restricted conversations. A conversation that the script has not restricted is open to every user.
struct MemberTable: Sendable {
    private var members: [String: Set<String>] = [:]

    mutating func restrict(_ conversation: String, to users: [String]) {
        members[conversation] = Set(users)
    }

    mutating func remove(_ conversation: String) {
        members[conversation] = nil
    }

    func isMember(_ user: String, of conversation: String) -> Bool {
        members[conversation]?.contains(user) ?? true
    }
}
