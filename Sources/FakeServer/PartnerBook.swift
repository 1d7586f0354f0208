package import ChatWire
package import Foundations

/// Somebody whom clients can write to before anything was ever written.
package struct Introduction: Hashable, Sendable {
    /// The user's id, and the conversation's.
    package var id: String
    /// The id, where it is nil.
    package var name: String?
    package var status: PresenceStatus?
    package var about: String?
    /// How long before the run's beginning they were last there.
    package var lastSeen: TimeSpan?

    package init(
        id: String,
        name: String? = nil,
        status: PresenceStatus? = nil,
        about: String? = nil,
        lastSeen: TimeSpan? = nil
    ) {
        self.id = id
        self.name = name
        self.status = status
        self.about = about
        self.lastSeen = lastSeen
    }
}

/// Who was introduced, in that order; the last word on each counts.
struct PartnerBook: Hashable, Sendable {
    private(set) var introductions: [Introduction] = []

    mutating func add(_ introduction: Introduction) {
        if let place = introductions.firstIndex(where: { $0.id == introduction.id }) {
            introductions[place] = introduction
        } else {
            introductions.append(introduction)
        }
    }

    subscript(id: String) -> Introduction? { introductions.first { $0.id == id } }
}

extension ChatServer {
    /// Who was introduced, and behind them whoever has a conversation.
    var agents: [Agent] {
        let introduced = partners.introductions.map(\.id)
        let others = store.conversations.filter { !introduced.contains($0) }
        return (introduced + others).map(agent)
    }

    private func agent(_ id: String) -> Agent {
        let introduction = partners[id]
        return Agent(
            user: id,
            conversation: id,
            name: introduction?.name ?? id,
            status: presence.statuses[id] ?? introduction?.status ?? .online,
            lastSeen: introduction?.lastSeen.map { profile.clock.epoch - max($0, .zero).nanoseconds / 1_000_000 },
            about: introduction?.about
        )
    }
}
