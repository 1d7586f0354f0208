extension ServerFrame.Confirmation: WireObject {
    package static let shape = ObjectShape(
        "confirmation",
        "A sent message is stored.",
        [
            .needs(.clientMessageID, .text, "That of the send it answers; empty where it had none."),
            .needs(.messageID, .text, "The server's id of the message."),
            .needs(.sequence, .count, "Its place in the order of all messages."),
            .needs(.timestamp, .timestamp, "The server's clock when it stored the message."),
            .needs(.duplicate, .flag, "True when it had been stored before: the repeat changed nothing."),
        ]
    )

    package func write(to writer: inout ObjectWriter) {
        writer.put(.clientMessageID, clientMessageID)
        writer.put(.messageID, messageID)
        writer.put(.sequence, sequence)
        writer.put(.timestamp, moment: timestamp)
        writer.put(.duplicate, duplicate)
    }

    package init(from reader: inout ObjectReader) throws(Malformed) {
        clientMessageID = try reader.text(.clientMessageID)
        messageID = try reader.text(.messageID)
        sequence = try reader.count(.sequence)
        timestamp = try reader.moment(.timestamp)
        duplicate = try reader.flag(.duplicate)
    }
}
