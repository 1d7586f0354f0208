extension ChatMessage: WireObject {
    package static let shape = ObjectShape(
        "message",
        "One message as the server stores it.",
        [
            .needs(.messageID, .text, "The server-assigned id, which is never reused."),
            .may(.clientMessageID, .text, "The id that the sender has assigned, if any."),
            .needs(.conversationID, .text, "The conversation."),
            .needs(.senderID, .text, "The user who wrote it."),
            .needs(
                .sequence,
                .count,
                "The sequence number: increases by one for each stored message, across all conversations, from 1."
            ),
            .needs(.timestamp, .timestamp, "The server's clock when it stored the message."),
            .needs(.text, .text, "The text."),
            .may(.truncated, .flag, "Whether the text is truncated because the message exceeds the client's limit."),
        ] + MessageMedia.fields + [
            .extra(
                .isDeleted,
                .flag,
                "Whether the message was deleted. Its text is then empty, and it keeps its position."
            ),
            .extra(.deletedAt, .timestamp, "The server's clock when the message was deleted."),
            .extra(.deletedBy, .text, "The user who deleted it."),
        ]
    )

    package func write(to writer: inout ObjectWriter) {
        writer.put(.messageID, id)
        writer.put(.clientMessageID, clientMessageID)
        writer.put(.conversationID, conversation)
        writer.put(.senderID, sender)
        writer.put(.sequence, sequence)
        if let writtenTime { writer.put(.timestamp, writtenTime) } else { writer.put(.timestamp, moment: timestamp) }
        writer.put(.text, text)
        if isTruncated { writer.put(.truncated, true) }
        media?.write(to: &writer)
        guard let isDeleted else { return }
        writer.put(.isDeleted, isDeleted)
        writer.put(.deletedAt, moment: deletedAt)
        writer.put(.deletedBy, deletedBy)
    }

    package init(from reader: inout ObjectReader) throws(Malformed) {
        id = try reader.text(.messageID)
        clientMessageID = try reader.textIfAny(.clientMessageID)
        conversation = try reader.text(.conversationID)
        sender = try reader.text(.senderID)
        sequence = try reader.count(.sequence)
        (timestamp, writtenTime) = try reader.momentAsWritten(.timestamp)
        text = try reader.text(.text)
        isTruncated = try reader.flagIfAny(.truncated) ?? false
        media = MessageMedia.read(from: &reader)
        isDeleted = reader.flagIfFit(.isDeleted)
        deletedAt = isDeleted == true ? reader.momentIfFit(.deletedAt) : nil
        deletedBy = isDeleted == true ? reader.textIfFit(.deletedBy) : nil
    }
}
