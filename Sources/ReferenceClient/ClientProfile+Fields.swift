package import SquallCore

extension ClientProfile {
    /// All values of the profile, each with its name in scenario files.
    package static let fields: [ProfileField<ClientProfile>] = numbers + labels + texts

    private static let numbers: [ProfileField<ClientProfile>] = [
        .duration(
            "connect.timeout",
            \.connect.timeout,
            "the time limit for the TCP connection, the upgrade, hello and connected together"
        ),
        .text("connect.host", \.connect.host, "the server's name, sent in the Host header"),
        .integer(
            "connect.auth_version",
            0...1_000_000,
            \.connect.authVersion,
            "the auth_version that the client knows"
        ),
        .integer(
            "connect.max_message_size",
            0...16_777_216,
            \.connect.maxMessageSize,
            "the maximum size in bytes of a message that the client accepts, announced to the server; 0 for no limit"
        ),
        .integer(
            "connect.compress_above",
            0...16_777_216,
            \.connect.compressAbove,
            "messages with more bytes than this are compressed; 0 offers no compression"
        ),
        .text(
            "connect.other_hosts",
            \.connect.otherHosts,
            "other servers, separated by spaces; after a failed attempt the client tries the next one"
        ),
        .flag("connect.proves_fresh", \.connect.provesFresh, "whether each login carries a nonce and a timestamp"),
        .flag(
            "connect.probes_first",
            \.connect.probesFirst,
            "whether each attempt is preceded by a probe for a captive portal"
        ),
        .integer(
            "connect.sockets",
            1...100,
            \.connect.sockets,
            "the WebSockets that a client of your own keeps open by design"
        ),
        .duration("reconnect.base", \.reconnect.base, "the first delay; each further one is twice as long"),
        .duration("reconnect.cap", \.reconnect.cap, "the longest delay, before jitter"),
        .duration("reconnect.floor", \.reconnect.floor, "the shortest delay, after jitter"),
        .integer(
            "reconnect.jitter_percent",
            0...100,
            \.reconnect.jitterPercent,
            "percent by which a delay may be shorter or longer; 0 for exact delays"
        ),
        .integer(
            "reconnect.max_attempts",
            0...1_000_000,
            \.reconnect.maxAttempts,
            "consecutive failed attempts before the client gives up; 0 for never"
        ),
        .words("reconnect.on_exhausted", \.reconnect.onExhausted, "what the client does when all attempts have failed"),
        .duration(
            "reconnect.breaker_pause",
            \.reconnect.breakerPause,
            "the pause before each attempt if on_exhausted is breaker"
        ),
        .duration(
            "reconnect.polling_pause",
            \.reconnect.pollingPause,
            "the pause before each attempt if on_exhausted is poll, before jitter; 0 for no attempts"
        ),
        .duration(
            "heartbeat.interval",
            \.heartbeat.interval,
            "the interval between the client's pings; 0 for no pings"
        ),
        .duration(
            "heartbeat.pong_limit",
            \.heartbeat.pongLimit,
            "the time from an unanswered ping until the link counts as dead"
        ),
        .duration(
            "heartbeat.pong_limit_cap",
            \.heartbeat.pongLimitCap,
            "the longest time to which slow pongs extend pong_limit: twice the last round trip; 0 for no extension"
        ),
        .duration("heartbeat.slow_limit", \.heartbeat.slowLimit, "the shortest round trip that counts as slow"),
        .integer(
            "heartbeat.slow_factor",
            0...1000,
            \.heartbeat.slowFactor,
            "the multiple of the usual round trip that counts as slow even below slow_limit; 0 for none"
        ),
        .duration("heartbeat.slow_floor", \.heartbeat.slowFloor, "the shortest limit that slow_factor yields"),
        .duration(
            "heartbeat.server_limit",
            \.heartbeat.serverLimit,
            "the time from a server ping until the link counts as dead if the next does not arrive; 0 if none are sent"
        ),
        .duration(
            "background.allowance",
            \.background.allowance,
            "the time in the background before the client disconnects"
        ),
        .duration(
            "drain.default_retry_after",
            \.drain.defaultRetryAfter,
            "the delay before reconnecting when draining specifies none"
        ),
        .integer("drain.jitter_percent", 0...100, \.drain.jitterPercent, "percent by which the delay may be longer"),
        .integer(
            "drain.max_attempts",
            0...1_000_000,
            \.drain.maxAttempts,
            "the attempts before the client gives up after an announced restart, if more than reconnect.max_attempts"
        ),
        .text("probe.login_page", \.probe.loginPage, "the address that opens a captive portal's login page"),
        .duration("probe.timeout", \.probe.timeout, "the time limit for a response to the captive portal probe"),
        .duration("http.timeout", \.http.timeout, "the time limit for one HTTP exchange"),
        .duration("sync.timeout", \.sync.timeout, "how long the client waits for a replay"),
        .duration("sync.retry", \.sync.retry, "the delay after a failed catch-up over HTTP"),
        .duration(
            "sync.stream_limit",
            \.sync.streamLimit,
            "how long after a reconnect a message that was cut off while streaming stays visible without another piece"
        ),
        .duration("poll.interval", \.poll.interval, "the interval between two polls while degraded"),
        .duration(
            "send.pending_limit",
            \.send.pendingLimit,
            "how long a sent message may be unconfirmed before it counts as failed"
        ),
        .flag(
            "send.auto_retry",
            \.send.autoRetry,
            "whether failed messages are sent again after a reconnect or when polling begins"
        ),
        .words("send.queued_tone", \.send.queuedTone, "the colour of a queued message's status icon"),
        .integer(
            "flush.per_minute",
            0...1_000_000,
            \.flush.perMinute,
            "the maximum number of messages of a backlog sent per minute; 0 for no limit"
        ),
        .duration(
            "flush.default_pause",
            \.flush.defaultPause,
            "the pause after a rate_limited error that specifies none"
        ),
        .integer("upload.chunk", 1...131_072, \.upload.chunk, "the size of the first chunk of a file, in bytes"),
        .integer("upload.chunk_min", 1...131_072, \.upload.chunkMin, "the smallest size of a chunk, in bytes"),
        .integer("upload.chunk_max", 1...131_072, \.upload.chunkMax, "the largest size of a chunk, in bytes"),
        .integer(
            "upload.lower_after",
            1...1_000,
            \.upload.lowerAfter,
            "the number of consecutive failed chunks after which the chunk size is halved"
        ),
        .integer(
            "upload.raise_after",
            1...1_000,
            \.upload.raiseAfter,
            "the number of consecutive successful chunks after which the chunk size is doubled"
        ),
        .duration("upload.slow_limit", \.upload.slowLimit, "the round trip above which the chunk size is halved"),
        .duration("upload.retry", \.upload.retry, "the delay after a failed chunk"),
        .integer(
            "cache.per_conversation",
            0...100_000,
            \.cache.perConversation,
            "the number of newest messages kept on disk"
        ),
        .integer("history.page", 1...10_000, \.history.page, "messages per requested page"),
        .integer(
            "history.join_pages",
            0...10_000,
            \.history.joinPages,
            "the maximum number of older pages requested to close a gap; then the messages before the gap are dropped"
        ),
        .duration("banner.grace", \.banner.grace, "the delay before the banner reports a first connection's failure"),
        .duration("banner.reappear", \.banner.reappear, "the time from its dismissal until the banner returns"),
        .duration("banner.error_duration", \.banner.errorDuration, "how long an error is shown"),
        .words("banner.style", \.banner.style, "whether a lost network is shown in red or, calmly, in grey"),
        .duration("toast.duration", \.toast.duration, "how long a toast is shown"),
        .integer(
            "device.epoch",
            0...253_402_300_799_999,
            \.device.epoch,
            "the phone's clock at the start, ms since 1970"
        ),
        .duration("device.clock_skew", \.device.clockSkew, "how far the phone's clock is ahead"),
        .duration("device.clock_jump", \.device.clockJump, "how far the phone's clock jumps ahead during the run"),
        .duration(
            "device.clock_jumps_at",
            \.device.clockJumpsAt,
            "the time from the run's beginning until the clock jumps"
        ),
        .duration(
            "device.sleep_tolerance",
            \.device.sleepTolerance,
            "how late a timer may fire before the client assumes that the process was suspended"
        ),
        .duration(
            "device.transfer_retry",
            \.device.transferRetry,
            "the delay after a failed request of the phone's transfer service"
        ),
        .duration(
            "device.transfer_timeout",
            \.device.transferTimeout,
            "how long the transfer service waits for a response"
        ),
        .integer(
            "media.limit",
            1...16_777_216,
            \.media.limit,
            "the size limit in bytes; every image is compressed until it is smaller"
        ),
        .integer("media.step_percent", 1...99, \.media.stepPercent, "percent of an image that each compression keeps"),
        .integer(
            "media.tries",
            1...1_000,
            \.media.tries,
            "the number of consecutive failed requests after which an image counts as failed"
        ),
        .integer("images.visible", 1...1_000, \.images.visible, "the number of rows that are visible at the same time"),
        .integer("images.margin", 0...1_000, \.images.margin, "further rows on either side whose images are fetched"),
        .integer(
            "images.cache",
            0...1_000_000_000,
            \.images.cache,
            "the limit of the image cache in bytes; visible images are always kept"
        ),
        .integer("images.width", 1...10_000, \.images.width, "the largest width of an image's bubble, in points"),
        .integer("images.height", 1...10_000, \.images.height, "the largest height of an image's bubble, in points"),
        .words("delete.offered", \.delete.offered, "the messages for which the menu offers deletion"),
        .duration("delete.undo_for", \.delete.undoFor, "how long a deletion can be undone before it is sent"),
        .duration("delete.retry", \.delete.retry, "the delay after a failed request for a deletion"),
        .duration(
            "device.push_delay",
            \.device.pushDelay,
            "the time from the server's push until the phone receives it"
        ),
        .duration(
            "device.share_write",
            \.device.shareWrite,
            "the time in which the share extension writes a message or an image"
        ),
        .integer("push.max_tries", 1...100, \.push.maxTries, "attempts to save the push token, the first included"),
        .duration("push.base", \.push.base, "the delay before the second attempt; doubled each time"),
        .integer(
            "push.jitter_percent",
            0...100,
            \.push.jitterPercent,
            "percent by which the delay between attempts may be longer"
        ),
        .integer(
            "notification.body_limit",
            1...10_000,
            \.notification.bodyLimit,
            "the length limit of a notification's text in characters, including the ellipsis"
        ),
        .text("notification.category", \.notification.category, "the notification category of messages"),
        .text("notification.settings_page", \.notification.settingsPage, "the URL of the app's page in the settings"),
        .flag(
            "notification.check_on_appear",
            \.notification.checkOnAppear,
            "whether the permission for notifications is read when a conversation or the list appears"
        ),
        .flag(
            "notification.check_on_foreground",
            \.notification.checkOnForeground,
            "whether the permission for notifications is read on return to the foreground"
        ),
        .words(
            "notification.asks",
            \.notification.asks,
            "when the app asks for the permission to show notifications: never within a scenario, or after a send"
        ),
        .duration(
            "screen.transition",
            \.screen.transition,
            "the time from the appearance of a screen until the previous one has disappeared"
        ),
        .duration("screen.highlight", \.screen.highlight, "how long a tapped notification's message is highlighted"),
        .duration("history.debounce", \.history.debounce, "the pause before scrolling loads another page of history"),
        .flag(
            "start.partners",
            \.start.asksForPartners,
            "whether a start fetches the chat partners, and opens the first one's conversation if none was open before"
        ),
        .flag(
            "switch.keep_dimmed",
            \.switching.keepsDimmed,
            "whether the previous conversation's rows stay, dimmed, until the next one has loaded"
        ),
        .words(
            "unread.clear_on",
            \.unread.clearOn,
            "when a message is marked as read: when its conversation opens, or when it is visible"
        ),
        .duration("unread.refresh", \.unread.refresh, "the interval at which unread counts are fetched; 0 for never"),
        .duration("unread.retry", \.unread.retry, "the delay after a failed request to mark a conversation as read"),
        .integer("view.height", 1...1_000, \.view.height, "messages that fit on the screen"),
        .flag(
            "view.place_shown",
            \.view.showsPlace,
            "whether the scroll position is reported before the user first scrolls"
        ),
        .integer("badge.limit", 0...1_000_000, \.badge.limit, "the highest number on a badge; 0 for no limit"),
        .words("badge.tone", \.badge.tone, "the colour of badges"),
        .duration("people.refresh", \.people.refresh, "the interval at which partners are fetched; 0 for never"),
        .duration(
            "people.retry_base",
            \.people.retryBase,
            "the delay after a failed fetch of partners; doubled each time"
        ),
        .integer("people.max_tries", 1...100, \.people.maxTries, "attempts to fetch the partners, the first included"),
        .flag("times.shown", \.times.isShown, "whether messages show their times, with day headings between them"),
        .duration("times.utc_offset", \.times.utcOffset, "how far the phone's time zone is ahead of UTC"),
    ]
}
