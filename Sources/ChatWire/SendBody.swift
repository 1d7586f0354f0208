/// The body of a message sent over HTTP. The conversation is in the path.
package struct SendBody: Hashable, Sendable {
    /// The idempotency key; nil if the client sends none. It is the same as on the WebSocket, so a message may be
    /// resent over either transport.
    package var clientMessageID: String?
    package var text: String
    package var media: MessageMedia?

    package init(clientMessageID: String?, text: String, media: MessageMedia? = nil) {
        self.clientMessageID = clientMessageID
        self.text = text
        self.media = media
    }
}

extension SendBody: WireObject {
    package static let shape = ObjectShape(
        "send body",
        "A message of the user, for the conversation in the path.",
        [
            .may(.clientMessageID, .text, "The idempotency key, the same as on the WebSocket."),
            .needs(.text, .text, "The text."),
        ] + MessageMedia.fields
    )

    package func write(to writer: inout ObjectWriter) {
        writer.put(.clientMessageID, clientMessageID)
        writer.put(.text, text)
        media?.write(to: &writer)
    }

    package init(from reader: inout ObjectReader) throws(Malformed) {
        clientMessageID = try reader.textIfAny(.clientMessageID)
        text = try reader.text(.text)
        media = MessageMedia.read(from: &reader)
    }
}
