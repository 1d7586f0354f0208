package import ChatWire
package import Faults
package import SquallCore

/// A server action that a scenario can request.
///
/// If `client` is nil, the action applies to all clients.
package enum ServerAction: Hashable, Sendable {
    // Actions for messages.
    case post(Post)
    case history(ServerHistory)
    case stream(Stream)
    case type(conversation: String, user: String, active: Bool)
    /// Sets a user's presence; `text` is the status message.
    case presence(user: String, PresenceStatus, text: String? = nil)
    /// Assigns a user to the client; several clients may have the same user.
    case identify(ClientID, user: String)
    case error(ServerFrame.ServerError, client: ClientID?)
    /// Sends a WebSocket message with arbitrary content.
    case say(ServerMessage, client: ClientID?)

    // Server lifecycle actions. A nil argument stands for the value in the profile unless stated otherwise.
    case stop
    case start
    /// Stops the server and starts it again. With a notice, it works like ``drain(retryAfter:notice:down:)`` but closes
    /// connections with code 1012.
    case restart(down: TimeSpan, keeping: Bool, notice: TimeSpan?)
    /// Resets every connection and stops the server; if `down` is nil, the server stays down until it is started.
    case crash(down: TimeSpan?)
    /// Forgets sessions and leaves their connections open but unresponsive.
    case vanish(client: ClientID?)
    case drain(retryAfter: TimeSpan?, notice: TimeSpan?, down: TimeSpan?)
    /// Stops one of several servers, identified by its host name.
    case down(host: String)
    case up(host: String)
    /// Makes every prompt in progress in a conversation fail.
    case failPrompt(conversation: String)

    // Actions on connections.
    case close(code: UInt16, reason: String, client: ClientID?)
    case disconnect(LinkEnd, client: ClientID?)

    // Actions on responses.
    case addReplyRule(ReplyRule)
    case release(label: String, ReleaseOrder)
    case answer(RequestRule)
    case fail(RouteFailure)
    /// Removes every rule for responses. Responses that are already held stay held.
    case clear

    // Actions that change the server's settings.
    case auth(AuthChange)
    /// Limits each client to `count` messages in any period of length `per`.
    case limit(count: Int64, per: TimeSpan)
    /// Starts or stops the heartbeat. If `every` is nil, the interval in the profile applies, or 30 s if the profile
    /// has none.
    case heartbeat(on: Bool, every: TimeSpan?)
    case pong(on: Bool)
    case clock(skew: TimeSpan)

    /// Assigns an API key to a user, so that a client with this key is logged in as this user.
    case account(user: String, key: String)
    case push(PushOrder)
    case removeConversation(String)

    /// A notification to be pushed, whether or not its message exists.
    package struct PushOrder: Hashable, Sendable {
        package var conversation: String
        /// The user who is notified; nil for every user with a device.
        package var user: String?
        package var text: String?
        /// The message's position, counted back from the newest message, which has position 0; nil for a message that
        /// is not stored.
        package var back: Int64?
        package var times: Int64
        package var label: String?
    }
    /// Lists a user that clients can write to before the conversation contains any message.
    case introduce(Introduction)
    /// Restricts a conversation to these users.
    case restrict(conversation: String, users: [String])
    /// Makes the conversation a group of these users.
    case group(conversation: String, members: [String])

    /// Messages from a user who has no client.
    package struct Post: Hashable, Sendable {
        package var conversation: String
        package var count: Int64
        /// The text of every message; nil to generate texts that contain the messages' numbers.
        package var text: String?
        /// The sender; nil for the user who has the same name as the conversation.
        package var sender: String?
        package var label: String?
        /// The media attached to each message, possibly of a type unknown to the client; nil for none.
        package var media: PostedMedia?
        /// The interval between messages.
        package var every = TimeSpan.zero

        package init(
            to conversation: String,
            count: Int64 = 1,
            text: String? = nil,
            sender: String? = nil,
            label: String? = nil
        ) {
            self.conversation = conversation
            self.count = count
            self.text = text
            self.sender = sender
            self.label = label
        }
    }

    /// A message that is sent token by token, and stored when it is complete.
    package struct Stream: Hashable, Sendable {
        package var conversation: String
        package var text: String
        /// The number of tokens; at most the number of characters.
        package var pieces: Int64
        package var every: TimeSpan
        package var label: String?

        package init(conversation: String, text: String, pieces: Int64, every: TimeSpan, label: String? = nil) {
            self.conversation = conversation
            self.text = text
            self.pieces = pieces
            self.every = every
            self.label = label
        }
    }

    package struct PostedMedia: Hashable, Sendable {
        package var type: String
        package var bytes: Int64
        /// The width in pixels.
        package var width: Int64
        package var height: Int64
    }

    package enum ServerMessage: Hashable, Sendable {
        case json(JSON)
        case text(String)
        case binary([UInt8])
    }

    package enum AuthChange: Hashable, Sendable {
        /// Sets whether the server accepts the correct key.
        case accept(Bool)
        case key(String)
    }
}

extension ServerAction {
    /// Whether the server stops accepting connections after this action, temporarily or permanently.
    package var stopsListening: Bool {
        switch self {
        case .stop, .restart, .crash, .drain: true
        default: false
        }
    }
}

/// Messages that are already stored when the run begins.
package struct ServerHistory: Hashable, Sendable {
    package var conversation: String
    package var count: Int64
    /// The age of the newest message. Each message is one second older than the next.
    package var age: TimeSpan

    package init(conversation: String, count: Int64, age: TimeSpan = .seconds(86_400)) {
        self.conversation = conversation
        self.count = count
        self.age = age
    }
}
