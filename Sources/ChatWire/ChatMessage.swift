/// One chat message as the server stores and sends it.
package struct ChatMessage: Hashable, Sendable {
    /// The server-assigned ID, which is never reused.
    package var id: String
    package var conversation: String
    package var sender: String
    /// The server's sequence number: increases by one for each stored message, across all conversations, from 1.
    package var sequence: Int64
    /// The time at which the server stored the message, in milliseconds since 1970 on the server's clock.
    package var timestamp: Int64
    /// The timestamp as received on the wire; nil if it is in the format that Squall itself writes.
    package var writtenTime: String?
    package var text: String
    /// Whether the server has shortened the text.
    package var isTruncated: Bool
    /// The idempotency key assigned by the sender; nil if there is none.
    package var clientMessageID: String?
    package var media: MessageMedia?
    /// Whether the message was deleted. A deleted message keeps only its position in the conversation. In records from
    /// older versions, this is nil, meaning not deleted.
    package var isDeleted: Bool?
    /// The time at which the message was deleted, in milliseconds since 1970 on the server's clock.
    package var deletedAt: Int64?
    package var deletedBy: String?

    package init(
        id: String,
        conversation: String,
        sender: String,
        sequence: Int64,
        timestamp: Int64,
        text: String,
        isTruncated: Bool = false,
        clientMessageID: String? = nil,
        media: MessageMedia? = nil,
        isDeleted: Bool? = nil,
        deletedAt: Int64? = nil,
        deletedBy: String? = nil
    ) {
        self.id = id
        self.conversation = conversation
        self.sender = sender
        self.sequence = sequence
        self.timestamp = timestamp
        self.text = text
        self.isTruncated = isTruncated
        self.clientMessageID = clientMessageID
        self.media = media
        self.isDeleted = isDeleted
        self.deletedAt = deletedAt
        self.deletedBy = deletedBy
    }
}
