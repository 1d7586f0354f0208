package import SquallCore

/// What a client says on the socket.
package enum ClientFrame: Hashable, Sendable {
    /// The first frame, in answer to `hello`. Nothing else but `ping` may precede `connected`.
    case connect(Connect)
    case ping(id: String?)
    /// Answers the server's `ping`, where the protocol wants it answered; the built-in one does not.
    case pong(id: String?)
    case send(SendRequest)
    /// The message has been processed; the server need not replay it.
    case messageAck(id: String)
    /// Asks for every message stored after `lastSequence`.
    case sync(lastSequence: Int64)
    case readReceipt(conversation: String, messageID: String)
    case typing(conversation: String, active: Bool)
    /// Runs a command on the server, each time that it is said: there is no key by which a repeat could be told.
    case executeCommand(text: String)
    /// Ends what runs under that id, a conversation's prompt or a command; nothing where nothing does.
    case stop(id: String)

    package struct Connect: Hashable, Sendable {
        package var key: String
        /// Of an earlier `connected`, to take that session up again.
        package var session: String?
        /// Bytes of the largest message that the client takes; nil for any.
        package var maxMessageSize: Int64?
        /// Drawn for this login alone, and when it was made: what shows that it is no recording.
        package var freshness: Freshness?

        package init(
            key: String,
            session: String? = nil,
            maxMessageSize: Int64? = nil,
            freshness: Freshness? = nil
        ) {
            self.key = key
            self.session = session
            self.maxMessageSize = maxMessageSize
            self.freshness = freshness
        }
    }

    package struct Freshness: Hashable, Sendable {
        package var nonce: String
        /// Milliseconds since 1970 on the client's clock.
        package var timestamp: Int64

        package init(nonce: String, timestamp: Int64) {
            self.nonce = nonce
            self.timestamp = timestamp
        }
    }

    package struct SendRequest: Hashable, Sendable {
        /// The idempotency key: a repeat has the same one; nil where a client sends none.
        package var clientMessageID: String?
        package var conversation: String
        package var text: String
        package var media: MessageMedia?

        package init(clientMessageID: String?, conversation: String, text: String, media: MessageMedia? = nil) {
            self.clientMessageID = clientMessageID
            self.conversation = conversation
            self.text = text
            self.media = media
        }
    }
}

/// What the server says on the socket.
package enum ServerFrame: Hashable, Sendable {
    /// The first frame.
    ///
    /// The interval is that of the heartbeat, between two pings of the client, or of the server where the client has none;
    /// nil where it says nothing of it.
    case hello(version: String, authVersion: Int64, heartbeatInterval: TimeSpan? = nil)
    case connected(Connected)
    /// Refused; the server closes after it.
    case authError(message: String)
    case ping(id: String?)
    case pong(id: String?)
    /// The server has stored a sent message (or had it already).
    case confirm(Confirmation)
    case message(ChatMessage)
    /// Missed messages, in the order of their sequence.
    case replay(Replay)
    case readReceipt(conversation: String, messageID: String, reader: String)
    case typing(conversation: String, user: String, active: Bool)
    /// One piece of a message that is being written, `final` with the last.
    case token(Token)
    /// `lastSeen` and `since`, when it became so, in milliseconds since 1970 on the server's clock; `text` is the status in
    /// words.
    case presence(user: String, status: PresenceStatus, lastSeen: Int64?, since: Int64? = nil, text: String? = nil)
    case error(ServerError)
    /// The server will stop soon.
    case draining(message: String, retryAfter: TimeSpan?)
    /// A command runs, under an id of its own.
    case commandStarted(id: String, text: String)
    /// Nothing runs under that id any more, or never did.
    case stopped(id: String)
    /// A message was deleted; its place is kept.
    case deleted(Deletion)

    package struct Deletion: Hashable, Sendable {
        package var conversation: String
        package var messageID: String
        /// Milliseconds since 1970 on the server's clock.
        package var at: Int64
        package var by: String

        package init(conversation: String, messageID: String, at: Int64, by: String) {
            self.conversation = conversation
            self.messageID = messageID
            self.at = at
            self.by = by
        }
    }

    package struct Connected: Hashable, Sendable {
        package var session: String
        /// Whether the asked-for session was taken up again.
        package var resumed: Bool
        /// The newest sequence the server has stored.
        package var lastSequence: Int64
        /// For whom the client acts; nil where the server knows the user by the client's own name.
        package var user: String?

        package init(session: String, resumed: Bool, lastSequence: Int64, user: String? = nil) {
            self.session = session
            self.resumed = resumed
            self.lastSequence = lastSequence
            self.user = user
        }
    }

    package struct Confirmation: Hashable, Sendable {
        /// That of the send; empty where the send had none.
        package var clientMessageID: String
        package var messageID: String
        package var sequence: Int64
        /// Milliseconds since 1970 on the server's clock.
        package var timestamp: Int64
        /// True when the server had stored it before: a repeat without effect.
        package var duplicate: Bool

        package init(
            clientMessageID: String,
            messageID: String,
            sequence: Int64,
            timestamp: Int64,
            duplicate: Bool
        ) {
            self.clientMessageID = clientMessageID
            self.messageID = messageID
            self.sequence = sequence
            self.timestamp = timestamp
            self.duplicate = duplicate
        }
    }

    package struct Replay: Hashable, Sendable {
        package var messages: [ChatMessage]
        /// False when the server's buffer no longer reaches back to what was asked for: only a refresh closes the gap.
        package var complete: Bool
        /// The newest sequence the server has stored.
        package var lastSequence: Int64

        package init(messages: [ChatMessage], complete: Bool, lastSequence: Int64) {
            self.messages = messages
            self.complete = complete
            self.lastSequence = lastSequence
        }
    }

    package struct Token: Hashable, Sendable {
        package var conversation: String
        package var messageID: String
        package var index: Int64
        package var text: String
        package var final: Bool

        package init(conversation: String, messageID: String, index: Int64, text: String, final: Bool) {
            self.conversation = conversation
            self.messageID = messageID
            self.index = index
            self.text = text
            self.final = final
        }
    }

    package struct ServerError: Hashable, Sendable {
        package var code: ErrorCode
        package var message: String
        /// Only with ``ErrorCode/rateLimited`` and the like: how long to wait before the next try.
        package var retryAfter: TimeSpan?
        /// The send it answers, where it answers one.
        package var clientMessageID: String?

        package init(
            code: ErrorCode,
            message: String,
            retryAfter: TimeSpan? = nil,
            clientMessageID: String? = nil
        ) {
            self.code = code
            self.message = message
            self.retryAfter = retryAfter
            self.clientMessageID = clientMessageID
        }
    }
}
