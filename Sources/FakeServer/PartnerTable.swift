package import ChatWire
package import SquallCore

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
struct PartnerTable: Hashable, Sendable {
    private(set) var introductions: [Introduction] = []

    mutating func add(_ introduction: Introduction) {
        if let place = introductions.firstIndex(where: { $0.id == introduction.id }) {
            introductions[place] = introduction
        } else {
            introductions.append(introduction)
        }
    }

    mutating func remove(_ id: String) {
        introductions.removeAll { $0.id == id }
    }

    subscript(id: String) -> Introduction? { introductions.first { $0.id == id } }
}

extension ChatServer {
    /// Who was introduced, and behind them whoever else there is.
    func agents(for user: String) -> [Agent] {
        let introduced = partners.introductions.map(agent)
        let known = Set(introduced.map(\.user))
        return introduced + unintroduced(for: user).filter { !known.contains($0.user) }
    }

    /// What was heard of somebody since counts more than the introduction.
    private func agent(_ introduction: Introduction) -> Agent {
        let heard = presence.entries[introduction.id]
        return Agent(
            user: introduction.id,
            conversation: introduction.id,
            name: introduction.name ?? introduction.id,
            status: heard?.status ?? introduction.status ?? .online,
            lastSeen: heard?.lastSeen
                ?? introduction.lastSeen.map { profile.clock.epoch - max($0, .zero).nanoseconds / 1_000_000 },
            about: introduction.about,
            text: heard?.text
        )
    }
}
