package import ChatWire
package import Faults
package import SquallCore

/// What a scenario can tell the server to do.
///
/// `client` is nil for all clients.
package enum ServerAction: Hashable, Sendable {
    // messages
    case post(Post)
    case history(ServerHistory)
    case stream(Stream)
    case type(conversation: String, user: String, active: Bool)
    /// `text` is the status in words.
    case presence(user: String, PresenceStatus, text: String? = nil)
    /// From now on the client acts for that user; several may for the same one.
    case identify(ClientID, user: String)
    case error(ServerFrame.ServerError, client: ClientID?)
    /// Whatever it is, in one WebSocket message.
    case say(ServerMessage, client: ClientID?)

    // its own life; what is not given is the profile's
    case stop
    case start
    /// With a notice as a ``drain(retryAfter:notice:down:)`` that closes with 1012.
    case restart(down: TimeSpan, keeping: Bool, notice: TimeSpan?)
    /// Every connection is reset. Without a span the server stays down.
    case crash(down: TimeSpan?)
    /// Sessions are forgotten and their connections left open, deaf and dumb.
    case vanish(client: ClientID?)
    case drain(retryAfter: TimeSpan?, notice: TimeSpan?, down: TimeSpan?)
    /// One of several servers stops, by its name.
    case down(host: String)
    case up(host: String)
    /// What is worked on in a conversation ends with an error.
    case failPrompt(conversation: String)

    // connections
    case close(code: UInt16, reason: String, client: ClientID?)
    case disconnect(LinkEnd, client: ClientID?)

    // answers
    case bend(ReplyRule)
    case release(label: String, ReleaseOrder)
    case answer(RequestRule)
    case fail(RouteFailure)
    /// Forgets every rule for answers. What is held stays held.
    case clear

    // settings
    case auth(AuthChange)
    /// So many messages within the span.
    case limit(count: Int64, per: TimeSpan)
    /// Without a span that of the profile, or 30 s where the profile has none.
    case heartbeat(on: Bool, every: TimeSpan?)
    case pong(on: Bool)
    case clock(skew: TimeSpan)

    // accounts and notifications
    /// From now on the key lets its bearer in as that user.
    case account(user: String, key: String)
    case push(PushOrder)
    case removeConversation(String)

    /// What is pushed, whether or not there is such a message.
    package struct PushOrder: Hashable, Sendable {
        package var conversation: String
        /// Nil for everybody who has a device.
        package var user: String?
        package var text: String?
        /// The message that stands so many before the newest; nil for one that is stored nowhere.
        package var back: Int64?
        package var times: Int64 = 1
        package var label: String?

        package init(conversation: String) {
            self.conversation = conversation
        }
    }
    // who is there
    /// Somebody can be written to, though nothing was ever written.
    case introduce(Introduction)
    /// From now on only these users belong to a conversation.
    case restrict(conversation: String, users: [String])
    // people
    /// From now on the conversation is a group of these.
    case group(conversation: String, members: [String])

    /// Messages that somebody other than the clients writes.
    package struct Post: Hashable, Sendable {
        package var conversation: String
        package var count: Int64 = 1
        /// Nil for one that tells which message it is.
        package var text: String?
        /// Nil for the conversation's namesake.
        package var sender: String?
        package var label: String?
        /// What each shows beside its text: an image, or a kind that the client does not know; nil for nothing.
        package var media: PostedMedia?
        /// From one to the next.
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

    /// A message that is written while others look on, and stored when it is whole.
    package struct Stream: Hashable, Sendable {
        package var conversation: String
        package var text: String
        /// How many tokens; no more than there are characters.
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
        /// Pixels.
        package var width: Int64
        package var height: Int64
    }

    package enum ServerMessage: Hashable, Sendable {
        case json(JSON)
        case text(String)
        case binary([UInt8])
    }

    package enum AuthChange: Hashable, Sendable {
        /// Whether the right key is let in.
        case accept(Bool)
        case key(String)
    }
}

extension ServerAction {
    /// Whether the server may accept no connection after it, for a while or for good.
    package var shutsDoor: Bool {
        switch self {
        case .stop, .restart, .crash, .drain: true
        default: false
        }
    }
}

/// Messages that were there before the run.
package struct ServerHistory: Hashable, Sendable {
    package var conversation: String
    package var count: Int64
    /// Of the newest; each message before it is a second older.
    package var age: TimeSpan

    package init(conversation: String, count: Int64, age: TimeSpan = .seconds(86_400)) {
        self.conversation = conversation
        self.count = count
        self.age = age
    }
}
