import ChatWire
import Foundations

/// What is known of the others: who types, who is there.
///
/// True only while the connection lives.
struct Peers {
    private let policy: PeersPolicy
    /// Users in the order they began.
    private(set) var typing: [String: [String]] = [:]
    private(set) var presence: [String: String] = [:]
    /// In the order they came to be known.
    private(set) var conversations: [String] = []
    private(set) var users: [String] = []

    /// What `peer.presence` shows: the server's words, and what is left of them without a connection.
    static let presenceWords = PresenceStatus.allCases.map(\.rawValue) + [lastSeen]
    private static let lastSeen = "last_seen"

    init(_ rules: Rules) {
        policy = rules.policy.peers
    }

    mutating func typed(_ user: String, in conversation: String, isActive: Bool, _ step: inout Step) {
        step.changes.insert(.peers)
        if !conversations.contains(conversation) { conversations.append(conversation) }
        var users = typing[conversation] ?? []
        users.removeAll { $0 == user }
        if isActive { users.append(user) }
        typing[conversation] = users
    }

    mutating func became(_ user: String, _ status: PresenceStatus, _ step: inout Step) {
        step.changes.insert(.peers)
        if presence[user] == nil { users.append(user) }
        presence[user] = status.rawValue
    }

    /// Nobody is known to be there, or typing, any more.
    mutating func linkLost(_ step: inout Step) {
        guard policy.withoutConnection == .isLastSeen else { return }
        step.changes.insert(.peers)
        for conversation in conversations { typing[conversation] = [] }
        for user in users where presence[user] != PresenceStatus.offline.rawValue { presence[user] = Self.lastSeen }
    }
}

/// What the others look like without a connection.
package struct PeersPolicy: Hashable, Sendable {
    package enum WithoutConnection: Hashable, Sendable { case isLastSeen, isKept }

    package var withoutConnection = WithoutConnection.isLastSeen

    static let defects: [Defect] = [
        Defect(
            "presenceStale",
            ["PO-1.1a", "PO-1.1c", "PO-1.1f", "PO-2.3f"],
            "who was there when the link died is there for ever",
            policy: { $0.peers.withoutConnection = .isKept }
        )
    ]
}

extension Peers {
    static let registry: [RegistryEntry] = [
        .observable("peer.typing", .list, key: "conversation", "Who is typing there."),
        .observable("peer.presence", .word(presenceWords), key: "user", "Whether somebody is there."),
    ]
}
