extension ServerFrame.ServerError: WireObject {
    package static let shape = ObjectShape(
        "error",
        "The body of every response with a status of 400 or above: the `error` frame without its type.",
        [
            .needs(.code, .text, "One of the error codes below, or one that the client does not know."),
            .needs(.message, .text, "A human-readable text."),
            .may(.retryAfter, .milliseconds, "How long to wait before the next attempt."),
            .may(.clientMessageID, .text, "The id of the send that the error answers."),
            .extra(.id, .text, "The error's id: a second frame with the same id on a connection has no effect."),
        ]
    )

    package func write(to writer: inout ObjectWriter) {
        writer.put(.code, code.word)
        writer.put(.message, message)
        writer.put(.retryAfter, retryAfter)
        writer.put(.clientMessageID, clientMessageID)
        writer.put(.id, id)
    }

    package init(from reader: inout ObjectReader) throws(Malformed) {
        code = ErrorCode(try reader.text(.code))
        message = try reader.text(.message)
        retryAfter = try reader.spanIfAny(.retryAfter)
        clientMessageID = try reader.textIfAny(.clientMessageID)
        id = reader.textIfFit(.id)
    }
}
