extension ChatMessage: WireObject {
    package static let shape = ObjectShape(
        "message",
        "One message as the server keeps it.",
        [
            .needs(.messageID, .text, "Given by the server, unique for ever."),
            .may(.clientMessageID, .text, "The sender's own id, where the sender gave one."),
            .needs(.conversationID, .text, "Where it belongs."),
            .needs(.senderID, .text, "Who wrote it."),
            .needs(.sequence, .count, "Growing by one for each message stored, over all conversations, from 1."),
            .needs(.timestamp, .timestamp, "The server's clock when it stored the message."),
            .needs(.text, .text, "What it says."),
            .may(.truncated, .flag, "Whether that is only the beginning: the whole was more than the client takes."),
        ] + MessageMedia.fields + [
            .extra(.isDeleted, .flag, "Whether it was deleted: its text is empty then, and its place is kept."),
            .extra(.deletedAt, .timestamp, "The server's clock when it was deleted."),
            .extra(.deletedBy, .text, "Who deleted it."),
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
