/// A user or a bot that clients can send messages to.
package struct Agent: Hashable, Sendable {
    package var user: String
    /// The conversation for messages to this agent.
    package var conversation: String
    package var name: String
    package var status: PresenceStatus
    /// The time at which the agent was last online, in milliseconds since 1970 on the server's clock; nil if unknown.
    package var lastSeen: Int64?
    /// A one-line description of the agent; nil if there is none.
    package var about: String?
    /// The agent's status text; nil if there is none.
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
        "A user or a bot that clients can write to.",
        [
            .needs(.userID, .text, "The agent's user id."),
            .needs(
                .conversationID,
                .text,
                "The conversation for messages to this agent. Agents with the same one are members of a group."
            ),
            .needs(.name, .text, "The display name."),
            .needs(.status, .word(PresenceStatus.allCases.map(\.rawValue)), "The current status."),
            .may(.lastSeen, .timestamp, "When the agent was last online."),
            .extra(.about, .text, "One line about the agent."),
            .extra(.statusText, .text, "The status in words."),
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

/// The response body of the agents route.
package struct AgentList: Hashable, Sendable {
    package var agents: [Agent]

    package init(_ agents: [Agent]) {
        self.agents = agents
    }
}

extension AgentList: WireObject {
    package static let shape = ObjectShape(
        "agent list",
        "All agents that clients can write to.",
        [.needs(.agents, .list(of: Agent.shape.name), "The agents in the server's order.")]
    )

    package func write(to writer: inout ObjectWriter) {
        writer.put(.agents, agents)
    }

    package init(from reader: inout ObjectReader) throws(Malformed) {
        agents = try reader.list(.agents)
    }
}
