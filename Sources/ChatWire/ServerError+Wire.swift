extension ServerFrame.ServerError: WireObject {
    package static let shape = ObjectShape(
        "error",
        "The body of every answer of 400 and above: the `error` frame without its type.",
        [
            .needs(.code, .text, "One of the error codes below, or one that this client does not know."),
            .needs(.message, .text, "For a reader."),
            .may(.retryAfter, .milliseconds, "How long to wait before the next try."),
            .may(.clientMessageID, .text, "That of the send it answers."),
        ]
    )

    package func write(to writer: inout ObjectWriter) {
        writer.put(.code, code.word)
        writer.put(.message, message)
        writer.put(.retryAfter, retryAfter)
        writer.put(.clientMessageID, clientMessageID)
    }

    package init(from reader: inout ObjectReader) throws(Malformed) {
        code = ErrorCode(try reader.text(.code))
        message = try reader.text(.message)
        retryAfter = try reader.spanIfAny(.retryAfter)
        clientMessageID = try reader.textIfAny(.clientMessageID)
    }
}
