/// How the client handles pushes and the notification permission.
package struct NotificationsPolicy: Hashable, Sendable {
    package enum Title: Hashable, Sendable { case isTheName, isTheID }
    package enum Grouping: Hashable, Sendable { case byConversation, none }
    package enum Reply: Hashable, Sendable { case isInline, none }
    package enum Duplicates: Hashable, Sendable { case areOne, areShown }
    /// Where the list of handled pushes is kept: on disk, or in memory, where the end of the process loses it.
    package enum Handled: Hashable, Sendable { case isOnDisk, isInMemory }
    /// When notifications for the open conversation are suppressed: while the user is viewing the conversation, or
    /// never.
    package enum Suppression: Hashable, Sendable { case whileViewed, never }
    /// The users whose notifications the phone shows: only the signed-in user, or any user named in a push.
    package enum Audience: Hashable, Sendable { case signedInUser, everyUser }
    /// When the app reads the notification permission: whenever it may have changed, or only at the first launch.
    package enum Permission: Hashable, Sendable { case isReadAnew, isReadOnce }
    /// The text that the app shows for a message announced by a push: the text fetched from the server, or the push's
    /// own text, which may be truncated.
    package enum Content: Hashable, Sendable { case isFetched, isThePush }
    /// When the app asks for notification permission, if the profile allows it to: after the first message that the
    /// user sends, at each launch, or after each message until the user has allowed notifications.
    package enum Asking: Hashable, Sendable { case afterFirstSend, atLaunch, afterEachSend }
    package enum Banner: Hashable, Sendable { case isShown, none }
    /// When the number on the app's icon is updated: with every change of the unread counts, or only the first time.
    package enum Badge: Hashable, Sendable { case followsTheCounts, staysAsItWas }

    package var title = Title.isTheName
    package var grouping = Grouping.byConversation
    package var reply = Reply.isInline
    package var duplicates = Duplicates.areOne
    package var handled = Handled.isOnDisk
    package var suppression = Suppression.whileViewed
    package var audience = Audience.signedInUser
    package var permission = Permission.isReadAnew
    package var asking = Asking.afterFirstSend
    package var content = Content.isFetched
    package var banner = Banner.isShown
    package var badge = Badge.followsTheCounts

    static let defects: [Defect] = [
        Defect(
            "handledPushesForgotten",
            ["UX-4.5d"],
            "after a restart, the app shows a second notification for a push that comes again",
            policy: { $0.notifications.handled = .isInMemory }
        ),
        Defect(
            "rawAgentIdTitle",
            ["UX-4.1a"],
            "the title of a notification is the conversation's id, not the partner's name",
            policy: { $0.notifications.title = .isTheID }
        ),
        Defect(
            "notificationUncut",
            ["UX-4.1b"],
            "a notification shows a long text in full",
            profile: { $0.notification.bodyLimit = 10_000 }
        ),
        Defect(
            "noThreadIdentifier",
            ["UX-4.5a", "UX-4.5b"],
            "notifications of one conversation are not grouped",
            policy: { $0.notifications.grouping = .none }
        ),
        Defect(
            "noInlineReply",
            ["UX-4.5c"],
            "a notification offers no inline reply",
            policy: { $0.notifications.reply = .none }
        ),
        Defect(
            "duplicateNotification",
            ["UX-4.5d", "UX-4.5a"],
            "a push that arrives twice is shown as two notifications",
            policy: { $0.notifications.duplicates = .areShown }
        ),
        Defect(
            "noSuppression",
            ["PN-X4", "PN-X16"],
            "a notification is shown even for the conversation on the screen",
            policy: { $0.notifications.suppression = .never }
        ),
        Defect(
            "foreignNotificationsShown",
            ["PN-X20"],
            "notifications for a user who has signed out stay on the phone, and more of them are shown",
            policy: { $0.notifications.audience = .everyUser }
        ),
        Defect(
            "pushTextKept",
            ["UX-4.1c"],
            "the text of a push is kept as the message, so that the end of a long message is never shown",
            policy: { $0.notifications.content = .isThePush }
        ),
        Defect(
            "permissionCheckedOnce",
            ["PN-13", "PN-X11"],
            "the permission to show notifications is read only at the first launch",
            policy: { $0.notifications.permission = .isReadOnce }
        ),
        Defect(
            "promptAtLaunch",
            ["PN-X16"],
            "the app asks for the permission to show notifications at its launch, before it has any use",
            policy: { $0.notifications.asking = .atLaunch }
        ),
        Defect(
            "promptAfterDenial",
            ["PN-X11"],
            "the app asks for the permission to show notifications again, although the user has denied it",
            policy: { $0.notifications.asking = .afterEachSend }
        ),
        Defect(
            "noPermissionBanner",
            ["PN-11", "PN-12"],
            "no banner reports that notifications are denied",
            policy: { $0.notifications.banner = .none }
        ),
        Defect(
            "badgeNotUpdated",
            ["PN-8", "PN-9", "PN-10", "PO-2.2f", "PO-T2"],
            "the number on the app's icon is set once and never updated",
            policy: { $0.notifications.badge = .staysAsItWas }
        ),
    ]
}
