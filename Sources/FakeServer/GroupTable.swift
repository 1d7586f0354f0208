/// Who is in which group.
///
/// As the script has it; every restart keeps it.
struct GroupTable: Hashable, Sendable {
    /// In the order they were made.
    private(set) var conversations: [String] = []
    private var members: [String: [String]] = [:]

    /// Nil for a conversation of two.
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
