/// The number of messages in one conversation that a user has not read.
package struct UnreadCount: Hashable, Sendable {
    package var conversation: String
    package var unread: Int64
    /// The sequence number of the newest message included in the count; nil if unknown.
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
        "The number of messages in one conversation that this user has not read.",
        [
            .needs(.conversationID, .text, "The conversation."),
            .needs(.unread, .count, "The number of messages stored after the last one read, without the user's own."),
            .extra(.sequence, .count, "The `seq` of the conversation's newest message at the time of the count."),
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

/// The response body of the unread route.
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
        [
            .needs(
                .conversations,
                .list(of: UnreadCount.shape.name),
                "The counts. A missing conversation has no unread messages."
            )
        ]
    )

    package func write(to writer: inout ObjectWriter) {
        writer.put(.conversations, counts)
    }

    package init(from reader: inout ObjectReader) throws(Malformed) {
        counts = try reader.list(.conversations)
    }
}
