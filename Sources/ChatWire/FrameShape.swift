/// The sender of a frame: the client or the server.
package enum FrameOrigin: String, Hashable, Sendable, CaseIterable {
    case client, server
}

/// Describes a frame for the documentation, the validation of profiles, and the tests.
package struct FrameShape: Hashable, Sendable {
    package let role: FrameRole
    package let origin: FrameOrigin
    package let meaning: String
    /// All fields except `type`, which is the first field of every frame.
    package let fields: [FieldShape]

    init(_ role: FrameRole, by origin: FrameOrigin, _ meaning: String, _ fields: [FieldShape]) {
        self.role = role
        self.origin = origin
        self.meaning = meaning
        self.fields = fields
    }

    /// All frames: the client's, then the server's, both in the order in which they occur on a connection.
    package static let all: [FrameShape] = client + server

    /// The fields that the conformance tests require, excluding those of optional features.
    package var testedFields: [FieldShape] { fields.filter { !$0.isExtra } }

    var allFields: [WireField] { [.type] + fields.map(\.field) }
}

extension FrameShape {
    private static let client: [FrameShape] = [
        FrameShape(
            .connect,
            by: .client,
            "The client's first frame, in answer to `hello`.",
            [
                .needs(.apiKey, .text, "The key that identifies the user."),
                .may(.sessionID, .text, "The session of an earlier `connected`, to resume it."),
                .may(
                    .maxMessageSize,
                    .count,
                    "The largest message that the client accepts, in bytes; default: no limit."
                ),
                .may(.nonce, .text, "A random value for this login only, if the server rejects replayed logins."),
                .may(.timestamp, .timestamp, "When this login was created; required with `nonce`."),
            ]
        ),
        FrameShape(
            .ping,
            by: .client,
            "Checks that the server responds. Allowed at any time, even before `connected`.",
            [.may(.id, .text, "An id that the `pong` repeats.")]
        ),
        FrameShape(
            .pong,
            by: .client,
            "Answers a `ping` of the server. The built-in protocol does not need it; a profile's own may.",
            [.may(.id, .text, "The id of the `ping`.")]
        ),
        FrameShape(
            .send,
            by: .client,
            "Sends a message of the user.",
            [
                .may(.clientMessageID, .text, "The idempotency key: created by the client, the same at every repeat."),
                .needs(.conversationID, .text, "The conversation."),
                .needs(.text, .text, "The text."),
            ] + MessageMedia.fields
        ),
        FrameShape(
            .messageAck,
            by: .client,
            "Acknowledges a message that the client has processed, so that the server need not replay it.",
            [.needs(.messageID, .text, "The server's id of the message.")]
        ),
        FrameShape(
            .sync,
            by: .client,
            "Requests every message stored after the last one seen. The server answers with `replay`.",
            [.needs(.lastSequenceSeen, .count, "The highest `seq` that the client has; 0 if it has none.")]
        ),
        FrameShape(
            .readReceipt,
            by: .client,
            "The user has read a conversation up to a message.",
            [
                .needs(.conversationID, .text, "The conversation."),
                .needs(.messageID, .text, "The server's id of the newest message read."),
            ]
        ),
        FrameShape(
            .typing,
            by: .client,
            "The user begins or stops typing.",
            [
                .needs(.conversationID, .text, "The conversation."),
                .needs(.active, .flag, "True when typing begins, false when it stops."),
            ]
        ),
        FrameShape(
            .executeCommand,
            by: .client,
            "Runs a command, once for each frame: a client without an answer must not repeat it by itself.",
            [.needs(.text, .text, "The command.")]
        ),
        FrameShape(
            .stop,
            by: .client,
            "Stops the prompt of a conversation, or a command. Succeeds even if nothing is running, so that it can be "
                + "repeated.",
            [.needs(.id, .text, "The id of the conversation, or the id from `command_started`.")]
        ),
    ]

    private static let server: [FrameShape] = [
        FrameShape(
            .hello,
            by: .server,
            "The first frame of a connection, sent by the server.",
            [
                .needs(.version, .text, "The version of this protocol that the server uses."),
                .needs(
                    .authVersion,
                    .count,
                    "The version of the login. A client that supports only a lower version warns its user."
                ),
                .may(
                    .heartbeatInterval,
                    .milliseconds,
                    "The interval between the client's pings; default: the client's choice."
                ),
            ]
        ),
        FrameShape(
            .connected,
            by: .server,
            "The key is accepted. From now on the client may send every frame.",
            [
                .needs(.sessionID, .text, "The session, to be resumed with the next `connect`."),
                .needs(.resumed, .flag, "Whether the requested session was resumed."),
                .needs(.lastSequence, .count, "The `seq` of the newest stored message; 0 if there is none."),
                .extra(.userID, .text, "The user that the client acts for, if it is not the client's own name."),
                .extra(.timestamp, .timestamp, "The server's clock, if the server announces it."),
            ]
        ),
        FrameShape(
            .authError,
            by: .server,
            "The key is rejected. The server closes the connection with 1008.",
            [.needs(.message, .text, "A text for people.")]
        ),
        FrameShape(
            .ping,
            by: .server,
            "The server's heartbeat, which shows that the connection works. No frame answers it.",
            [.may(.id, .text, "An id that distinguishes heartbeats.")]
        ),
        FrameShape(
            .pong,
            by: .server,
            "Answers a `ping`: the one with the same id, or the oldest unanswered one.",
            [
                .may(.id, .text, "The id of the `ping`."),
                .extra(.timestamp, .timestamp, "The server's clock, if the server announces it."),
            ]
        ),
        FrameShape(
            .confirm,
            by: .server,
            "Confirms to its sender that a message is stored.",
            ServerFrame.Confirmation.shape.fields
        ),
        FrameShape(
            .message,
            by: .server,
            "A new message in one of the user's conversations.",
            ChatMessage.shape.fields
        ),
        FrameShape(
            .replay,
            by: .server,
            "The missed messages, as an answer to `sync` or because they were never acknowledged.",
            [
                .needs(.messages, .list(of: ChatMessage.shape.name), "The messages by ascending `seq`; may be empty."),
                .needs(
                    .complete,
                    .flag,
                    "False if older messages have left the buffer and are available only over HTTP."
                ),
                .needs(.lastSequence, .count, "The `seq` of the newest stored message; 0 if there is none."),
            ]
        ),
        FrameShape(
            .readReceipt,
            by: .server,
            "Another user has read a conversation up to a message. Sent again after the `replay` to a client that was "
                + "away.",
            [
                .needs(.conversationID, .text, "The conversation."),
                .needs(.messageID, .text, "The newest message read."),
                .needs(.readerID, .text, "The user who has read it."),
            ]
        ),
        FrameShape(
            .typing,
            by: .server,
            "Another user begins or stops typing.",
            [
                .needs(.conversationID, .text, "The conversation."),
                .needs(.userID, .text, "The user."),
                .needs(.active, .flag, "True when typing begins, false when it stops."),
            ]
        ),
        FrameShape(
            .token,
            by: .server,
            "One piece of a message that is being written. The complete message follows as `message`.",
            [
                .needs(.conversationID, .text, "The conversation."),
                .needs(.messageID, .text, "The id of the message that is being written."),
                .needs(.index, .count, "The position of this piece, from 0, without gaps."),
                .needs(.text, .text, "The text to append."),
                .needs(.final, .flag, "True for the last piece."),
            ]
        ),
        FrameShape(
            .presence,
            by: .server,
            "The new presence of another user.",
            [
                .needs(.userID, .text, "The user."),
                .needs(.status, .word(PresenceStatus.allCases.map(\.rawValue)), "The new status."),
                .may(.lastSeen, .timestamp, "When the user was last online."),
                .extra(.since, .timestamp, "When the status began."),
                .extra(.statusText, .text, "The status in words."),
            ]
        ),
        FrameShape(
            .error,
            by: .server,
            "A request was rejected or has failed.",
            ServerFrame.ServerError.shape.fields
        ),
        FrameShape(
            .draining,
            by: .server,
            "The server will stop and close with 1001 soon.",
            [
                .needs(.message, .text, "A text for people."),
                .may(.retryAfter, .milliseconds, "How long to wait before reconnecting."),
            ]
        ),
        FrameShape(
            .commandStarted,
            by: .server,
            "A command has started.",
            [
                .needs(.id, .text, "The command's id: `cmd-` and a new UUID."),
                .needs(.text, .text, "The command."),
            ]
        ),
        FrameShape(
            .stopped,
            by: .server,
            "Answers `stop`: neither a prompt nor a command with this id is running.",
            [.needs(.id, .text, "The id of the `stop`.")]
        ),
        FrameShape(
            .deleted,
            by: .server,
            "A message was deleted: its place is kept, its text is removed. Sent again after the `replay` to a client "
                + "that was away.",
            [
                .needs(.conversationID, .text, "The conversation."),
                .needs(.messageID, .text, "The server's id of the message."),
                .needs(.deletedAt, .timestamp, "The server's clock when the message was deleted."),
                .needs(.deletedBy, .text, "The user who deleted it."),
            ]
        ),
    ]
}
