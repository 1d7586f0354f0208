/// One entry of a conversation list.
package struct ConversationSummary: Hashable, Sendable {
    package var id: String
    package var name: String
    /// The number of messages that this user has not read; nil in records from older servers.
    package var unread: Int64?
    package var lastMessage: ChatMessage?

    package init(id: String, name: String, unread: Int64?, lastMessage: ChatMessage? = nil) {
        self.id = id
        self.name = name
        self.unread = unread
        self.lastMessage = lastMessage
    }
}

extension ConversationSummary: WireObject {
    package static let shape = ObjectShape(
        "conversation",
        "One entry of a conversation list.",
        [
            .needs(.conversationID, .text, "The conversation's id."),
            .needs(.name, .text, "The display name."),
            .may(.unread, .count, "The number of messages that this user has not read; missing on older servers."),
            .may(.lastMessage, .object(ChatMessage.shape.name), "The newest message, if there is one."),
        ]
    )

    package func write(to writer: inout ObjectWriter) {
        writer.put(.conversationID, id)
        writer.put(.name, name)
        if let unread { writer.put(.unread, unread) }
        if let lastMessage { writer.put(.lastMessage, lastMessage) }
    }

    package init(from reader: inout ObjectReader) throws(Malformed) {
        id = try reader.text(.conversationID)
        name = try reader.text(.name)
        unread = try reader.countIfAny(.unread)
        lastMessage = try reader.objectIfAny(.lastMessage)
    }
}

/// The response body of the conversations route.
package struct ConversationList: Hashable, Sendable {
    package var conversations: [ConversationSummary]

    package init(_ conversations: [ConversationSummary]) {
        self.conversations = conversations
    }
}

extension ConversationList: WireObject {
    package static let shape = ObjectShape(
        "conversation list",
        "All conversations of a user.",
        [
            .needs(
                .conversations,
                .list(of: ConversationSummary.shape.name),
                "The conversations, the one with the newest message first."
            )
        ]
    )

    package func write(to writer: inout ObjectWriter) {
        writer.put(.conversations, conversations)
    }

    package init(from reader: inout ObjectReader) throws(Malformed) {
        conversations = try reader.list(.conversations)
    }
}
