/// How the client follows a tap on a notification.
package struct DeepLinkPolicy: Hashable, Sendable {
    package enum Following: Hashable, Sendable { case atOnce, whenAScreenAppears }
    package enum AfterUse: Hashable, Sendable { case isForgotten, isKept }
    /// How the client handles a link to a conversation that it does not have: it fetches the conversation, or ignores
    /// the link.
    package enum Unknown: Hashable, Sendable { case isFetched, isIgnored }
    /// How the client handles a link to a conversation that it has: it opens the conversation, or fetches it first.
    package enum Known: Hashable, Sendable { case isOpened, isFetched }
    /// How soon a fetched conversation is opened: when the response arrives, or some seconds later.
    package enum Opening: Hashable, Sendable { case isPrompt, isDelayed }
    package enum Errors: Hashable, Sendable { case areDistinguished, allSayGone }
    /// The first screen of an app launched by a tap: the target's screen, or the usual screen, which must load before
    /// the target opens.
    package enum Start: Hashable, Sendable { case takesTheFirstPlace, waitsForTheUsual }
    package enum Scrolling: Hashable, Sendable { case toTheMessage, toTheEnd }
    package enum Highlight: Hashable, Sendable { case isShown, none, staysOn }
    /// What the user sees if a tapped notification's message cannot be found.
    package enum MissingMessage: Hashable, Sendable { case isReported, isNotMentioned }

    package var following = Following.atOnce
    package var afterUse = AfterUse.isForgotten
    package var unknown = Unknown.isFetched
    package var known = Known.isOpened
    package var opening = Opening.isPrompt
    package var errors = Errors.areDistinguished
    package var start = Start.takesTheFirstPlace
    package var scrolling = Scrolling.toTheMessage
    package var highlight = Highlight.isShown
    package var missingMessage = MissingMessage.isReported

    static let defects: [Defect] = [
        Defect(
            "pendingIdOnAppearOnly",
            ["UX-4.3a", "UX-4.3c", "PN-X9"],
            "a tapped notification is followed only when a screen appears",
            policy: { $0.deepLink.following = .whenAScreenAppears }
        ),
        Defect(
            "pendingIdNotCleared",
            ["UX-4.3b"],
            "a notification that was followed already is followed again when the next screen appears",
            policy: { $0.deepLink.afterUse = .isKept }
        ),
        Defect(
            "deepLinkSilentFail",
            ["PN-14", "PN-15", "PN-16", "PN-X12", "PN-X13", "UX-4.4c"],
            "a notification for a conversation that the app does not have opens nothing",
            policy: { $0.deepLink.unknown = .isIgnored }
        ),
        Defect(
            "loadedTargetFetched",
            ["PN-X9"],
            "a notification for a conversation that the app has opens it only after the server has been asked for it",
            policy: { $0.deepLink.known = .isFetched }
        ),
        Defect(
            "slowDeepLink",
            ["PN-15", "PN-X12", "UX-4.2d"],
            "a notification opens a conversation that the app does not have five seconds after it was fetched",
            policy: { $0.deepLink.opening = .isDelayed }
        ),
        Defect(
            "everyErrorIsDeleted",
            ["PN-X8"],
            "a conversation that cannot be fetched is always reported as deleted",
            policy: { $0.deepLink.errors = .allSayGone }
        ),
        Defect(
            "deepLinkRace",
            ["UX-4.2a", "UX-4.2b", "UX-4.2d", "UX-4.3c"],
            "a tapped notification is followed only after the current screen has loaded",
            policy: { $0.deepLink.start = .waitsForTheUsual }
        ),
        Defect(
            "noScrollToTarget",
            ["UX-4.1c", "UX-4.4a", "UX-4.4b"],
            "a tapped notification opens the end of its conversation, not its message",
            policy: { $0.deepLink.scrolling = .toTheEnd }
        ),
        Defect(
            "noHighlight",
            ["UX-4.1d", "UX-4.4a"],
            "the message of a tapped notification is not highlighted",
            policy: { $0.deepLink.highlight = .none }
        ),
        Defect(
            "highlightStays",
            ["UX-4.1d"],
            "the message of a tapped notification stays highlighted",
            policy: { $0.deepLink.highlight = .staysOn }
        ),
        Defect(
            "goneTargetNotReported",
            ["UX-4.4c"],
            "nothing tells the user that the message of a tapped notification no longer exists",
            policy: { $0.deepLink.missingMessage = .isNotMentioned }
        ),
    ]
}
