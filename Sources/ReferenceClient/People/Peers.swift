import SquallCore

/// Who types.
///
/// True only while the connection lives.
struct Peers {
    /// Users in the order they began.
    private(set) var typing: [String: [String]] = [:]
    /// In the order they came to be known.
    private(set) var conversations: [String] = []

    mutating func typed(_ user: String, in conversation: String, isActive: Bool, _ step: inout Step) {
        step.changes.formUnion([.peers, .people])
        if !conversations.contains(conversation) { conversations.append(conversation) }
        var users = typing[conversation] ?? []
        users.removeAll { $0 == user }
        if isActive { users.append(user) }
        typing[conversation] = users
    }

    /// Nobody is known to be typing any more.
    mutating func linkLost(_ step: inout Step) {
        step.changes.formUnion([.peers, .people])
        for conversation in conversations { typing[conversation] = [] }
    }
}

extension Peers {
    static let registry: [RegistryEntry] = [
        .observable("peer.typing", .list, key: "conversation", "Who is typing there.")
    ]
}
