/// Who says a frame.
package enum Speaker: String, Hashable, Sendable, CaseIterable {
    case client, server
}

/// What one frame says, as the documentation, the profile's check and the tests read it.
package struct FrameShape: Hashable, Sendable {
    package let role: FrameRole
    package let speaker: Speaker
    package let meaning: String
    /// All but `type`, which every frame has first.
    package let fields: [FieldShape]

    init(_ role: FrameRole, by speaker: Speaker, _ meaning: String, _ fields: [FieldShape]) {
        self.role = role
        self.speaker = speaker
        self.meaning = meaning
        self.fields = fields
    }

    /// Every frame: the client's, then the server's, each in the order of a connection's life.
    package static let all: [FrameShape] = client + server

    /// Without what nobody need know.
    package var judged: [FieldShape] { fields.filter { !$0.isExtra } }

    var allFields: [WireField] { [.type] + fields.map(\.field) }
}

extension FrameShape {
    private static let client: [FrameShape] = [
        FrameShape(
            .connect,
            by: .client,
            "The client's first frame, in answer to `hello`.",
            [
                .needs(.apiKey, .text, "The key that says who this is."),
                .may(.sessionID, .text, "The session of an earlier `connected`, to take it up again."),
                .may(.maxMessageSize, .count, "Bytes of the largest message that the client takes; any, unless said."),
                .may(.nonce, .text, "Drawn for this login alone, where the server refuses recorded ones."),
                .may(.timestamp, .timestamp, "When this login was made; with `nonce`."),
            ]
        ),
        FrameShape(
            .ping,
            by: .client,
            "Asks whether the server is there, at any time, before `connected` too.",
            [.may(.id, .text, "Comes back in the `pong`.")]
        ),
        FrameShape(
            .pong,
            by: .client,
            "Answers a `ping` of the server. Nobody needs it here; a profile's own protocol may.",
            [.may(.id, .text, "That of the `ping`.")]
        ),
        FrameShape(
            .send,
            by: .client,
            "A message of the user.",
            [
                .may(.clientMessageID, .text, "Made by the client, the same at every repeat: the idempotency key."),
                .needs(.conversationID, .text, "Where it belongs."),
                .needs(.text, .text, "What it says."),
            ] + MessageMedia.fields
        ),
        FrameShape(
            .messageAck,
            by: .client,
            "The client has processed a message; the server need not replay it.",
            [.needs(.messageID, .text, "The server's id of the message.")]
        ),
        FrameShape(
            .sync,
            by: .client,
            "Asks for every message stored after the last one seen; `replay` answers.",
            [.needs(.lastSequenceSeen, .count, "The highest `seq` the client has; 0 for none.")]
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
                .needs(.conversationID, .text, "Where."),
                .needs(.active, .flag, "True when it begins, false when it stops."),
            ]
        ),
        FrameShape(
            .executeCommand,
            by: .client,
            "Runs a command, once for each time that this is said: a client that has no answer must not repeat it by itself.",
            [.needs(.text, .text, "The command.")]
        ),
        FrameShape(
            .stop,
            by: .client,
            "Ends the prompt of a conversation, or a command. Succeeds where there is none, as often as it is said.",
            [.needs(.id, .text, "The conversation's, or that of `command_started`.")]
        ),
    ]

    private static let server: [FrameShape] = [
        FrameShape(
            .hello,
            by: .server,
            "The first frame of a connection.",
            [
                .needs(.version, .text, "Of this protocol, as the server speaks it."),
                .needs(.authVersion, .count, "Of the login. One higher than the client knows is shown to the user."),
                .may(.heartbeatInterval, .milliseconds, "Between two pings of the client; where absent, as it likes."),
            ]
        ),
        FrameShape(
            .connected,
            by: .server,
            "The key is accepted: everything may be said now.",
            [
                .needs(.sessionID, .text, "To be given in the next `connect`."),
                .needs(.resumed, .flag, "Whether the session asked for was taken up again."),
                .needs(.lastSequence, .count, "The `seq` of the newest message stored; 0 for none."),
                .extra(.userID, .text, "For whom the client acts, where that is not the client's own name."),
            ]
        ),
        FrameShape(
            .authError,
            by: .server,
            "The key is refused. The server closes with 1008.",
            [.needs(.message, .text, "For a reader.")]
        ),
        FrameShape(
            .ping,
            by: .server,
            "The server's heartbeat: shows that the link lives. No frame answers it.",
            [.may(.id, .text, "Tells heartbeats apart.")]
        ),
        FrameShape(
            .pong,
            by: .server,
            "Answers a `ping`, the oldest unanswered one where no id says which.",
            [.may(.id, .text, "That of the `ping`.")]
        ),
        FrameShape(
            .confirm,
            by: .server,
            "A sent message is stored. To its sender only.",
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
            "The messages missed, in answer to `sync` or because they were never acknowledged.",
            [
                .needs(.messages, .list(of: ChatMessage.shape.name), "By ascending `seq`; may be empty."),
                .needs(.complete, .flag, "False when older ones are gone from the buffer: only HTTP has them."),
                .needs(.lastSequence, .count, "The `seq` of the newest message stored; 0 for none."),
            ]
        ),
        FrameShape(
            .readReceipt,
            by: .server,
            "Somebody else has read a conversation up to a message.",
            [
                .needs(.conversationID, .text, "The conversation."),
                .needs(.messageID, .text, "The newest message read."),
                .needs(.readerID, .text, "Who read."),
            ]
        ),
        FrameShape(
            .typing,
            by: .server,
            "Somebody else begins or stops typing.",
            [
                .needs(.conversationID, .text, "Where."),
                .needs(.userID, .text, "Who."),
                .needs(.active, .flag, "True when it begins, false when it stops."),
            ]
        ),
        FrameShape(
            .token,
            by: .server,
            "One piece of a message that is being written. The whole follows as `message`.",
            [
                .needs(.conversationID, .text, "Where."),
                .needs(.messageID, .text, "Of the message being written."),
                .needs(.index, .count, "The place of this piece, from 0, without gaps."),
                .needs(.text, .text, "To be appended."),
                .needs(.final, .flag, "True with the last piece."),
            ]
        ),
        FrameShape(
            .presence,
            by: .server,
            "How reachable somebody is from now on.",
            [
                .needs(.userID, .text, "Who."),
                .needs(.status, .word(PresenceStatus.allCases.map(\.rawValue)), "How."),
                .may(.lastSeen, .timestamp, "When last reachable."),
                .extra(.since, .timestamp, "Since when they are so."),
                .extra(.statusText, .text, "What they are at, in words."),
            ]
        ),
        FrameShape(
            .error,
            by: .server,
            "Something was not done.",
            ServerFrame.ServerError.shape.fields
        ),
        FrameShape(
            .draining,
            by: .server,
            "The server will stop: it closes with 1001 soon.",
            [
                .needs(.message, .text, "For a reader."),
                .may(.retryAfter, .milliseconds, "When to come back, counted from now."),
            ]
        ),
        FrameShape(
            .commandStarted,
            by: .server,
            "A command runs.",
            [
                .needs(.id, .text, "`cmd-` and a UUID: another one each time."),
                .needs(.text, .text, "The command."),
            ]
        ),
        FrameShape(
            .stopped,
            by: .server,
            "Answers `stop`: nothing runs there any more, or never did.",
            [.needs(.id, .text, "That of the `stop`.")]
        ),
        FrameShape(
            .deleted,
            by: .server,
            "A message was deleted: its place is kept, its text is gone. Comes again behind the `replay` of who was away.",
            [
                .needs(.conversationID, .text, "Where it is."),
                .needs(.messageID, .text, "The server's id of the message."),
                .needs(.deletedAt, .timestamp, "The server's clock when it was deleted."),
                .needs(.deletedBy, .text, "Who deleted it."),
            ]
        ),
    ]
}
