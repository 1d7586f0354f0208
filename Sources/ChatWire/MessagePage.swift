/// Consecutive messages of one conversation, in ascending order of sequence number.
package struct MessagePage: Hashable, Sendable {
    package var messages: [ChatMessage]
    /// Whether there are older messages beyond the page, or newer ones if the request had `after`.
    package var hasMore: Bool

    package init(messages: [ChatMessage], hasMore: Bool) {
        self.messages = messages
        self.hasMore = hasMore
    }
}

extension MessagePage: WireObject {
    package static let shape = ObjectShape(
        "message page",
        "Consecutive messages of one conversation.",
        [
            .needs(.messages, .list(of: ChatMessage.shape.name), "The messages by ascending `seq`; may be empty."),
            .needs(.hasMore, .flag, "Whether there are older messages, or newer ones if the request had `after`."),
        ]
    )

    package func write(to writer: inout ObjectWriter) {
        writer.put(.messages, messages)
        writer.put(.hasMore, hasMore)
    }

    package init(from reader: inout ObjectReader) throws(Malformed) {
        messages = try reader.list(.messages)
        hasMore = try reader.flag(.hasMore)
    }
}
