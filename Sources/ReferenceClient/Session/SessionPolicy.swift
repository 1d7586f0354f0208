/// How the client gets what it missed.
package struct SessionPolicy: Hashable, Sendable {
    package enum Sync: Hashable, Sendable { case fromLastSeen, fromStart }
    /// What a new connection asks for.
    package enum Resume: Hashable, Sendable { case asksForMissed, asksForNothing }
    /// From where the sync after a background goes.
    package enum Wake: Hashable, Sendable { case fromLastSeen, fromStart }
    package enum Gap: Hashable, Sendable { case isFilled, isUnnoticed }
    package enum Acknowledgement: Hashable, Sendable { case onceStored, never }
    package enum Toast: Hashable, Sendable { case isShown, none }
    /// Besides the sync of each handshake.
    package enum Refresh: Hashable, Sendable { case onlyWhereNeeded, afterEachConnect }

    package var sync = Sync.fromLastSeen
    package var resume = Resume.asksForMissed
    package var wake = Wake.fromLastSeen
    package var gap = Gap.isFilled
    package var acknowledgement = Acknowledgement.onceStored
    package var toast = Toast.isShown
    package var refresh = Refresh.onlyWhereNeeded

    static let defects: [Defect] = [
        Defect(
            "fullSyncOnReconnect",
            ["WS-12e", "WS-20"],
            "every reconnect asks for everything since the beginning",
            policy: { $0.session.sync = .fromStart }
        ),
        Defect(
            "subscriptionsLost",
            ["WS-21i"],
            "a new connection begins at its own beginning; nothing missed is asked for",
            policy: { $0.session.resume = .asksForNothing }
        ),
        Defect(
            "fullSyncOnForeground",
            ["WS-27"],
            "a return from the background asks for everything since the beginning",
            policy: { $0.session.wake = .fromStart }
        ),
        Defect(
            "replayGapUnnoticed",
            ["UX-2.5d"],
            "a replay that does not reach back far enough is taken for whole",
            policy: { $0.session.gap = .isUnnoticed }
        ),
        Defect(
            "noAck",
            ["WS-4d"],
            "what was processed is never acknowledged",
            policy: { $0.session.acknowledgement = .never }
        ),
        Defect("silentSync", ["UX-2.5c"], "the user is not told what was missed", policy: { $0.session.toast = .none }),
        Defect(
            "doubleRefresh",
            ["UX-1.5a"],
            "the open conversation is fetched besides the sync",
            policy: { $0.session.refresh = .afterEachConnect }
        ),
    ]
}
