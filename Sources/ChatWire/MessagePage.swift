/// A run of one conversation's messages, by ascending sequence.
package struct MessagePage: Hashable, Sendable {
    package var messages: [ChatMessage]
    /// Whether there are more beyond the page: older ones, or newer ones where the request said `after`.
    package var hasMore: Bool

    package init(messages: [ChatMessage], hasMore: Bool) {
        self.messages = messages
        self.hasMore = hasMore
    }
}

extension MessagePage: WireObject {
    package static let shape = ObjectShape(
        "message page",
        "A run of one conversation's messages.",
        [
            .needs(.messages, .list(of: ChatMessage.shape.name), "By ascending `seq`; may be empty."),
            .needs(.hasMore, .flag, "Whether there are older ones, or newer ones where the request said `after`."),
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
