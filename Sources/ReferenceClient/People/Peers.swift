import SquallCore

/// Tracks which users are typing, as reported on the live connection; cleared when the connection is lost.
struct Peers {
    /// The users who are typing, by conversation, in the order in which they began to type.
    private(set) var typing: [String: [String]] = [:]
    /// The conversations in which a user has typed, in the order in which typing was first reported.
    private(set) var conversations: [String] = []

    func isTyping(in conversation: String) -> Bool { !(typing[conversation] ?? []).isEmpty }

    mutating func typed(_ user: String, in conversation: String, isActive: Bool, _ step: inout Step) {
        step.changes.formUnion([.peers, .people])
        if !conversations.contains(conversation) { conversations.append(conversation) }
        var users = typing[conversation] ?? []
        users.removeAll { $0 == user }
        if isActive { users.append(user) }
        typing[conversation] = users
    }

    /// Clears the lists of typing users, because a disconnected client does not know who is typing.
    mutating func linkLost(_ step: inout Step) {
        step.changes.formUnion([.peers, .people])
        for conversation in conversations { typing[conversation] = [] }
    }
}

extension Peers {
    static let registry: [RegistryEntry] = [
        .observable("peer.typing", .list, key: "conversation", "The users who are typing in the conversation.")
    ]
}
