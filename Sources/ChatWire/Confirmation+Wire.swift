extension ServerFrame.Confirmation: WireObject {
    package static let shape = ObjectShape(
        "confirmation",
        "Confirms that a sent message is stored.",
        [
            .needs(.clientMessageID, .text, "The id of the confirmed send; empty if it had none."),
            .needs(.messageID, .text, "The message's server-assigned id."),
            .needs(.sequence, .count, "The sequence number of the message."),
            .needs(.timestamp, .timestamp, "The server's clock when it stored the message."),
            .needs(.duplicate, .flag, "True if the message had been stored before, so that the repeat had no effect."),
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
