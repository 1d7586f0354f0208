import SquallCore

/// How the client detects a dead link.
package struct HeartbeatPolicy: Hashable, Sendable {
    package enum Pings: Hashable, Sendable { case areSent, never }
    package enum Begin: Hashable, Sendable { case whenConnected, whenUpgraded }
    /// When the client notices that a pong is overdue: at the deadline, when the next frame arrives, or never.
    package enum Limit: Hashable, Sendable { case onTime, withNextFrame, never }
    /// What happens to the ping timer when the connection is closed: it stops, or it continues to run.
    package enum Timer: Hashable, Sendable { case stops, leaks }
    package enum Evidence: Hashable, Sendable { case matchingPong, anyFrame }
    /// What happens to the measured round-trip time when the connection is closed: it is discarded, or it is kept for
    /// the next connection.
    package enum Estimate: Hashable, Sendable { case ends, isKept }

    /// How the time limit for a pong grows on a slow link: with the round-trip time, or not at all.
    package enum Growth: Hashable, Sendable { case followsTheRoundTrip, none }
    /// When a link counts as slow: relative to its usual round trip if the profile says so, or at a fixed limit.
    package enum Slowness: Hashable, Sendable { case isRelative, isFixed }

    package var pings = Pings.areSent
    package var begin = Begin.whenConnected
    package var limit = Limit.onTime
    package var timer = Timer.stops
    package var evidence = Evidence.matchingPong
    package var estimate = Estimate.ends
    package var growth = Growth.followsTheRoundTrip
    package var slowness = Slowness.isRelative

    static let defects: [Defect] = [
        Defect(
            "noHeartbeat",
            ["WS-3a"],
            "no pings are sent on an idle link",
            policy: { $0.heartbeat.pings = .never }
        ),
        Defect(
            "pingBeforeAuth",
            ["WS-3b"],
            "the first ping is sent before the server has accepted the key",
            policy: { $0.heartbeat.begin = .whenUpgraded }
        ),
        Defect("pongIgnored", ["WS-3e"], "a missing pong has no effect", policy: { $0.heartbeat.limit = .never }),
        Defect(
            "halfOpenUnnoticed",
            ["WS-24"],
            "a missing pong is noticed only when the next frame arrives",
            policy: { $0.heartbeat.limit = .withNextFrame }
        ),
        Defect(
            "zombieConnection",
            ["WS-14"],
            "any frame, however old, counts as the answer to a ping",
            policy: { $0.heartbeat.evidence = .anyFrame }
        ),
        Defect(
            "pingTimerLeak",
            ["WS-3c"],
            "every reconnect adds a ping timer and stops none",
            policy: { $0.heartbeat.timer = .leaks }
        ),
        Defect(
            "rttNotReset",
            ["WS-30"],
            "the round trip of the old path is kept for the new one",
            policy: { $0.heartbeat.estimate = .isKept }
        ),
        Defect(
            "chattyIdle",
            ["WS-10"],
            "an idle connection is pinged every second",
            profile: { $0.heartbeat.interval = .seconds(1) }
        ),
        Defect(
            "tcpTimeoutOnly",
            ["WS-15"],
            "a dead link is noticed only after TCP's own timeout",
            profile: { $0.heartbeat.pongLimit = .seconds(900) }
        ),
        Defect(
            "pongLimitNeverGrows",
            ["WS-16"],
            "the limit for a pong stays the same however slow the link is",
            policy: { $0.heartbeat.growth = .none }
        ),
        Defect(
            "slowLimitFixed",
            ["WS-14"],
            "a link whose round trips have grown to many times the usual one still counts as good",
            policy: { $0.heartbeat.slowness = .isFixed }
        ),
        Defect(
            "slowTreatedAsDead",
            ["WS-16"],
            "a slow answer counts as a missing one",
            profile: { $0.heartbeat.pongLimit = .milliseconds(500) }
        ),
    ]
}
