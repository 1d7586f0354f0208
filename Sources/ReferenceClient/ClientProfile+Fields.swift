package import SquallCore

extension ClientProfile {
    /// Every value of the profile with its name in scenario files.
    package static let fields: [ProfileField<ClientProfile>] = numbers + labels + texts

    private static let numbers: [ProfileField<ClientProfile>] = [
        .duration("connect.timeout", \.connect.timeout, "the limit for TCP, upgrade, hello and connected together"),
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
            "bytes of the largest message that the client accepts, announced to the server; 0 for no limit"
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
            "servers besides connect.host, separated by blanks, that are tried in turn when an attempt fails"
        ),
        .flag("connect.proves_fresh", \.connect.provesFresh, "whether each login carries a nonce and a timestamp"),
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
        .duration("reconnect.breaker_pause", \.reconnect.breakerPause, "with breaker: the pause before each attempt"),
        .duration(
            "reconnect.polling_pause",
            \.reconnect.pollingPause,
            "with poll: the pause before each attempt, give or take the jitter; 0 for no attempts"
        ),
        .duration("heartbeat.interval", \.heartbeat.interval, "the interval between the client's pings; 0 for none"),
        .duration("heartbeat.pong_limit", \.heartbeat.pongLimit, "from an unanswered ping until the link is dead"),
        .duration("heartbeat.slow_limit", \.heartbeat.slowLimit, "the shortest round trip that counts as slow"),
        .duration(
            "heartbeat.server_limit",
            \.heartbeat.serverLimit,
            "from a ping of the server until the link counts as dead without the next; 0 if it sends none"
        ),
        .duration(
            "background.allowance",
            \.background.allowance,
            "the time in the background before the client disconnects"
        ),
        .duration("drain.default_retry_after", \.drain.defaultRetryAfter, "the wait when draining names none"),
        .integer("drain.jitter_percent", 0...100, \.drain.jitterPercent, "percent by which the wait may be longer"),
        .text("probe.login_page", \.probe.loginPage, "the address that opens a captive portal's login page"),
        .duration("probe.timeout", \.probe.timeout, "the limit for an answer to the captive portal probe"),
        .duration("http.timeout", \.http.timeout, "the limit for one HTTP exchange"),
        .duration("sync.timeout", \.sync.timeout, "how long the client waits for a replay"),
        .duration("sync.retry", \.sync.retry, "the delay after a failed catch-up over HTTP"),
        .duration("poll.interval", \.poll.interval, "the interval between two polls while degraded"),
        .duration("send.pending_limit", \.send.pendingLimit, "how long a sent message may lack its confirmation"),
        .flag("send.auto_retry", \.send.autoRetry, "whether failed messages are sent again after a reconnect"),
        .integer(
            "flush.per_minute",
            0...1_000_000,
            \.flush.perMinute,
            "messages of a backlog sent per minute; 0 for no limit"
        ),
        .duration("flush.default_pause", \.flush.defaultPause, "the pause after a rate_limited that names none"),
        .integer("upload.chunk", 1...131_072, \.upload.chunk, "the size of the first chunk of a file, in bytes"),
        .integer("upload.chunk_min", 1...131_072, \.upload.chunkMin, "the smallest size of a chunk, in bytes"),
        .integer("upload.chunk_max", 1...131_072, \.upload.chunkMax, "the largest size of a chunk, in bytes"),
        .integer(
            "upload.lower_after",
            1...1_000,
            \.upload.lowerAfter,
            "consecutive failed chunks until the chunk size is halved"
        ),
        .integer(
            "upload.raise_after",
            1...1_000,
            \.upload.raiseAfter,
            "consecutive successful chunks until the chunk size is doubled"
        ),
        .duration("upload.slow_limit", \.upload.slowLimit, "the round trip above which the chunk size is halved"),
        .duration("upload.retry", \.upload.retry, "the delay after a failed chunk"),
        .integer("cache.per_conversation", 0...100_000, \.cache.perConversation, "newest messages kept on disk"),
        .integer("history.page", 1...10_000, \.history.page, "messages per requested page"),
        .duration("banner.grace", \.banner.grace, "the delay before the banner reports a first connection's failure"),
        .duration("banner.reappear", \.banner.reappear, "from its dismissal until the banner comes back"),
        .duration("banner.error_duration", \.banner.errorDuration, "how long an error is shown"),
        .duration("toast.duration", \.toast.duration, "how long a toast is shown"),
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
            "how long the transfer service waits for an answer"
        ),
        .integer("media.limit", 1...16_777_216, \.media.limit, "the size below which every image is compressed"),
        .integer("media.step_percent", 1...99, \.media.stepPercent, "percent of an image that each compression keeps"),
        .integer("media.tries", 1...1_000, \.media.tries, "consecutive failed requests until an image has failed"),
        .integer("images.visible", 1...1_000, \.images.visible, "rows on the screen at once"),
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
        .duration("device.push_delay", \.device.pushDelay, "from the server's push until the phone has it"),
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
            "whether the permission for notifications is read when a conversation appears"
        ),
        .flag(
            "notification.check_on_foreground",
            \.notification.checkOnForeground,
            "whether the permission for notifications is read on return to the foreground"
        ),
        .duration(
            "screen.transition",
            \.screen.transition,
            "from the appearance of a screen until the one before it has disappeared"
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
        .words("unread.clear_on", \.unread.clearOn, "when an opened conversation counts as read"),
        .duration("unread.refresh", \.unread.refresh, "the interval at which unread counts are fetched; 0 for never"),
        .duration("unread.retry", \.unread.retry, "the delay after a failed request to mark a conversation as read"),
        .integer("view.height", 1...1_000, \.view.height, "messages that fit on the screen"),
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
        .text("label.unavailable", \.text.label.unavailable, "the badge when all attempts have failed"),
        .text("label.suspended", \.text.label.suspended, "the badge in the background"),
    ]

    private static let texts: [ProfileField<ClientProfile>] = [
        .text("text.banner.reconnecting", \.text.banner.reconnecting, "the banner while reconnecting"),
        .text("text.banner.polling", \.text.banner.polling, "the banner while polling; {interval}"),
        .text("text.banner.offline", \.text.banner.offline, "the banner without a network"),
        .text(
            "text.banner.offline_queued",
            \.text.banner.offlineQueued,
            "the offline banner with messages queued; {count}"
        ),
        .text("text.banner.captive_portal", \.text.banner.captivePortal, "the banner behind a captive portal"),
        .text("text.banner.unavailable", \.text.banner.unavailable, "the banner when all attempts have failed"),
        .text("text.banner.rate_limited", \.text.banner.rateLimited, "the banner while sending is paused"),
        .text("text.banner.key_refused", \.text.banner.keyRefused, "the banner after auth_error"),
        .text("text.banner.key_missing", \.text.banner.keyMissing, "the banner without a key"),
        .text("text.banner.version", \.text.banner.version, "the banner for a newer auth_version; {version}"),
        .text("text.banner.refresh_failed", \.text.banner.refreshFailed, "the banner after a failed refresh"),
        .text("text.banner.read_refused", \.text.banner.readRefused, "the banner after a refused mark as read"),
        .text("text.banner.error", \.text.banner.error, "the banner for an error of the server; {message}"),
        .text(
            "text.banner.session_locked",
            \.text.banner.sessionLocked,
            "the banner while the server still works on the previous message"
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
        .text("text.message.image_refused", \.text.message.imageRefused, "below an image that the server rejects"),
        .text("text.message.deleted", \.text.message.deleted, "shown in place of a deleted message"),
        .text("text.message.unsupported", \.text.message.unsupported, "shown in place of content of an unknown type"),
        .text("text.menu.delete", \.text.menu.delete, "the menu item that deletes a message"),
        .text("text.menu.retry", \.text.menu.retry, "the menu item that sends a failed message again"),
        .text("text.dialog.delete", \.text.dialog.delete, "the question before a message is deleted"),
        .text("text.dialog.confirm", \.text.dialog.confirm, "the button that confirms a deletion"),
        .text("text.dialog.cancel", \.text.dialog.cancel, "the button that cancels a deletion"),
        .text("text.banner.delete_refused", \.text.banner.deleteRefused, "the banner after a refused deletion"),
        .text("text.explanation.queued", \.text.explanation.queued, "the explanation of queued"),
        .text("text.explanation.sending", \.text.explanation.sending, "the explanation of sending"),
        .text("text.explanation.failed", \.text.explanation.failed, "the explanation of failed"),
        .text("text.explanation.delivered", \.text.explanation.delivered, "the explanation of delivered"),
        .text("text.explanation.deleted", \.text.explanation.deleted, "the explanation of deleted"),
        .text("text.notification.title", \.text.notification.title, "a notification's title; {name}"),
        .text(
            "text.notification.raw_title",
            \.text.notification.rawTitle,
            "a notification's title without a name; {id}"
        ),
        .text(
            "text.notification.summary",
            \.text.notification.summary,
            "the summary of several notifications; {count}, {name}"
        ),
        .text("text.notification.reply", \.text.notification.reply, "a notification's reply button"),
        .text("text.notification.view", \.text.notification.view, "a notification's view button"),
        .text("text.notification.dismiss", \.text.notification.dismiss, "a notification's dismiss button"),
        .text("text.permission.denied", \.text.permission.denied, "the banner when notifications are denied"),
        .text("text.permission.settings", \.text.permission.settings, "the permission banner's button"),
        .text("text.permission.label", \.text.permission.label, "the permission banner's text for screen readers"),
        .text("text.deep_link.absent", \.text.deepLink.absent, "the error for a tapped conversation that is gone"),
        .text("text.deep_link.forbidden", \.text.deepLink.forbidden, "the error for another user's conversation"),
        .text(
            "text.deep_link.unreachable",
            \.text.deepLink.unreachable,
            "the error for a tapped conversation that could not be fetched; {reason}"
        ),
        .text(
            "text.deep_link.message_gone",
            \.text.deepLink.messageGone,
            "the error for a tapped message that is gone"
        ),
        .text("text.banner.history_failed", \.text.banner.historyFailed, "the banner after a failed page of history"),
        .text("text.loading.first", \.text.loading.first, "shown in place of messages while no conversation is known"),
        .text("text.loading.conversation", \.text.loading.conversation, "in place of messages while they load; {name}"),
        .text("text.empty.clear", \.text.empty.clear, "shown in an empty conversation"),
        .text(
            "text.empty.never_written",
            \.text.empty.neverWritten,
            "shown in an empty conversation with a known partner"
        ),
        .text(
            "text.empty.suggestions",
            \.text.empty.suggestions,
            "an empty conversation's suggestions, separated by |"
        ),
        .text("text.history.load_earlier", \.text.history.loadEarlier, "the control for older messages"),
        .text("text.history.loading", \.text.history.loading, "the control for older messages while they load"),
        .text("text.header.neutral", \.text.header.neutral, "the header's second line without a status text"),
        .text("text.header.online", \.text.header.online, "the header's second line for a group; {count} of {all}"),
        .text(
            "text.header.last_seen",
            \.text.header.lastSeen,
            "the header's second line for an offline partner; {time}"
        ),
        .text("text.time.now", \.text.time.now, "the age of a message below one minute"),
        .text("text.time.minutes", \.text.time.minutes, "the age of a message below one hour; {count}"),
        .text("text.time.hours", \.text.time.hours, "the age of a message below one day; {count}"),
        .text("text.time.days", \.text.time.days, "the age of a message of a day or more; {count}"),
        .text("text.time.today", \.text.time.today, "the heading of today's messages"),
        .text("text.time.yesterday", \.text.time.yesterday, "the heading of yesterday's messages"),
        .text(
            "text.time.weekdays",
            \.text.time.weekdays,
            "the headings of the six days before, from Monday, separated by blanks"
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

    /// A field with an integer value; the setter ignores numbers outside `range` and values of other kinds.
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
