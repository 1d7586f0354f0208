/// How many messages of one conversation a user has not read.
package struct UnreadCount: Hashable, Sendable {
    package var conversation: String
    package var unread: Int64
    /// The newest message that was looked at; what is newer is not in the count.
    package var sequence: Int64?

    package init(conversation: String, unread: Int64, sequence: Int64? = nil) {
        self.conversation = conversation
        self.unread = unread
        self.sequence = sequence
    }
}

extension UnreadCount: WireObject {
    package static let shape = ObjectShape(
        "unread count",
        "How many messages of one conversation this user has not read.",
        [
            .needs(.conversationID, .text, "The conversation."),
            .needs(.unread, .count, "Messages stored after the last one read, the user's own not counted."),
            .extra(.sequence, .count, "The `seq` of the conversation's newest message when they were counted."),
        ]
    )

    package func write(to writer: inout ObjectWriter) {
        writer.put(.conversationID, conversation)
        writer.put(.unread, unread)
        if let sequence { writer.put(.sequence, sequence) }
    }

    package init(from reader: inout ObjectReader) throws(Malformed) {
        conversation = try reader.text(.conversationID)
        unread = try reader.count(.unread)
        sequence = reader.countIfFit(.sequence)
    }
}

/// The answer of the unread route.
package struct UnreadCounts: Hashable, Sendable {
    package var counts: [UnreadCount]

    package init(_ counts: [UnreadCount]) {
        self.counts = counts
    }
}

extension UnreadCounts: WireObject {
    package static let shape = ObjectShape(
        "unread counts",
        "The unread count of every conversation of a user.",
        [.needs(.conversations, .list(of: UnreadCount.shape.name), "A conversation that is missing has none.")]
    )

    package func write(to writer: inout ObjectWriter) {
        writer.put(.conversations, counts)
    }

    package init(from reader: inout ObjectReader) throws(Malformed) {
        counts = try reader.list(.conversations)
    }
}
