/// Who belongs to a conversation, where the script has said so; to any other everybody does.
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
