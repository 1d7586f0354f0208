/// How the client fetches the messages that it has missed.
package struct SessionPolicy: Hashable, Sendable {
    package enum Sync: Hashable, Sendable { case fromLastSeen, fromStart }
    /// The messages that the client requests on a new connection: those that it has missed, or none.
    package enum Resume: Hashable, Sendable { case asksForMissed, asksForNothing }
    /// The sequence number from which the client syncs after the app was suspended in the background: the last one that
    /// it has seen, or the very first one.
    package enum Wake: Hashable, Sendable { case fromLastSeen, fromStart }
    /// When the client sends the subscription of its wire profile: on each new connection, or only on the first.
    package enum Subscription: Hashable, Sendable { case isRenewed, isSentOnce }
    package enum Gap: Hashable, Sendable { case isFilled, isUnnoticed }
    /// What the client does about a gap that the server does not fill: it goes on after it, or asks again for ever.
    package enum Unfilled: Hashable, Sendable { case isSkipped, isAskedAgain }
    package enum Acknowledgement: Hashable, Sendable { case onceStored, onReceipt, never }
    package enum Toast: Hashable, Sendable { case isShown, none }
    /// When the client fetches the open conversation in addition to the sync: only if necessary, or after each connect.
    package enum Refresh: Hashable, Sendable { case onlyWhereNeeded, afterEachConnect }
    /// When a client without a connection stops polling: once connected, or once a conversation's view disappears.
    package enum Polling: Hashable, Sendable { case untilConnected, untilViewDisappears }

    package var sync = Sync.fromLastSeen
    package var resume = Resume.asksForMissed
    package var wake = Wake.fromLastSeen
    package var subscription = Subscription.isRenewed
    package var gap = Gap.isFilled
    package var unfilled = Unfilled.isSkipped
    package var acknowledgement = Acknowledgement.onceStored
    package var toast = Toast.isShown
    package var refresh = Refresh.onlyWhereNeeded
    package var polling = Polling.untilConnected

    static let defects: [Defect] = [
        Defect(
            "gapAskedForever",
            ["UX-X5"],
            "a gap in the sequence numbers that the server cannot fill is asked about without end",
            policy: { $0.session.unfilled = .isAskedAgain }
        ),
        Defect(
            "fullSyncOnReconnect",
            ["WS-12e", "WS-20"],
            "every reconnect requests all messages since the beginning",
            policy: { $0.session.sync = .fromStart }
        ),
        Defect(
            "noSyncOnReconnect",
            ["UX-1.5e", "UX-2.5b", "WS-21i"],
            "a new connection does not request the messages that were missed",
            policy: { $0.session.resume = .asksForNothing }
        ),
        Defect(
            "subscriptionNotRenewed",
            ["UX-1.5e", "WS-21i"],
            "a client that reconnects does not send its subscription again",
            policy: { $0.session.subscription = .isSentOnce }
        ),
        Defect(
            "fullSyncOnForeground",
            ["WS-27", "WS-20"],
            "a return from the background requests all messages since the beginning",
            policy: { $0.session.wake = .fromStart }
        ),
        Defect(
            "replayGapUnnoticed",
            ["UX-2.5d"],
            "a replay that does not reach back far enough counts as complete",
            policy: { $0.session.gap = .isUnnoticed }
        ),
        Defect(
            "noAck",
            ["WS-4d"],
            "received messages are never acknowledged",
            policy: { $0.session.acknowledgement = .never }
        ),
        Defect(
            "ackBeforeStored",
            ["WS-4d"],
            "a received message is acknowledged before it is on disk",
            policy: { $0.session.acknowledgement = .onReceipt }
        ),
        Defect(
            "silentSync",
            ["UX-2.5c"],
            "the user is not informed about missed messages after a reconnect",
            policy: { $0.session.toast = .none }
        ),
        Defect(
            "doubleRefresh",
            ["UX-1.5a", "UX-1.2c"],
            "the open conversation is fetched in addition to the sync",
            policy: { $0.session.refresh = .afterEachConnect }
        ),
        Defect(
            "pollingEndsWithView",
            ["UX-2.4e", "UX-X5", "UX-2.1d"],
            "polling ends for good when a conversation's view disappears",
            policy: { $0.session.polling = .untilViewDisappears }
        ),
    ]
}
