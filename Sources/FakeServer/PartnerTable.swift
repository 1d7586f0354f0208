package import ChatWire
package import SquallCore

/// A user that clients can write to before there is any message in the conversation.
package struct Introduction: Hashable, Sendable {
    /// The ID that the user and the conversation share.
    package var id: String
    /// The display name; nil to display the id.
    package var name: String?
    package var status: PresenceStatus
    package var about: String?
    /// How long ago the user was last online, as of the start of the run.
    package var lastSeen: TimeSpan?
}

/// The introduced users, in order of first introduction. A repeated introduction replaces the earlier one.
struct PartnerTable: Hashable, Sendable {
    private(set) var introductions: [Introduction] = []

    mutating func add(_ introduction: Introduction) {
        if let index = introductions.firstIndex(where: { $0.id == introduction.id }) {
            introductions[index] = introduction
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
    /// Returns the agents that `user` can write to: the introduced ones first, then all others.
    func agents(for user: String) -> [Agent] {
        let introduced = partners.introductions.map(agent)
        let known = Set(introduced.map(\.user))
        // An introduced user may also be a member of a group, in whose conversation other clients reach them too.
        return introduced + unintroduced(for: user).filter { $0.conversation != $0.user || !known.contains($0.user) }
    }

    /// Creates the agent for an introduced user. A presence that was set later takes precedence over the introduction.
    private func agent(_ introduction: Introduction) -> Agent {
        let heard = presence.entries[introduction.id]
        return Agent(
            user: introduction.id,
            conversation: introduction.id,
            name: introduction.name ?? introduction.id,
            status: heard?.status ?? introduction.status,
            lastSeen: heard?.lastSeen ?? lastSeen(of: introduction),
            about: introduction.about,
            text: heard?.text
        )
    }

    /// The time at which an introduced user was last online, in milliseconds since 1970; nil if it is unknown.
    func lastSeen(of introduction: Introduction) -> Int64? {
        introduction.lastSeen.map { profile.clock.epoch - max($0, .zero).nanoseconds / 1_000_000 }
    }
}
