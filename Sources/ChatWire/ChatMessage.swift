/// One chat message as the server stores and sends it.
package struct ChatMessage: Hashable, Sendable {
    /// The server's id, which is never reused.
    package var id: String
    package var conversation: String
    package var sender: String
    /// The server's sequence number: increases by one for each stored message, across all conversations, from 1.
    package var sequence: Int64
    /// The server's clock when it stored the message, in milliseconds since 1970.
    package var timestamp: Int64
    /// The timestamp's text on the wire, if it differs from the form that the protocol writes.
    package var writtenTime: String?
    package var text: String
    /// Whether the text is only the beginning of a longer one.
    package var isTruncated: Bool
    /// The sender's id, if the sender gave one: the idempotency key.
    package var clientMessageID: String?
    package var media: MessageMedia?
    /// Whether the message was deleted and only its place remains. Nil, as in older records, means not deleted.
    package var isDeleted: Bool?
    /// The server's clock when the message was deleted, in milliseconds since 1970.
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
