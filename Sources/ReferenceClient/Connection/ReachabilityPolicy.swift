/// How the client reacts to network changes.
package struct ReachabilityPolicy: Hashable, Sendable {
    package enum Offline: Hashable, Sendable { case pauses, keepsTrying }
    package enum Restore: Hashable, Sendable { case reconnects, reconnectsLate, waitsForTimer, isOnlyShown }
    /// When a polling client next polls after the network has returned: immediately, or at the end of the interval.
    package enum Poll: Hashable, Sendable { case atOnce, withTheNext }
    /// How the client reacts when the phone reports again that the network is available: it ignores the repeated
    /// report, or opens another connection.
    package enum Repeat: Hashable, Sendable { case coalesces, opensAnother }
    package enum Handoff: Hashable, Sendable { case reconnects, isUnnoticed }

    /// The state of the network that a suspended app assumes when it returns: the present one, or the one before.
    package enum Asleep: Hashable, Sendable { case isLearned, isMissed }

    package var offline = Offline.pauses
    package var restore = Restore.reconnects
    package var poll = Poll.atOnce
    package var `repeat` = Repeat.coalesces
    package var handoff = Handoff.reconnects
    package var asleep = Asleep.isLearned

    static let defects: [Defect] = [
        Defect(
            "networkMissedWhileSuspended",
            ["UX-2.3c"],
            "a change of the network while the app is suspended goes unnoticed until the next change",
            policy: { $0.reachability.asleep = .isMissed }
        ),
        Defect(
            "blindReconnectTimer",
            ["WS-2a", "UX-2.4f"],
            "attempts continue, and count, without a network",
            policy: { $0.reachability.offline = .keepsTrying }
        ),
        Defect(
            "noReconnectOnNetworkRestore",
            ["UX-2.4a", "WS-2b", "WS-21h"],
            "the return of the network does not start a reconnect",
            policy: { $0.reachability.restore = .waitsForTimer }
        ),
        Defect(
            "slowNetworkRestore",
            ["UX-2.4a", "WS-2b"],
            "the return of the network starts a reconnect only after three seconds",
            policy: { $0.reachability.restore = .reconnectsLate }
        ),
        Defect(
            "labelOnlyConnecting",
            ["UX-2.4d"],
            "the return of the network is shown as connecting, but no attempt is made",
            policy: { $0.reachability.restore = .isOnlyShown }
        ),
        Defect(
            "pollWaitsFullInterval",
            ["UX-2.4b"],
            "the return of the network does not start the poll that was due",
            policy: { $0.reachability.poll = .withTheNext }
        ),
        Defect(
            "redundantConnect",
            ["WS-2c", "WS-2e"],
            "every report of an available network opens another socket",
            policy: { $0.reachability.repeat = .opensAnother }
        ),
        Defect(
            "handoffUnnoticed",
            ["WS-29"],
            "a change of the network interface leaves the client on the dead path",
            policy: { $0.reachability.handoff = .isUnnoticed }
        ),
    ]
}
