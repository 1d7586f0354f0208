/// What becomes of pushes, and of the phone's permission to show them.
package struct NotificationsPolicy: Hashable, Sendable {
    package enum Title: Hashable, Sendable { case isTheName, isTheID }
    package enum Grouping: Hashable, Sendable { case byConversation, none }
    package enum Reply: Hashable, Sendable { case isInline, none }
    package enum Duplicates: Hashable, Sendable { case areOne, areShown }
    /// Notifications of the conversation that the user looks at.
    package enum Suppression: Hashable, Sendable { case whileViewed, never }
    /// When the phone is asked whether the app may notify.
    package enum Permission: Hashable, Sendable { case isReadAnew, isReadOnce }
    package enum Banner: Hashable, Sendable { case isShown, none }
    /// The number on the app's sign, once there is one.
    package enum Badge: Hashable, Sendable { case followsTheCounts, staysAsItWas }

    package var title = Title.isTheName
    package var grouping = Grouping.byConversation
    package var reply = Reply.isInline
    package var duplicates = Duplicates.areOne
    package var suppression = Suppression.whileViewed
    package var permission = Permission.isReadAnew
    package var banner = Banner.isShown
    package var badge = Badge.followsTheCounts

    static let defects: [Defect] = [
        Defect(
            "rawAgentIdTitle",
            ["UX-4.1a"],
            "a notification's title is the conversation's id",
            policy: { $0.notifications.title = .isTheID }
        ),
        Defect(
            "noThreadIdentifier",
            ["UX-4.5a", "UX-4.5b"],
            "notifications of one conversation stand each for itself",
            policy: { $0.notifications.grouping = .none }
        ),
        Defect(
            "noInlineReply",
            ["UX-4.5c"],
            "a notification can be looked at or put away, and not answered",
            policy: { $0.notifications.reply = .none }
        ),
        Defect(
            "duplicateNotification",
            ["UX-4.5d"],
            "a push that comes twice is two notifications",
            policy: { $0.notifications.duplicates = .areShown }
        ),
        Defect(
            "noSuppression",
            ["PN-X4"],
            "what the user is looking at is notified, too",
            policy: { $0.notifications.suppression = .never }
        ),
        Defect(
            "permissionCheckedOnce",
            ["PN-13", "PN-X11"],
            "whether the app may notify is asked at its first launch only",
            policy: { $0.notifications.permission = .isReadOnce }
        ),
        Defect(
            "noPermissionBanner",
            ["PN-11", "PN-12"],
            "that the app may not notify is told to nobody",
            policy: { $0.notifications.banner = .none }
        ),
        Defect(
            "badgeNotUpdated",
            ["PN-8", "PN-9", "PN-10"],
            "the number on the app's sign is set once, whatever comes and is read later",
            policy: { $0.notifications.badge = .staysAsItWas }
        ),
    ]
}
