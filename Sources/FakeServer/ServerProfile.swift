package import SquallCore

/// The numbers and texts of the fake server, one struct a concern.
///
/// Spans of zero switch off what they time.
package struct ServerProfile: Hashable, Sendable {
    package var auth = Auth()
    package var ping = Ping()
    package var heartbeat = Heartbeat()
    package var rateLimit = RateLimit()
    package var replay = Replay()
    package var page = Page()
    package var drain = Drain()
    package var close = Close()
    package var presence = Presence()
    package var clock = Clock()
    package var reply = Reply()
    package var work = Work()
    package var media = Media()
    package var push = Push()
    /// Bytes of a message up to which it goes uncompressed; 0 agrees to no compression.
    package var compressAbove: Int64 = 0
    /// The names of several servers behind one address, with blanks between them; empty for one server, called anything.
    package var hosts = ""
    /// Bytes of the largest message or request body that is taken; more is closed with 1009 or answered with 413.
    package var maxMessageSize: Int64 = 256 << 10
    /// Where somebody else's server stands in for this one, as ``UpstreamAddress`` reads it; empty for none.
    package var upstream = ""
    /// A PEM file of whom to believe about ``upstream``; empty for whom the system believes.
    package var upstreamAuthority = ""
    /// Whether clients reach it by TLS, as wss and https.
    package var tls = false

    package init() {}

    package struct Auth: Hashable, Sendable {
        /// Never observed.
        package var key = "key-1"
        package var message = "Authentication failed"
        /// How old a login may be, and for how long its nonce may not come again; zero asks for neither.
        package var window = TimeSpan.zero
    }

    package struct Ping: Hashable, Sendable {
        package var answered = true
    }

    package struct Heartbeat: Hashable, Sendable {
        /// Between two pings of the server on a connection that is authenticated.
        package var interval = TimeSpan.zero
        /// What `hello` asks of the client, between two pings; zero asks for nothing.
        package var asked = TimeSpan.zero
        /// A connection on which nothing came for so long is given up.
        package var silenceLimit = TimeSpan.zero
    }

    package struct RateLimit: Hashable, Sendable {
        /// Messages of one client within any stretch as long as the window.
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
        /// The most messages of a page, whatever the client asks for.
        package var size: Int64 = 50
        package var order = PageOrder.bySequence
    }

    package struct Media: Hashable, Sendable {
        /// Bytes of the small picture of an image; of a smaller image there is none smaller.
        package var thumbnail: Int64 = 8 << 10
    }

    package struct Drain: Hashable, Sendable {
        /// From the announcement to the close.
        package var notice = TimeSpan.seconds(1)
        /// What the announcement asks for; zero leaves it out.
        package var retryAfter = TimeSpan.seconds(5)
        /// From the close until connections are accepted again.
        package var down = TimeSpan.seconds(2)
        package var message = "Server shutting down, please reconnect"
    }

    package struct Close: Hashable, Sendable {
        /// How long the peer's half of a closing handshake is waited for.
        package var limit = TimeSpan.seconds(5)
    }

    package struct Presence: Hashable, Sendable {
        /// Whether users that come and go are announced to the others.
        package var announced = false
    }

    package struct Clock: Hashable, Sendable {
        /// Milliseconds since 1970 at the run's beginning: 2026-01-01T00:00:00Z.
        package var epoch: Int64 = 1_767_225_600_000
        package var skew = TimeSpan.zero
    }

    package struct Work: Hashable, Sendable {
        /// How long a message of a client, or a command, is worked on; zero is not at all.
        package var span = TimeSpan.zero
        /// What is posted when a message has been worked on.
        package var reply = "Done."
        package var locked = "Still working on the message before this one."
        package var failure = "The message could not be worked on."
    }

    package struct Push: Hashable, Sendable {
        /// Whether a message that comes is pushed to everybody with a device but its sender.
        package var onPost = true
    }

    package struct Reply: Hashable, Sendable {
        /// Before every frame and every response but the agreement to a WebSocket, so that order is kept.
        package var delay = TimeSpan.zero
    }
}

/// How the messages of a page are ordered.
package enum PageOrder: String, Hashable, Sendable, CaseIterable {
    case bySequence = "by_sequence"
    /// As an index over conversation, deletion and time has them: deleted ones behind the others.
    case byIndex = "by_index"
}

/// What makes the server send missed messages again (catalogue C-5).
package enum ReplayMode: String, Hashable, Sendable, CaseIterable {
    /// A client's `sync`: everything after the sequence it names.
    case bySequence = "by_sequence"
    /// Taking a session up again: everything that the session has not acknowledged. A `sync` is answered too.
    case untilAcknowledged = "until_acknowledged"
}
