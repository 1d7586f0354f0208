import SquallCore

extension ClientProfile {
    static let labels: [ProfileField<ClientProfile>] = [
        .text("label.idle", \.text.label.idle, "the badge before the start"),
        .text("label.connecting", \.text.label.connecting, "the badge during a first connection"),
        .text("label.authenticating", \.text.label.authenticating, "the badge while the key is checked"),
        .text("label.connected", \.text.label.connected, "the badge while connected"),
        .text("label.reconnecting", \.text.label.reconnecting, "the badge while reconnecting"),
        .text("label.degraded", \.text.label.degraded, "the badge while polling; {interval}"),
        .text("label.offline", \.text.label.offline, "the badge without a network"),
        .text("label.captive_portal", \.text.label.captivePortal, "the badge behind a captive portal"),
        .text("label.draining", \.text.label.draining, "the badge while the server restarts as announced"),
        .text("label.auth_required", \.text.label.authRequired, "the badge when the key is rejected or missing"),
        .text("label.unavailable", \.text.label.unavailable, "the badge when all attempts have failed"),
        .text("label.suspended", \.text.label.suspended, "the badge in the background"),
    ]

    static let texts: [ProfileField<ClientProfile>] = [
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
        .text("text.banner.disk_full", \.text.banner.diskFull, "the banner while the phone's storage is full"),
        .text("text.banner.refresh_failed", \.text.banner.refreshFailed, "the banner after a failed refresh"),
        .text(
            "text.banner.read_refused",
            \.text.banner.readRefused,
            "the banner after a rejected request to mark as read"
        ),
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
        .text("text.banner.partners_failed", \.text.banner.partnersFailed, "the banner after a start without contacts"),
        .text("text.banner.file_refused", \.text.banner.fileRefused, "the banner after a rejected shared file"),
        .text(
            "text.banner.send_failed",
            \.text.banner.sendFailed,
            "the banner after a message has failed in a conversation that is not open; {name}"
        ),
        .text("text.toast.synced", \.text.toast.synced, "the toast after a reconnect; {count}"),
        .text("text.alert.portal_title", \.text.alert.portalTitle, "the title of the captive portal alert"),
        .text("text.alert.portal_text", \.text.alert.portalText, "the body of the captive portal alert"),
        .text("text.alert.portal_open", \.text.alert.portalOpen, "the alert's button to the login page"),
        .text("text.alert.portal_retry", \.text.alert.portalRetry, "the alert's button to try again"),
        .text("text.header.queued", \.text.header.queued, "the header with messages queued; {count}"),
        .text("text.header.queued_one", \.text.header.queuedOne, "the header with one message queued"),
        .text("text.message.failed", \.text.message.failed, "the hint below a failed message"),
        .text(
            "text.message.refused",
            \.text.message.refused,
            "the hint below a message that the server rejects for good"
        ),
        .text("text.message.queued", \.text.message.queued, "the hint below a queued message"),
        .text("text.message.image_failed", \.text.message.imageFailed, "the hint below an image that was not uploaded"),
        .text(
            "text.message.image_refused",
            \.text.message.imageRefused,
            "the hint below an image that the server rejects"
        ),
        .text("text.message.deleted", \.text.message.deleted, "shown in place of a deleted message"),
        .text("text.message.unsupported", \.text.message.unsupported, "shown in place of content of an unknown type"),
        .text("text.menu.delete", \.text.menu.delete, "the menu item that deletes a message"),
        .text("text.menu.retry", \.text.menu.retry, "the menu item that sends a failed message again"),
        .text("text.dialog.delete", \.text.dialog.delete, "the question before a message is deleted"),
        .text("text.dialog.confirm", \.text.dialog.confirm, "the button that confirms a deletion"),
        .text("text.dialog.cancel", \.text.dialog.cancel, "the button that cancels a deletion"),
        .text("text.banner.delete_refused", \.text.banner.deleteRefused, "the banner after a rejected deletion"),
        .text("text.explanation.queued", \.text.explanation.queued, "the explanation of queued"),
        .text("text.explanation.sending", \.text.explanation.sending, "the explanation of sending"),
        .text("text.explanation.failed", \.text.explanation.failed, "the explanation of failed"),
        .text(
            "text.explanation.refused",
            \.text.explanation.refused,
            "the explanation of failed for a message that cannot be sent again"
        ),
        .text("text.explanation.delivered", \.text.explanation.delivered, "the explanation of delivered"),
        .text("text.explanation.deleted", \.text.explanation.deleted, "the explanation of deleted"),
        .text(
            "text.explanation.deleting",
            \.text.explanation.deleting,
            "the explanation of deleted before the server has confirmed it"
        ),
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
        .text("text.banner.list_failed", \.text.banner.listFailed, "the banner after a failed request for the list"),
        .text("text.loading.first", \.text.loading.first, "shown in place of messages while no conversation is known"),
        .text(
            "text.loading.conversation",
            \.text.loading.conversation,
            "shown in place of messages while they load; {name}"
        ),
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

/// A key path to a writable value of the profile.
typealias ClientProfilePath<Value> = WritableKeyPath<ClientProfile, Value> & Sendable

extension ProfileField<ClientProfile> {
    static func text(_ name: String, _ path: any ClientProfilePath<String>, _ meaning: String) -> Self {
        ProfileField(name, .text, meaning) {
            .text($0[keyPath: path])
        } set: {
            if case .text(let text) = $1 { $0[keyPath: path] = text }
        }
    }

    static func flag(_ name: String, _ path: any ClientProfilePath<Bool>, _ meaning: String) -> Self {
        ProfileField(name, .flag, meaning) {
            .flag($0[keyPath: path])
        } set: {
            if case .flag(let flag) = $1 { $0[keyPath: path] = flag }
        }
    }

    /// Creates a field with an integer value; its setter ignores numbers outside `range` and values of other kinds.
    static func integer(
        _ name: String,
        _ range: ClosedRange<Int64>,
        _ path: any ClientProfilePath<Int64>,
        _ meaning: String
    ) -> Self {
        ProfileField(name, .integer(range), meaning) {
            .integer($0[keyPath: path])
        } set: {
            if case .integer(let number) = $1, range.contains(number) { $0[keyPath: path] = number }
        }
    }

    static func duration(_ name: String, _ path: any ClientProfilePath<TimeSpan>, _ meaning: String) -> Self {
        ProfileField(name, .duration, meaning) {
            .duration($0[keyPath: path])
        } set: {
            if case .duration(let span) = $1 { $0[keyPath: path] = span }
        }
    }

    static func words<Word: RawRepresentable<String> & CaseIterable & SendableMetatype>(
        _ name: String,
        _ path: any ClientProfilePath<Word>,
        _ meaning: String
    ) -> Self {
        ProfileField(name, .word(Word.allCases.map(\.rawValue)), meaning) {
            .text($0[keyPath: path].rawValue)
        } set: {
            if case .text(let text) = $1, let word = Word(rawValue: text) { $0[keyPath: path] = word }
        }
    }
}
