/// How the client's state is displayed to the user.
package struct ShownPolicy: Hashable, Sendable {
    package enum ReconnectBanner: Hashable, Sendable { case isShown, none }
    package enum Badge: Hashable, Sendable { case followsTheState, staysGreen }
    /// The text of the connection's badge: it depends on the connection's state, or is always the text for a live
    /// connection.
    package enum Label: Hashable, Sendable { case followsTheState, staysConnected }
    /// The polling interval that a polling client displays in its badge: the one in the profile, or always 30 s.
    package enum Interval: Hashable, Sendable { case isTheProfiles, isFixed }
    package enum Degraded: Hashable, Sendable { case asItself, asOffline }
    /// The badge of a client that the user has disconnected while there is no network: offline, or that of an idle
    /// client.
    package enum Disconnected: Hashable, Sendable { case asOffline, asIdle }
    package enum Connected: Hashable, Sendable { case onceAuthenticated, onceOpened }
    package enum QueueCount: Hashable, Sendable { case isShown, none }
    package enum Status: Hashable, Sendable { case isDistinct, isUnclear }
    package enum Failure: Hashable, Sendable { case isOnTheMessage, isHidden, opensAlert }
    /// The status icon of a confirmed message: none, or still the clock.
    package enum Delivered: Hashable, Sendable { case hasNoIcon, keepsTheClock }
    /// The status shown for a message that was written to the connection and is not confirmed yet.
    package enum Written: Hashable, Sendable { case asSending, asDelivered }
    /// How the clock icon of a message looks while the message is being sent: it pulses, or it is static.
    package enum Clock: Hashable, Sendable { case pulses, isStatic }
    package enum Loading: Hashable, Sendable { case asSkeleton, asEmpty, asRows }
    package enum RefreshFailure: Hashable, Sendable { case isShown, isSilent }
    /// How errors are worded: with distinct texts that state what to do, or all with the same text.
    package enum Errors: Hashable, Sendable { case areDistinguished, lookAlike }
    package enum Trouble: Hashable, Sendable { case isShown, isAbsorbed }
    /// The position of banners: above the list, or within it, above the oldest message or below the newest.
    package enum Placement: Hashable, Sendable { case aboveTheList, firstInTheList, lastInTheList }
    /// The colour that indicates a lost network: the one that the profile's style specifies, or always red.
    package enum Offline: Hashable, Sendable { case inItsStyle, alwaysRed }
    /// The loading text while a tapped notification opens a conversation: it names the conversation, or it is generic.
    package enum LoadingText: Hashable, Sendable { case namesTheTarget, isGeneric }
    /// How long a dismissed banner stays hidden: for a while, or as long as the problem that it reports lasts.
    package enum Dismissal: Hashable, Sendable { case ends, lasts }
    package enum BannerPulse: Hashable, Sendable { case whileReconnecting, none }
    package enum Promptness: Hashable, Sendable { case atOnce, late }

    package var reconnectBanner = ReconnectBanner.isShown
    package var badge = Badge.followsTheState
    package var label = Label.followsTheState
    package var interval = Interval.isTheProfiles
    package var degraded = Degraded.asItself
    package var disconnected = Disconnected.asOffline
    package var connected = Connected.onceAuthenticated
    package var queueCount = QueueCount.isShown
    package var status = Status.isDistinct
    package var failure = Failure.isOnTheMessage
    package var delivered = Delivered.hasNoIcon
    package var written = Written.asSending
    package var clock = Clock.pulses
    package var loading = Loading.asSkeleton
    package var refreshFailure = RefreshFailure.isShown
    package var errors = Errors.areDistinguished
    package var trouble = Trouble.isShown
    package var placement = Placement.aboveTheList
    package var offline = Offline.inItsStyle
    package var dismissal = Dismissal.ends
    package var bannerPulse = BannerPulse.whileReconnecting
    package var loadingText = LoadingText.namesTheTarget
    package var unread = Promptness.atOnce
    package var messageStatus = Promptness.atOnce

    static let defects: [Defect] = [
        Defect(
            "noReconnectBanner",
            ["UX-2.1a", "UX-2.1b", "UX-2.1e", "UX-X2", "UX-2.1d", "UX-2.1c"],
            "only the badge shows a lost connection",
            policy: { $0.shown.reconnectBanner = .none }
        ),
        Defect(
            "dismissalLasts",
            ["UX-2.1c", "UX-X2"],
            "a dismissed banner does not return while the connection is down",
            policy: { $0.shown.dismissal = .lasts }
        ),
        Defect(
            "badgeStaysGreen",
            ["UX-2.1f"],
            "the badge is green while the client reconnects",
            policy: { $0.shown.badge = .staysGreen }
        ),
        Defect(
            "badgeSaysConnected",
            ["UX-2.1f"],
            "the badge's text is that of a live connection in every state",
            policy: { $0.shown.label = .staysConnected }
        ),
        Defect(
            "pollingIntervalIsFixed",
            ["UX-2.1b", "UX-2.3b"],
            "the badge and the banner of a polling client name 30 s whatever the interval",
            policy: { $0.shown.interval = .isFixed }
        ),
        Defect(
            "offlineMissedWhileDisconnected",
            ["UX-2.3c"],
            "a client that the user has disconnected does not show that there is no network",
            policy: { $0.shown.disconnected = .asIdle }
        ),
        Defect(
            "degradedAsOffline",
            ["UX-2.3a", "UX-2.3b", "UX-2.3c", "UX-2.3e", "UX-2.5e", "UX-X2", "PO-C1"],
            "polling is shown as offline, in red",
            policy: { $0.shown.degraded = .asOffline }
        ),
        Defect(
            "falseConnected",
            ["WS-37", "UX-2.5f"],
            "an open socket is shown as connected before the access key is accepted",
            policy: { $0.shown.connected = .onceOpened }
        ),
        Defect(
            "noQueueCount",
            ["PO-1.2d", "WS-21g", "PO-C3"],
            "the number of queued messages is not shown",
            policy: { $0.shown.queueCount = .none }
        ),
        Defect(
            "deliveredOnceWritten",
            ["PO-1.2g"],
            "a message is shown as delivered as soon as it has been written, before the server confirms it",
            policy: { $0.shown.written = .asDelivered }
        ),
        Defect(
            "clockStays",
            ["UX-2.2f"],
            "a delivered message still has the clock of one that is being sent",
            policy: { $0.shown.delivered = .keepsTheClock }
        ),
        Defect(
            "clockStandsStill",
            ["UX-2.2f"],
            "the clock of a message that is being sent does not pulse",
            policy: { $0.shown.clock = .isStatic }
        ),
        Defect(
            "failureOpensAlert",
            ["PO-1.2j"],
            "a message that fails opens an alert",
            policy: { $0.shown.failure = .opensAlert }
        ),
        Defect(
            "statusUnclear",
            ["PO-1.2a", "PO-1.2c", "PO-1.2f", "WS-21e", "PO-C4", "PO-C1"],
            "queued, sending and failed look alike",
            policy: { $0.shown.status = .isUnclear }
        ),
        Defect(
            "noPerMessageFailure",
            ["UX-2.2c"],
            "a failed message looks as if it were still being sent",
            policy: { $0.shown.failure = .isHidden }
        ),
        Defect(
            "emptyWhileLoading",
            ["UX-1.4b", "UX-1.6b", "UX-X4"],
            "a loading conversation is shown as empty",
            policy: { $0.shown.loading = .asEmpty }
        ),
        Defect(
            "blankLoading",
            ["UX-1.1b", "UX-1.1d", "UX-4.2c"],
            "a loading conversation is blank",
            policy: { $0.shown.loading = .asRows }
        ),
        Defect(
            "silentRefreshFailure",
            ["UX-1.5c", "UX-X4", "UX-X1"],
            "a failed refresh shows no error",
            policy: { $0.shown.refreshFailure = .isSilent }
        ),
        Defect(
            "errorsLookAlike",
            ["WS-13"],
            "all errors have the same text, which does not say what to do",
            policy: { $0.shown.errors = .lookAlike }
        ),
        Defect(
            "silentAbsorption",
            ["UX-1.3g", "UX-X1"],
            "errors are caught but never shown",
            policy: { $0.shown.trouble = .isAbsorbed }
        ),
        Defect(
            "bannerInList",
            ["UX-1.2a", "UX-2.1a"],
            "banners are shown below the last message, where a user who reads older ones does not see them",
            policy: { $0.shown.placement = .lastInTheList }
        ),
        Defect(
            "bannerHeadsList",
            ["UX-2.1a"],
            "banners are shown above the oldest message, where a user who reads the newest ones does not see them",
            policy: { $0.shown.placement = .firstInTheList }
        ),
        Defect(
            "bannerStandsStill",
            ["UX-2.1a"],
            "the banner does not pulse while the client reconnects",
            policy: { $0.shown.bannerPulse = .none }
        ),
        Defect(
            "offlineAlarms",
            ["PO-C1"],
            "a lost network is shown in red although the style is calm",
            policy: { $0.shown.offline = .alwaysRed }
        ),
        Defect(
            "loadingTargetUnnamed",
            ["UX-4.2c"],
            "while the conversation of a tapped notification is looked up, the loading text does not name it",
            policy: { $0.shown.loadingText = .isGeneric }
        ),
        Defect(
            "slowUnread",
            ["PO-2.2c"],
            "an unread count is shown a second after it has changed",
            policy: { $0.shown.unread = .late }
        ),
        Defect(
            "slowStatus",
            ["PO-1.2h", "UX-2.2i", "UX-X5", "WS-21f", "PO-1.2g"],
            "the status of a message is shown a second after it has changed",
            policy: { $0.shown.messageStatus = .late }
        ),
    ]
}
