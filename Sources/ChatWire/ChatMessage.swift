/// One chat message as the server keeps and sends it.
package struct ChatMessage: Hashable, Sendable {
    /// Given by the server, unique for ever.
    package var id: String
    package var conversation: String
    package var sender: String
    /// Given by the server, growing by one for each message it stores, over all conversations, from 1.
    package var sequence: Int64
    /// The server's clock when it stored the message, in milliseconds since 1970.
    package var timestamp: Int64
    /// The time as it stood on the wire, where that is a text of another form than the protocol writes.
    package var writtenTime: String?
    package var text: String
    /// Whether the text is only the beginning of a longer one.
    package var isTruncated: Bool
    /// The sender's own id, where the sender gave one: the idempotency key.
    package var clientMessageID: String?
    package var media: MessageMedia?
    /// What is left of a deleted message is its place; nil where the record says nothing, as older ones do: not deleted.
    package var isDeleted: Bool?
    /// The server's clock when it was deleted, in milliseconds since 1970.
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
