package import SquallCore

/// The settings of the fake server, grouped by topic in nested types.
///
/// A duration of zero disables the mechanism to which it applies.
package struct ServerProfile: Hashable, Sendable {
    package var auth = Auth()
    package var ping = Ping()
    package var heartbeat = Heartbeat()
    package var rateLimit = RateLimit()
    package var replay = Replay()
    package var page = Page()
    package var list = List()
    package var drain = Drain()
    package var close = Close()
    package var presence = Presence()
    package var clock = Clock()
    package var reply = Reply()
    package var work = Work()
    package var media = Media()
    package var push = Push()
    /// The size in bytes up to which a message is sent uncompressed; 0 declines compression.
    package var compressAbove: Int64 = 0
    /// The host names of several servers behind one address, separated by spaces; empty if there is only one server,
    /// which accepts any host name.
    package var hosts = ""
    /// The maximum size of a message or request body in bytes. If a message is larger, the server closes the WebSocket
    /// with code 1009; if a body is larger, it responds with status 413.
    package var maxMessageSize: Int64 = 256 << 10
    /// The address of a real server to use instead of the fake server, as parsed by ``UpstreamAddress``; empty to use
    /// the fake server.
    package var upstream = ""
    /// The path of a PEM file with the certificate authorities to trust for ``upstream``; empty to trust the system's.
    package var upstreamAuthority = ""
    /// Whether clients connect over TLS, that is, with the URL schemes wss and https.
    package var tls = false

    package init() {}

    package struct Auth: Hashable, Sendable {
        /// The API key that the server accepts. The key is never recorded in a trace.
        package var key = "key-1"
        package var message = "Authentication failed"
        /// The maximum age of a login, within which a nonce must not be reused; zero disables the check.
        package var window = TimeSpan.zero
    }

    package struct Ping: Hashable, Sendable {
        package var answered = true
    }

    package struct Heartbeat: Hashable, Sendable {
        /// The interval between the server's pings on an authenticated connection.
        package var interval = TimeSpan.zero
        /// The interval at which `hello` asks the client to send pings; zero to ask for none.
        package var asked = TimeSpan.zero
        /// How long an authenticated client may be silent before its connection is ended.
        package var silenceLimit = TimeSpan.zero
    }

    package struct RateLimit: Hashable, Sendable {
        /// The maximum number of messages from one client in any period of length `window`.
        package var count: Int64 = 60
        package var window = TimeSpan.seconds(60)
        package var message = "Message rate limit exceeded."
    }

    package struct Replay: Hashable, Sendable {
        package var maxCount: Int64 = 1000
        package var maxAge = TimeSpan.seconds(3600)
        package var mode = ReplayMode.bySequence
    }

    package struct Page: Hashable, Sendable {
        /// The maximum number of messages on a page, even if the client requests more.
        package var size: Int64 = 50
        package var order = PageOrder.bySequence
    }

    package struct List: Hashable, Sendable {
        /// Whether the list of conversations includes each conversation's unread count, which older servers omit.
        package var counts = true
    }

    package struct Media: Hashable, Sendable {
        /// The size of a thumbnail in bytes. The thumbnail of a smaller image is the image itself.
        package var thumbnail: Int64 = 8 << 10
    }

    package struct Drain: Hashable, Sendable {
        /// The time from the announcement until the connections are closed.
        package var notice = TimeSpan.seconds(1)
        /// The delay that the announcement asks clients to observe before they reconnect; zero to specify none.
        package var retryAfter = TimeSpan.seconds(5)
        /// The time from closing the connections until new ones are accepted.
        package var down = TimeSpan.seconds(2)
        package var message = "Server shutting down, please reconnect"
    }

    package struct Close: Hashable, Sendable {
        /// The maximum time to wait for the peer's close frame.
        package var limit = TimeSpan.seconds(5)
    }

    package struct Presence: Hashable, Sendable {
        /// Whether the server notifies all other users when a user comes online or goes offline.
        package var announced = false
    }

    package struct Clock: Hashable, Sendable {
        /// The server's time at the start of the run in milliseconds since 1970: 2026-01-01T00:00:00Z.
        package var epoch: Int64 = 1_767_225_600_000
        package var skew = TimeSpan.zero
        /// Whether `connected` and `pong` carry the server's time, so that clients need not trust the phone's clock.
        package var isAnnounced = false
    }

    package struct Work: Hashable, Sendable {
        /// The simulated processing time of a client's message or command; zero for none.
        package var span = TimeSpan.zero
        /// The text of the message that is posted when a prompt is done.
        package var reply = "Done."
        package var locked = "Still working on the message before this one."
        package var failure = "The message could not be worked on."
    }

    package struct Push: Hashable, Sendable {
        /// Whether each message is pushed to every user who has a registered device, except its sender.
        package var onPost = true
        /// The maximum size of a notification's payload in bytes, above which the push service refuses it; zero for no
        /// limit. The default is the limit of Apple's push service for alerts.
        package var limit: Int64 = 4096
    }

    package struct Reply: Hashable, Sendable {
        /// The delay applied to every frame and every response, except the 101 response that opens a WebSocket. The
        /// order of frames does not change.
        package var delay = TimeSpan.zero
    }
}

/// The order of the messages on a page.
package enum PageOrder: String, Hashable, Sendable, CaseIterable {
    case bySequence = "by_sequence"
    /// The order of a database index on conversation, deletion and time: deleted messages come last.
    case byIndex = "by_index"
}

/// The rule that determines when the server replays missed messages, and which ones.
package enum ReplayMode: String, Hashable, Sendable, CaseIterable {
    /// A `sync` replays every message after the sequence number that it contains.
    case bySequence = "by_sequence"
    /// Resuming a session replays every message that it has not acknowledged. A `sync` is answered as well.
    case untilAcknowledged = "until_acknowledged"
}
