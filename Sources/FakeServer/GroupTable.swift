/// The members of each group conversation.
///
/// The script defines the groups, which survive every restart.
struct GroupTable: Hashable, Sendable {
    /// The group conversations, in order of creation.
    private(set) var conversations: [String] = []
    private var members: [String: [String]] = [:]

    /// The members of a group; nil for a conversation between two users.
    subscript(conversation: String) -> [String]? { members[conversation] }

    mutating func set(_ conversation: String, to users: [String]) {
        if members[conversation] == nil { conversations.append(conversation) }
        members[conversation] = users
    }

    mutating func remove(_ conversation: String) {
        conversations.removeAll { $0 == conversation }
        members[conversation] = nil
    }
}
