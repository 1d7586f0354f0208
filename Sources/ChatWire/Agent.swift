/// Somebody who can be written to.
package struct Agent: Hashable, Sendable {
    package var user: String
    /// The conversation to write into.
    package var conversation: String
    package var name: String
    package var status: PresenceStatus
    /// Milliseconds since 1970 on the server's clock.
    package var lastSeen: Int64?
    /// Who that is, in a line.
    package var about: String?
    /// The status in words.
    package var text: String?

    package init(
        user: String,
        conversation: String,
        name: String,
        status: PresenceStatus,
        lastSeen: Int64? = nil,
        about: String? = nil,
        text: String? = nil
    ) {
        self.user = user
        self.conversation = conversation
        self.name = name
        self.status = status
        self.lastSeen = lastSeen
        self.about = about
        self.text = text
    }
}

extension Agent: WireObject {
    package static let shape = ObjectShape(
        "agent",
        "Somebody who can be written to.",
        [
            .needs(.userID, .text, "Who."),
            .needs(.conversationID, .text, "The conversation to write into; a group's, where several have the same."),
            .needs(.name, .text, "What to call them."),
            .needs(.status, .word(PresenceStatus.allCases.map(\.rawValue)), "How reachable they are now."),
            .may(.lastSeen, .timestamp, "When last reachable."),
            .extra(.about, .text, "Who that is, in a line."),
            .extra(.statusText, .text, "What they are at, in words."),
        ]
    )

    package func write(to writer: inout ObjectWriter) {
        writer.put(.userID, user)
        writer.put(.conversationID, conversation)
        writer.put(.name, name)
        writer.put(.status, status.rawValue)
        writer.put(.lastSeen, moment: lastSeen)
        if let about { writer.put(.about, about) }
        writer.put(.statusText, text)
    }

    package init(from reader: inout ObjectReader) throws(Malformed) {
        user = try reader.text(.userID)
        conversation = try reader.text(.conversationID)
        name = try reader.text(.name)
        status = try reader.word(.status, as: PresenceStatus.self)
        lastSeen = try reader.momentIfAny(.lastSeen)
        about = reader.textIfFit(.about)
        text = reader.textIfFit(.statusText)
    }
}

/// The answer of the agents route.
package struct AgentList: Hashable, Sendable {
    package var agents: [Agent]

    package init(_ agents: [Agent]) {
        self.agents = agents
    }
}

extension AgentList: WireObject {
    package static let shape = ObjectShape(
        "agent list",
        "Everybody who can be written to.",
        [.needs(.agents, .list(of: Agent.shape.name), "In the server's order.")]
    )

    package func write(to writer: inout ObjectWriter) {
        writer.put(.agents, agents)
    }

    package init(from reader: inout ObjectReader) throws(Malformed) {
        agents = try reader.list(.agents)
    }
}
