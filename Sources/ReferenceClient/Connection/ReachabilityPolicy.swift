/// What a change of the network means.
package struct ReachabilityPolicy: Hashable, Sendable {
    package enum Offline: Hashable, Sendable { case pauses, keepsTrying }
    package enum Restore: Hashable, Sendable { case reconnects, waitsForTimer, isOnlyShown }
    /// What was polled for before the network went.
    package enum Poll: Hashable, Sendable { case atOnce, withTheNext }
    /// A second word that the network is there.
    package enum Repeat: Hashable, Sendable { case coalesces, opensAnother }
    package enum Handoff: Hashable, Sendable { case reconnects, isUnnoticed }

    package var offline = Offline.pauses
    package var restore = Restore.reconnects
    package var poll = Poll.atOnce
    package var `repeat` = Repeat.coalesces
    package var handoff = Handoff.reconnects

    static let defects: [Defect] = [
        Defect(
            "blindReconnectTimer",
            ["WS-2a"],
            "attempts go on, and count, without a network",
            policy: { $0.reachability.offline = .keepsTrying }
        ),
        Defect(
            "noReconnectOnNetworkRestore",
            ["UX-2.4a", "WS-2b"],
            "a network that comes back changes nothing",
            policy: { $0.reachability.restore = .waitsForTimer }
        ),
        Defect(
            "labelOnlyConnecting",
            ["UX-2.4d"],
            "a network that comes back is shown as connecting, but nothing connects",
            policy: { $0.reachability.restore = .isOnlyShown }
        ),
        Defect(
            "pollWaitsFullInterval",
            ["UX-2.4b"],
            "a network that comes back does not bring the poll that was due",
            policy: { $0.reachability.poll = .withTheNext }
        ),
        Defect(
            "redundantConnect",
            ["WS-2c", "WS-2e"],
            "every word that the network is there opens a socket more",
            policy: { $0.reachability.repeat = .opensAnother }
        ),
        Defect(
            "handoffUnnoticed",
            ["WS-29"],
            "a change of the interface leaves the client on the dead path",
            policy: { $0.reachability.handoff = .isUnnoticed }
        ),
    ]
}
