package import SquallCore

extension ClientProfile {
    /// Every value under its name in scenario files.
    package static let fields: [ProfileField<ClientProfile>] = numbers + labels + texts

    private static let numbers: [ProfileField<ClientProfile>] = [
        .duration("connect.timeout", \.connect.timeout, "for TCP, upgrade, hello and connected together"),
        .text("connect.host", \.connect.host, "the server's name, as the Host header gives it"),
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
            "bytes of the largest message that the client takes, which it tells the server; 0 for any"
        ),
        .integer(
            "connect.compress_above",
            0...16_777_216,
            \.connect.compressAbove,
            "bytes of a message up to which it goes uncompressed; 0 offers no compression"
        ),
        .text(
            "connect.other_hosts",
            \.connect.otherHosts,
            "servers beside connect.host that are tried in turn when an attempt fails, with blanks between them"
        ),
        .flag("connect.proves_fresh", \.connect.provesFresh, "whether each login carries a nonce and its time"),
        .duration("reconnect.base", \.reconnect.base, "the first delay; each further one is twice as long"),
        .duration("reconnect.cap", \.reconnect.cap, "the longest delay, before jitter"),
        .duration("reconnect.floor", \.reconnect.floor, "the shortest delay, after jitter"),
        .integer(
            "reconnect.jitter_percent",
            0...100,
            \.reconnect.jitterPercent,
            "by how much a delay may be shorter or longer; 0 for exact delays"
        ),
        .integer(
            "reconnect.max_attempts",
            0...1_000_000,
            \.reconnect.maxAttempts,
            "failed attempts in a row before the client gives up; 0 for never"
        ),
        .words("reconnect.on_exhausted", \.reconnect.onExhausted, "what follows the last attempt"),
        .duration("reconnect.breaker_pause", \.reconnect.breakerPause, "with breaker: between two single tries"),
        .duration("heartbeat.interval", \.heartbeat.interval, "between two pings of the client; 0 for none"),
        .duration("heartbeat.pong_limit", \.heartbeat.pongLimit, "from an unanswered ping until the link is dead"),
        .duration("heartbeat.slow_limit", \.heartbeat.slowLimit, "the round trip from which on the link is slow"),
        .duration(
            "heartbeat.server_limit",
            \.heartbeat.serverLimit,
            "between two pings of the server until the link is dead; 0 where it sends none"
        ),
        .duration("background.allowance", \.background.allowance, "in the background until the connection is closed"),
        .duration("drain.default_retry_after", \.drain.defaultRetryAfter, "the wait where draining names none"),
        .integer("drain.jitter_percent", 0...100, \.drain.jitterPercent, "by how much the wait may be longer"),
        .text("probe.login_page", \.probe.loginPage, "the address that a captive portal's login is opened with"),
        .duration("probe.timeout", \.probe.timeout, "for one answer to the captive portal probe"),
        .duration("http.timeout", \.http.timeout, "for one HTTP exchange"),
        .duration("sync.timeout", \.sync.timeout, "how long a replay is waited for"),
        .duration("sync.retry", \.sync.retry, "from a catch-up by HTTP that failed to the next"),
        .duration("poll.interval", \.poll.interval, "between two polls while degraded"),
        .duration("send.pending_limit", \.send.pendingLimit, "on the wire without confirmation until failed"),
        .flag("send.auto_retry", \.send.autoRetry, "whether failed messages are sent again after a reconnect"),
        .integer(
            "flush.per_minute",
            0...1_000_000,
            \.flush.perMinute,
            "messages a minute of a backlog; 0 for no limit"
        ),
        .duration("flush.default_pause", \.flush.defaultPause, "after rate_limited without a span of its own"),
        .integer("upload.chunk", 1...131_072, \.upload.chunk, "bytes of a file that go at once, to begin with"),
        .integer("upload.chunk_min", 1...131_072, \.upload.chunkMin, "the fewest bytes of a file that go at once"),
        .integer("upload.chunk_max", 1...131_072, \.upload.chunkMax, "the most bytes of a file that go at once"),
        .integer(
            "upload.lower_after",
            1...1_000,
            \.upload.lowerAfter,
            "chunks in a row that fail before they are halved"
        ),
        .integer(
            "upload.raise_after",
            1...1_000,
            \.upload.raiseAfter,
            "chunks in a row that go well before they are doubled"
        ),
        .duration("upload.slow_limit", \.upload.slowLimit, "for a chunk and its answer; what takes longer is halved"),
        .duration("upload.retry", \.upload.retry, "from a chunk that failed to the next"),
        .integer("cache.per_conversation", 0...100_000, \.cache.perConversation, "newest messages kept on disk"),
        .integer("history.page", 1...10_000, \.history.page, "messages asked for at once"),
        .duration("banner.grace", \.banner.grace, "until a first connection that has failed is told"),
        .duration("banner.reappear", \.banner.reappear, "from its dismissal until the banner comes back"),
        .duration("banner.error_duration", \.banner.errorDuration, "how long an error stays"),
        .duration("toast.duration", \.toast.duration, "how long a toast stays"),
        .integer(
            "device.epoch",
            0...253_402_300_799_999,
            \.device.epoch,
            "the phone's clock at the start, ms since 1970"
        ),
        .duration("device.clock_skew", \.device.clockSkew, "how far the phone's clock is ahead"),
        .duration(
            "device.sleep_tolerance",
            \.device.sleepTolerance,
            "how late a deadline may be found before it is taken for a sleep of the process"
        ),
        .duration(
            "device.transfer_retry",
            \.device.transferRetry,
            "from a request of the phone's transfer service that failed to the next"
        ),
        .duration(
            "device.transfer_timeout",
            \.device.transferTimeout,
            "how long the transfer service waits for an answer"
        ),
        .integer("media.limit", 1...16_777_216, \.media.limit, "bytes below which every image that is sent is brought"),
        .integer("media.step_percent", 1...99, \.media.stepPercent, "what a step down in quality leaves of an image"),
        .integer("media.tries", 1...1_000, \.media.tries, "requests in a row that fail until an image has failed"),
        .integer("images.visible", 1...1_000, \.images.visible, "rows on the screen at once"),
        .integer("images.margin", 0...1_000, \.images.margin, "rows beside them whose images are fetched, too"),
        .integer(
            "images.cache",
            0...1_000_000_000,
            \.images.cache,
            "bytes of images that are kept, beside those in sight"
        ),
        .integer("images.width", 1...10_000, \.images.width, "points that an image's bubble is wide at most"),
        .integer("images.height", 1...10_000, \.images.height, "points that an image's bubble is high at most"),
        .words("delete.offered", \.delete.offered, "whose messages can be deleted, as far as the menu is concerned"),
        .duration("delete.undo_for", \.delete.undoFor, "how long a deletion can be undone, and is not sent"),
        .duration("delete.retry", \.delete.retry, "from a deletion's request that failed to the next"),
        .duration("device.push_delay", \.device.pushDelay, "from the server's push until the phone has it"),
        .integer("push.max_tries", 1...100, \.push.maxTries, "tries to save the push token, the first included"),
        .duration("push.base", \.push.base, "between the first two of them; each further delay is twice as long"),
        .integer("push.jitter_percent", 0...100, \.push.jitterPercent, "by how much such a delay may be longer"),
        .integer(
            "notification.body_limit",
            1...10_000,
            \.notification.bodyLimit,
            "characters of a notification's text, an ellipsis included"
        ),
        .text("notification.category", \.notification.category, "what the phone knows such notifications by"),
        .text("notification.settings_page", \.notification.settingsPage, "the app's page in the phone's settings"),
        .flag(
            "notification.check_on_appear",
            \.notification.checkOnAppear,
            "whether the permission to notify is read when a conversation appears"
        ),
        .flag(
            "notification.check_on_foreground",
            \.notification.checkOnForeground,
            "whether the permission to notify is read in the foreground"
        ),
        .duration(
            "screen.transition",
            \.screen.transition,
            "from the appearance of a screen until the one before it has disappeared"
        ),
        .duration("screen.highlight", \.screen.highlight, "how long a message stands out that was tapped for"),
        .duration("history.debounce", \.history.debounce, "after a page of history until a scroll loads another"),
        .flag(
            "start.partners",
            \.start.asksForPartners,
            "whether a start asks whom there is to write to, and looks at the first where there was no conversation"
        ),
        .flag(
            "switch.keep_dimmed",
            \.switching.keepsDimmed,
            "whether rows stay, dimmed, until the next conversation has its own"
        ),
        .words("unread.clear_on", \.unread.clearOn, "when an opened conversation counts as read"),
        .duration("unread.refresh", \.unread.refresh, "between two looks at the server's counts; 0 for none"),
        .duration("unread.retry", \.unread.retry, "from a reading that could not be told to the next try"),
        .integer("view.height", 1...1_000, \.view.height, "messages that fit on the screen"),
        .integer("badge.limit", 0...1_000_000, \.badge.limit, "the highest number on a badge; 0 for no limit"),
        .words("badge.tone", \.badge.tone, "the colour of badges"),
        .duration("people.refresh", \.people.refresh, "between two looks at who is there; 0 for none"),
        .duration("people.retry_base", \.people.retryBase, "from a look that failed to the next; doubled each time"),
        .integer("people.max_tries", 1...100, \.people.maxTries, "all tries to learn who is there"),
        .flag("times.shown", \.times.isShown, "whether messages carry their times, and days stand between them"),
        .duration("times.utc_offset", \.times.utcOffset, "how far the phone's zone is ahead of UTC"),
    ]

    private static let labels: [ProfileField<ClientProfile>] = [
        .text("label.idle", \.text.label.idle, "the badge before the start"),
        .text("label.connecting", \.text.label.connecting, "the badge during a first connection"),
        .text("label.authenticating", \.text.label.authenticating, "the badge while the key is checked"),
        .text("label.connected", \.text.label.connected, "the badge while connected"),
        .text("label.reconnecting", \.text.label.reconnecting, "the badge while reconnecting"),
        .text("label.degraded", \.text.label.degraded, "the badge while polling; {interval}"),
        .text("label.offline", \.text.label.offline, "the badge without a network"),
        .text("label.captive_portal", \.text.label.captivePortal, "the badge behind a captive portal"),
        .text("label.draining", \.text.label.draining, "the badge while the server restarts as announced"),
        .text("label.auth_required", \.text.label.authRequired, "the badge when the key is refused or missing"),
        .text("label.unavailable", \.text.label.unavailable, "the badge when attempts are spent"),
        .text("label.suspended", \.text.label.suspended, "the badge in the background"),
    ]

    private static let texts: [ProfileField<ClientProfile>] = [
        .text("text.banner.reconnecting", \.text.banner.reconnecting, "the banner while reconnecting"),
        .text("text.banner.polling", \.text.banner.polling, "the banner while polling; {interval}"),
        .text("text.banner.offline", \.text.banner.offline, "the banner without a network"),
        .text("text.banner.offline_queued", \.text.banner.offlineQueued, "the same with messages waiting; {count}"),
        .text("text.banner.captive_portal", \.text.banner.captivePortal, "the banner behind a captive portal"),
        .text("text.banner.unavailable", \.text.banner.unavailable, "the banner when attempts are spent"),
        .text("text.banner.rate_limited", \.text.banner.rateLimited, "the banner while sending is paused"),
        .text("text.banner.key_refused", \.text.banner.keyRefused, "the banner after auth_error"),
        .text("text.banner.key_missing", \.text.banner.keyMissing, "the banner without a key"),
        .text("text.banner.version", \.text.banner.version, "the banner for a newer auth_version; {version}"),
        .text("text.banner.refresh_failed", \.text.banner.refreshFailed, "the banner after a failed refresh"),
        .text("text.banner.read_refused", \.text.banner.readRefused, "the banner after a reading that was refused"),
        .text("text.banner.error", \.text.banner.error, "the banner for an error of the server; {message}"),
        .text(
            "text.banner.session_locked",
            \.text.banner.sessionLocked,
            "the banner while the message before is worked on"
        ),
        .text(
            "text.banner.command_not_sent",
            \.text.banner.commandNotSent,
            "the banner for a command without a connection"
        ),
        .text(
            "text.banner.command_unanswered",
            \.text.banner.commandUnanswered,
            "the banner for a command whose connection was lost before its answer"
        ),
        .text("text.banner.stop_not_sent", \.text.banner.stopNotSent, "the banner for a stop without a connection"),
        .text("text.toast.synced", \.text.toast.synced, "the toast after a reconnect; {count}"),
        .text("text.alert.portal_title", \.text.alert.portalTitle, "the title of the captive portal alert"),
        .text("text.alert.portal_text", \.text.alert.portalText, "the body of the captive portal alert"),
        .text("text.alert.portal_open", \.text.alert.portalOpen, "the alert's button to the login page"),
        .text("text.alert.portal_retry", \.text.alert.portalRetry, "the alert's button to try again"),
        .text("text.header.queued", \.text.header.queued, "the header with messages queued; {count}"),
        .text("text.header.queued_one", \.text.header.queuedOne, "the header with one message queued"),
        .text("text.message.failed", \.text.message.failed, "below a failed message"),
        .text("text.message.queued", \.text.message.queued, "below a queued message"),
        .text("text.message.image_failed", \.text.message.imageFailed, "below an image that was not uploaded"),
        .text(
            "text.message.image_refused",
            \.text.message.imageRefused,
            "below an image that the server does not take"
        ),
        .text("text.message.deleted", \.text.message.deleted, "in the place of a deleted message"),
        .text("text.message.unsupported", \.text.message.unsupported, "in the place of content of an unknown kind"),
        .text("text.menu.delete", \.text.menu.delete, "the menu's way to delete a message"),
        .text("text.menu.retry", \.text.menu.retry, "the menu's way to send a failed message again"),
        .text("text.dialog.delete", \.text.dialog.delete, "what is asked before a message is deleted"),
        .text("text.dialog.confirm", \.text.dialog.confirm, "the button that deletes"),
        .text("text.dialog.cancel", \.text.dialog.cancel, "the button that does not"),
        .text("text.banner.delete_refused", \.text.banner.deleteRefused, "the banner for a deletion that was refused"),
        .text("text.explanation.queued", \.text.explanation.queued, "what queued means"),
        .text("text.explanation.sending", \.text.explanation.sending, "what sending means"),
        .text("text.explanation.failed", \.text.explanation.failed, "what failed means"),
        .text("text.explanation.delivered", \.text.explanation.delivered, "what delivered means"),
        .text("text.explanation.deleted", \.text.explanation.deleted, "what deleted means"),
        .text("text.notification.title", \.text.notification.title, "a notification's title; {name}"),
        .text("text.notification.raw_title", \.text.notification.rawTitle, "the same by the id alone; {id}"),
        .text("text.notification.summary", \.text.notification.summary, "a group of them; {count}, {name}"),
        .text("text.notification.reply", \.text.notification.reply, "the button to answer with"),
        .text("text.notification.view", \.text.notification.view, "the button to open it with"),
        .text("text.notification.dismiss", \.text.notification.dismiss, "the button to put it away with"),
        .text("text.permission.denied", \.text.permission.denied, "the banner where notifications are denied"),
        .text("text.permission.settings", \.text.permission.settings, "its button"),
        .text("text.permission.label", \.text.permission.label, "what a screen reader says of it"),
        .text("text.deep_link.absent", \.text.deepLink.absent, "a tapped conversation that is gone"),
        .text("text.deep_link.forbidden", \.text.deepLink.forbidden, "one that is not this user's"),
        .text("text.deep_link.unreachable", \.text.deepLink.unreachable, "one that could not be fetched; {reason}"),
        .text("text.deep_link.message_gone", \.text.deepLink.messageGone, "a tapped message that is gone"),
        .text("text.banner.history_failed", \.text.banner.historyFailed, "the banner after a failed page of history"),
        .text("text.loading.first", \.text.loading.first, "in the place of messages, before there is a conversation"),
        .text("text.loading.conversation", \.text.loading.conversation, "in the place of messages; {name}"),
        .text("text.empty.clear", \.text.empty.clear, "an empty conversation"),
        .text("text.empty.never_written", \.text.empty.neverWritten, "one with a partner who is known"),
        .text("text.empty.suggestions", \.text.empty.suggestions, "what it offers to say, with | between"),
        .text("text.history.load_earlier", \.text.history.loadEarlier, "the control for older messages"),
        .text("text.history.loading", \.text.history.loading, "the same while they are on their way"),
        .text("text.header.neutral", \.text.header.neutral, "the second line above the messages without a status text"),
        .text("text.header.online", \.text.header.online, "the second line of a group; {count} of {all}"),
        .text("text.header.last_seen", \.text.header.lastSeen, "for somebody who is not there; {time}"),
        .text("text.time.now", \.text.time.now, "the time of what is younger than a minute"),
        .text("text.time.minutes", \.text.time.minutes, "of what is younger than an hour; {count}"),
        .text("text.time.hours", \.text.time.hours, "of what is younger than a day; {count}"),
        .text("text.time.days", \.text.time.days, "of all else; {count}"),
        .text("text.time.today", \.text.time.today, "above today's messages"),
        .text("text.time.yesterday", \.text.time.yesterday, "above yesterday's messages"),
        .text(
            "text.time.weekdays",
            \.text.time.weekdays,
            "above those of the six days before, from Monday; blanks between"
        ),
    ]
}

private typealias Path<Value> = WritableKeyPath<ClientProfile, Value> & Sendable

extension ProfileField<ClientProfile> {
    fileprivate static func text(_ name: String, _ path: any Path<String>, _ meaning: String) -> Self {
        ProfileField(name, .text, meaning) {
            .text($0[keyPath: path])
        } set: {
            if case .text(let text) = $1 { $0[keyPath: path] = text }
        }
    }

    fileprivate static func flag(_ name: String, _ path: any Path<Bool>, _ meaning: String) -> Self {
        ProfileField(name, .flag, meaning) {
            .flag($0[keyPath: path])
        } set: {
            if case .flag(let flag) = $1 { $0[keyPath: path] = flag }
        }
    }

    /// A number outside the range is ignored, as one of the wrong kind is.
    fileprivate static func integer(
        _ name: String,
        _ range: ClosedRange<Int64>,
        _ path: any Path<Int64>,
        _ meaning: String
    ) -> Self {
        ProfileField(name, .integer(range), meaning) {
            .integer($0[keyPath: path])
        } set: {
            if case .integer(let number) = $1, range.contains(number) { $0[keyPath: path] = number }
        }
    }

    fileprivate static func duration(_ name: String, _ path: any Path<TimeSpan>, _ meaning: String) -> Self {
        ProfileField(name, .duration, meaning) {
            .duration($0[keyPath: path])
        } set: {
            if case .duration(let span) = $1 { $0[keyPath: path] = span }
        }
    }

    fileprivate static func words<Word: RawRepresentable<String> & CaseIterable & SendableMetatype>(
        _ name: String,
        _ path: any Path<Word>,
        _ meaning: String
    ) -> Self {
        ProfileField(name, .word(Word.allCases.map(\.rawValue)), meaning) {
            .text($0[keyPath: path].rawValue)
        } set: {
            if case .text(let text) = $1, let word = Word(rawValue: text) { $0[keyPath: path] = word }
        }
    }
}
