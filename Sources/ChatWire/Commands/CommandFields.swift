import SquallCore

// Parameters, fields and effects that several commands share.

extension ClientCommand {
    static let conversation = text("conversation", example: "stukov", "The name of the conversation.")

    static let down = optionalDuration(
        "down",
        "The time until the app starts again; if omitted, it does not start again."
    )

    /// The fields that describe the push notification to which a command refers.
    package static let pushFields: [CommandField] = [
        .filledIn("user", example: "anna", "The user who is notified."),
        .filledIn("conversation", example: "stukov", "The conversation of the message."),
        .filledIn("message", example: "m-41", "The message's server-assigned id."),
        .filledIn("sender", example: "stukov", "The user who wrote it."),
        .filledIn("text", example: "hello", "The text of the message."),
    ]

    /// The observables and events that depend on a sent message.
    static let messageNames = [
        "message", "stored", "sent", "received", "requested", "send", "confirm", "message_ack", "client.accepted",
        "dropped_duplicate", "message.status",
    ]

    static let uploadNames = [
        "shared", "handed_over", "uploaded", "upload_part", "uploads.pending", "state", "progress", "chunk_size",
        "requested.upload", "answered.upload",
    ]

    /// The observables and events that depend on the image preview or on an image message, which is always sent from
    /// the preview.
    static let imageNames =
        messageNames + [
            "preview.file", "preview.bytes", "preview.source", "attached", "conversation.messages", "view.rows",
            "message.kind", "image.state", "image.width", "image.height", "image.progress", "image_cache.bytes",
            "uploaded", "upload_part", "progress", "requested.upload", "answered.upload", "answered.send",
        ]
}

extension CommandField {
    package static let clientMessageID = filledIn(
        "client_message_id",
        required: false,
        example: "c-12",
        "The message's id, from the client's `ok`."
    )
}

extension Push {
    /// The values of the fields that describe a command's push notification.
    package var fields: [String: String] {
        ["user": user, "conversation": conversation, "message": message, "sender": sender, "text": text]
    }
}
