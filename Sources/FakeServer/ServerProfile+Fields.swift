package import SquallCore

extension ServerProfile {
    /// Every value under its name in scenario files.
    package static let fields: [ProfileField<ServerProfile>] = [
        .text(
            "upstream",
            \.upstream,
            "the address of your own server: ws, wss, http or https; Squall's where it is empty"
        ),
        .text(
            "upstream_ca",
            \.upstreamAuthority,
            "a PEM file of whom to believe about a wss or https upstream; the system's where it is empty"
        ),
        .flag("tls", \.tls, "whether clients reach it by TLS, as wss and https"),
        .text("auth.key", \.auth.key, "the key that is accepted"),
        .text("auth.message", \.auth.message, "the text of auth_error"),
        .duration(
            "auth.window",
            \.auth.window,
            "how old a login may be, and for how long its nonce may not come again; 0 asks for neither"
        ),
        .flag("ping.answered", \.ping.answered, "whether a client's ping gets a pong"),
        .duration("heartbeat.interval", \.heartbeat.interval, "between two pings of the server; 0 for none"),
        .duration(
            "heartbeat.asked",
            \.heartbeat.asked,
            "the interval between two pings that hello asks of the client; 0 asks for none"
        ),
        .duration(
            "heartbeat.silence_limit",
            \.heartbeat.silenceLimit,
            "without anything from an authenticated client until its connection is given up; 0 for never"
        ),
        .integer("rate_limit.count", 0...1_000_000, \.rateLimit.count, "messages of one client within a window"),
        .duration("rate_limit.window", \.rateLimit.window, "the length of the sliding window; 0 for no limit"),
        .text("rate_limit.message", \.rateLimit.message, "the text of the error rate_limited"),
        .integer("replay.messages", 0...1_000_000, \.replay.maxCount, "messages that the replay buffer holds"),
        .duration("replay.age", \.replay.maxAge, "the age up to which the replay buffer holds a message"),
        .words("replay.mode", \.replay.mode, "what a replay answers: a sync, or also a session taken up again"),
        .integer("page.size", 1...10_000, \.page.size, "the most messages of a page"),
        .duration("drain.notice", \.drain.notice, "from the announcement of a shutdown to the close"),
        .duration("drain.retry_after", \.drain.retryAfter, "the wait that the announcement asks for; 0 leaves it out"),
        .duration("drain.down", \.drain.down, "from the close until connections are accepted again"),
        .text("drain.message", \.drain.message, "the text of the announcement"),
        .duration("close.limit", \.close.limit, "how long a closing handshake may take"),
        .flag("presence.announced", \.presence.announced, "whether users that come and go are announced"),
        .integer("clock.epoch", 0...253_402_300_799_999, \.clock.epoch, "ms since 1970 at the run's beginning"),
        .duration("clock.skew", \.clock.skew, "how far the server's clock is ahead"),
        .duration("reply.delay", \.reply.delay, "before every frame and every response"),
        .duration("work.span", \.work.span, "how long a message or a command is worked on; 0 for not at all"),
        .text("work.reply", \.work.reply, "what is posted when a message has been worked on"),
        .text("work.locked", \.work.locked, "the text of the error session_locked"),
        .text("work.failure", \.work.failure, "the text of the error that ends what is worked on"),
        .integer(
            "compress_above",
            0...16_777_216,
            \.compressAbove,
            "bytes of a message up to which it goes uncompressed; 0 agrees to no compression"
        ),
        .text(
            "hosts",
            \.hosts,
            "the names of several servers behind one address; one, called anything, where it is empty"
        ),
        .integer("max_message_size", 125...16_777_216, \.maxMessageSize, "bytes of the largest message or body taken"),
        .integer("media.thumbnail", 1...1_048_576, \.media.thumbnail, "bytes of the small picture of an image"),
        .words(
            "page.order",
            \.page.order,
            "how the messages of a page are ordered: deleted ones in their place, or last"
        ),
        .flag("push.on_post", \.push.onPost, "whether messages are pushed to everybody with a device but the sender"),
    ]
}

private typealias Path<Value> = any WritableKeyPath<ServerProfile, Value> & Sendable

extension ProfileField<ServerProfile> {
    private static func named(
        _ name: String,
        _ kind: ParameterKind,
        _ meaning: String,
        get: @escaping @Sendable (ServerProfile) -> ArgumentValue,
        set: @escaping @Sendable (inout ServerProfile, ArgumentValue) -> Void
    ) -> ProfileField {
        ProfileField("server.\(name)", kind, meaning, get: get, set: set)
    }

    fileprivate static func text(_ name: String, _ path: Path<String>, _ meaning: String) -> ProfileField {
        named(name, .text, meaning) {
            .text($0[keyPath: path])
        } set: { profile, value in
            if case .text(let text) = value { profile[keyPath: path] = text }
        }
    }

    fileprivate static func flag(_ name: String, _ path: Path<Bool>, _ meaning: String) -> ProfileField {
        named(name, .flag, meaning) {
            .flag($0[keyPath: path])
        } set: { profile, value in
            if case .flag(let flag) = value { profile[keyPath: path] = flag }
        }
    }

    fileprivate static func duration(_ name: String, _ path: Path<TimeSpan>, _ meaning: String) -> ProfileField {
        named(name, .duration, meaning) {
            .duration($0[keyPath: path])
        } set: { profile, value in
            if case .duration(let span) = value { profile[keyPath: path] = span }
        }
    }

    fileprivate static func integer(
        _ name: String,
        _ range: ClosedRange<Int64>,
        _ path: Path<Int64>,
        _ meaning: String
    ) -> ProfileField {
        named(name, .integer(range), meaning) {
            .integer($0[keyPath: path])
        } set: { profile, value in
            if case .integer(let number) = value, range.contains(number) { profile[keyPath: path] = number }
        }
    }

    fileprivate static func words<Words: RawRepresentable<String> & CaseIterable & Sendable>(
        _ name: String,
        _ path: Path<Words>,
        _ meaning: String
    ) -> ProfileField {
        named(name, .word(Words.allCases.map(\.rawValue)), meaning) {
            .text($0[keyPath: path].rawValue)
        } set: {
            profile,
            value in
            if case .text(let word) = value, let value = Words(rawValue: word) { profile[keyPath: path] = value }
        }
    }
}
