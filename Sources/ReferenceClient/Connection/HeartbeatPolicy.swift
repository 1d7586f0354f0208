import SquallCore

/// How the client finds out that a link is dead.
package struct HeartbeatPolicy: Hashable, Sendable {
    package enum Pings: Hashable, Sendable { case areSent, never }
    package enum Begin: Hashable, Sendable { case whenConnected, whenUpgraded }
    /// What a ping without an answer within the limit does, and when that is looked at.
    package enum Limit: Hashable, Sendable { case onTime, withNextFrame, never }
    /// What becomes of the timer when the connection ends.
    package enum Timer: Hashable, Sendable { case stops, leaks }
    package enum Evidence: Hashable, Sendable { case matchingPong, anyFrame }
    /// What becomes of the measured round trip when the connection ends.
    package enum Estimate: Hashable, Sendable { case ends, isKept }

    package var pings = Pings.areSent
    package var begin = Begin.whenConnected
    package var limit = Limit.onTime
    package var timer = Timer.stops
    package var evidence = Evidence.matchingPong
    package var estimate = Estimate.ends

    static let defects: [Defect] = [
        Defect(
            "noHeartbeat",
            ["WS-3a"],
            "nothing is ever asked of an idle link",
            policy: { $0.heartbeat.pings = .never }
        ),
        Defect(
            "pingBeforeAuth",
            ["WS-3b"],
            "the first ping goes out before the key is accepted",
            policy: { $0.heartbeat.begin = .whenUpgraded }
        ),
        Defect("pongIgnored", ["WS-3e"], "a missing pong has no effect", policy: { $0.heartbeat.limit = .never }),
        Defect(
            "halfOpenUnnoticed",
            ["WS-24"],
            "a missing pong is looked for only when something arrives",
            policy: { $0.heartbeat.limit = .withNextFrame }
        ),
        Defect(
            "zombieConnection",
            ["WS-14"],
            "any frame, however old, passes for the answer to a ping",
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
            "a new path is judged by the round trip of the old one",
            policy: { $0.heartbeat.estimate = .isKept }
        ),
        Defect(
            "chattyIdle",
            ["WS-10"],
            "an idle connection is asked every second",
            profile: { $0.heartbeat.interval = .seconds(1) }
        ),
        Defect(
            "tcpTimeoutOnly",
            ["WS-15"],
            "silence is borne for as long as TCP bears it",
            profile: { $0.heartbeat.pongLimit = .seconds(900) }
        ),
        Defect(
            "slowTreatedAsDead",
            ["WS-16"],
            "a slow answer is taken for none",
            profile: { $0.heartbeat.pongLimit = .milliseconds(500) }
        ),
    ]
}
