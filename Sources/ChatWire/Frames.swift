package import SquallCore

/// A frame that a client sends on the WebSocket.
package enum ClientFrame: Hashable, Sendable {
    /// Logs the client in. This is the client's first frame, in response to `hello`; until the server sends
    /// `connected`, the client may send only this frame and `ping`.
    case connect(Connect)
    case ping(id: String?)
    /// Answers the server's `ping` if the profile's protocol requires it; the built-in protocol does not.
    case pong(id: String?)
    case send(SendRequest)
    /// Acknowledges a message that the client has processed, so that the server need not replay it.
    case messageAck(id: String)
    /// Requests every message stored after `lastSequence`.
    case sync(lastSequence: Int64)
    case readReceipt(conversation: String, messageID: String)
    case typing(conversation: String, active: Bool)
    /// Runs a command on the server. The frame has no idempotency key, so sending it twice runs the command twice.
    case executeCommand(text: String)
    /// Stops an agent's work on the prompt in the conversation with this ID, or on the command with this ID. Has no
    /// effect if neither is running.
    case stop(id: String)

    package struct Connect: Hashable, Sendable {
        package var key: String
        /// The session to resume, from an earlier `connected` frame; nil for a new session.
        package var session: String?
        /// The maximum size, in bytes, of a message that the client accepts; nil for no limit.
        package var maxMessageSize: Int64?
        /// A random value and the time of this login, which prove that the login is not a replay; nil if the client
        /// sends none.
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
        /// The time of the login in milliseconds since 1970, according to the client's estimate of the server's clock.
        package var timestamp: Int64

        package init(nonce: String, timestamp: Int64) {
            self.nonce = nonce
            self.timestamp = timestamp
        }
    }

    package struct SendRequest: Hashable, Sendable {
        /// The idempotency key, which stays the same when the message is resent; nil if the client sends none.
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

/// A frame that the server sends on the WebSocket.
package enum ServerFrame: Hashable, Sendable {
    /// The first frame of a connection.
    ///
    /// The interval is the time between the client's pings, or between the server's if the client does not ping; nil if
    /// the server does not specify it.
    case hello(version: String, authVersion: Int64, heartbeatInterval: TimeSpan? = nil)
    case connected(Connected)
    /// Reports that the server has rejected the login; the server closes the connection after this frame.
    case authError(message: String)
    case ping(id: String?)
    /// Answers a ping. `time` is the server's clock in milliseconds since 1970; nil if the server does not announce it.
    case pong(id: String?, time: Int64? = nil)
    /// Confirms that the server has stored a message, either just now or when it was first sent.
    case confirm(Confirmation)
    case message(ChatMessage)
    /// Delivers missed messages, in ascending order of sequence number.
    case replay(Replay)
    case readReceipt(conversation: String, messageID: String, reader: String)
    case typing(conversation: String, user: String, active: Bool)
    /// Delivers one piece of a message that is still being written; the last piece is marked as `final`.
    case token(Token)
    /// Reports the presence of a user. `lastSeen` and `since`, the start of the status, are in milliseconds since 1970
    /// on the server's clock; `text` is the user's status text.
    case presence(user: String, status: PresenceStatus, lastSeen: Int64?, since: Int64? = nil, text: String? = nil)
    case error(ServerError)
    /// Announces that the server will shut down soon.
    case draining(message: String, retryAfter: TimeSpan?)
    /// Reports that a command has started and was assigned a new ID.
    case commandStarted(id: String, text: String)
    /// Confirms that the agent is not working: neither a prompt in the conversation with this ID nor a command with
    /// this ID is running.
    case stopped(id: String)
    /// Reports that a message was deleted. The message's position in the conversation remains.
    case deleted(Deletion)

    package struct Deletion: Hashable, Sendable {
        package var conversation: String
        package var messageID: String
        /// The time of the deletion in milliseconds since 1970 on the server's clock.
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
        /// Whether the requested session was resumed.
        package var resumed: Bool
        /// The sequence number of the newest stored message; 0 if there is none.
        package var lastSequence: Int64
        /// The name of the client's user; nil if the user has the same name as the client.
        package var user: String?
        /// The server's clock in milliseconds since 1970; nil if the server does not announce it.
        package var time: Int64?

        package init(session: String, resumed: Bool, lastSequence: Int64, user: String? = nil, time: Int64? = nil) {
            self.session = session
            self.resumed = resumed
            self.lastSequence = lastSequence
            self.user = user
            self.time = time
        }
    }

    package struct Confirmation: Hashable, Sendable {
        /// The client message ID of the confirmed `send` frame; empty if it had none.
        package var clientMessageID: String
        package var messageID: String
        package var sequence: Int64
        /// The time at which the message was stored, in milliseconds since 1970 on the server's clock.
        package var timestamp: Int64
        /// Whether the message had already been stored, in which case sending it again had no effect.
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
        /// Whether the replay includes every message after the requested sequence number. If false, the server's buffer
        /// no longer reaches back that far, and the client must fetch the missing messages over HTTP.
        package var complete: Bool
        /// The sequence number of the newest stored message; 0 if there is none.
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
        /// The delay before the client's next attempt; nil unless the error limits the rate of attempts, as
        /// ``ErrorCode/rateLimited`` does.
        package var retryAfter: TimeSpan?
        /// The client message ID of the `send` frame that caused the error; nil if no `send` frame did.
        package var clientMessageID: String?
        /// The ID of this error on its connection, used by a client to detect a second copy; nil in an HTTP response.
        package var id: String?

        package init(
            code: ErrorCode,
            message: String,
            retryAfter: TimeSpan? = nil,
            clientMessageID: String? = nil,
            id: String? = nil
        ) {
            self.code = code
            self.message = message
            self.retryAfter = retryAfter
            self.clientMessageID = clientMessageID
            self.id = id
        }
    }
}
