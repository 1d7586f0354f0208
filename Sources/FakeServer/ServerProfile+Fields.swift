package import SquallCore

extension ServerProfile {
    /// Every setting, with its name in scenario files.
    package static let fields: [ProfileField<ServerProfile>] = [
        .text(
            "upstream",
            \.upstream,
            "the address of your own server, by ws, wss, http or https; empty for Squall's fake server"
        ),
        .text(
            "upstream_ca",
            \.upstreamAuthority,
            "a PEM file of the authorities to trust for a wss or https upstream; empty for the system's"
        ),
        .flag("tls", \.tls, "whether clients connect by TLS, as wss and https"),
        .text("auth.key", \.auth.key, "the key that is accepted"),
        .text("auth.message", \.auth.message, "the text of auth_error"),
        .duration(
            "auth.window",
            \.auth.window,
            "the largest age of a login and the time for which its nonce must not be reused; 0 for no check"
        ),
        .flag("ping.answered", \.ping.answered, "whether a client's ping gets a pong"),
        .duration(
            "heartbeat.interval",
            \.heartbeat.interval,
            "the interval between the server's pings; 0 for no pings"
        ),
        .duration(
            "heartbeat.asked",
            \.heartbeat.asked,
            "the interval between the client's pings that hello requests; 0 for no pings"
        ),
        .duration(
            "heartbeat.silence_limit",
            \.heartbeat.silenceLimit,
            "the silence of an authenticated client after which its connection is ended; 0 for never"
        ),
        .integer(
            "rate_limit.count",
            0...1_000_000,
            \.rateLimit.count,
            "the largest number of messages from one client within a window"
        ),
        .duration("rate_limit.window", \.rateLimit.window, "the length of the sliding window; 0 for no limit"),
        .text("rate_limit.message", \.rateLimit.message, "the text of the error rate_limited"),
        .integer(
            "replay.messages",
            0...1_000_000,
            \.replay.maxCount,
            "the largest number of messages in the replay buffer"
        ),
        .duration("replay.age", \.replay.maxAge, "the largest age of a message in the replay buffer"),
        .words("replay.mode", \.replay.mode, "what causes a replay: a sync, or also the resumption of a session"),
        .flag("list.counts", \.list.counts, "whether a chat's record in the list states its unread count"),
        .integer("page.size", 1...10_000, \.page.size, "the largest number of messages on a page"),
        .duration("drain.notice", \.drain.notice, "the time from the announcement of a shutdown to the close"),
        .duration("drain.retry_after", \.drain.retryAfter, "the wait that the announcement asks for; 0 to omit it"),
        .duration("drain.down", \.drain.down, "the time from the close until connections are accepted again"),
        .text("drain.message", \.drain.message, "the text of the announcement"),
        .duration("close.limit", \.close.limit, "the longest duration of a closing handshake"),
        .flag(
            "presence.announced",
            \.presence.announced,
            "whether users are announced when they come online or go offline"
        ),
        .integer(
            "clock.epoch",
            0...253_402_300_799_999,
            \.clock.epoch,
            "the server's time at the start of the run, in ms since 1970"
        ),
        .duration("clock.skew", \.clock.skew, "how far the server's clock is ahead"),
        .flag("clock.announced", \.clock.isAnnounced, "whether connected and pong carry the server's time"),
        .duration("reply.delay", \.reply.delay, "the delay before every frame and every response"),
        .duration("work.span", \.work.span, "how long the server works on a message or a command; 0 for none"),
        .text("work.reply", \.work.reply, "the message that is posted when a prompt is done"),
        .text("work.locked", \.work.locked, "the text of the error session_locked"),
        .text("work.failure", \.work.failure, "the text of the error when a prompt fails"),
        .integer(
            "compress_above",
            0...16_777_216,
            \.compressAbove,
            "the size in bytes up to which a message is sent uncompressed; 0 declines compression"
        ),
        .text(
            "hosts",
            \.hosts,
            "the host names of several servers behind one address, separated by spaces; empty for one server"
        ),
        .integer(
            "max_message_size",
            125...16_777_216,
            \.maxMessageSize,
            "the size in bytes of the largest accepted message or body"
        ),
        .integer("media.thumbnail", 1...1_048_576, \.media.thumbnail, "the size in bytes of an image's thumbnail"),
        .words(
            "page.order",
            \.page.order,
            "the order of the messages on a page: deleted ones at their position, or last"
        ),
        .flag(
            "push.on_post",
            \.push.onPost,
            "whether each message is pushed to every user with a device except its sender"
        ),
        .integer(
            "push.limit",
            0...65_536,
            \.push.limit,
            "the size in bytes of the largest payload that the push service accepts; 5120 for VoIP, 0 for no limit"
        ),
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
