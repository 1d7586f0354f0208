/// When to try again, and when no longer.
package struct ReconnectPolicy: Hashable, Sendable {
    package enum Growth: Hashable, Sendable { case doubling, none }
    package enum Jitter: Hashable, Sendable { case spread, none }
    package enum Floor: Hashable, Sendable { case afterJitter, beforeJitter }
    /// What makes the next delay the first again.
    package enum Reset: Hashable, Sendable { case whenConnected, whenOpened, never }
    package enum Limit: Hashable, Sendable { case attempts, none }
    /// Which of several servers the attempts go to.
    package enum Servers: Hashable, Sendable { case areTriedInTurn, preferredAlone }

    package var growth = Growth.doubling
    package var jitter = Jitter.spread
    package var floor = Floor.afterJitter
    package var reset = Reset.whenConnected
    package var limit = Limit.attempts
    package var servers = Servers.areTriedInTurn

    static let defects: [Defect] = [
        Defect("noBackoff", ["WS-1a"], "every delay is the first one's", policy: { $0.reconnect.growth = .none }),
        Defect(
            "noJitter",
            ["WS-1b", "WS-1f"],
            "all clients wait equally long",
            policy: { $0.reconnect.jitter = .none }
        ),
        Defect(
            "delayBelowFloor",
            ["WS-1c"],
            "jitter takes a delay below the floor",
            policy: { $0.reconnect.floor = .beforeJitter }
        ),
        Defect(
            "backoffNotReset",
            ["WS-1d"],
            "after a success the delays go on where they stood",
            policy: { $0.reconnect.reset = .never }
        ),
        Defect(
            "resetOnTcpOpen",
            ["WS-1g"],
            "a socket that opens counts as a success, whatever follows",
            policy: { $0.reconnect.reset = .whenOpened }
        ),
        Defect(
            "retriesForever",
            ["WS-1e", "WS-34"],
            "the attempts are never spent",
            policy: { $0.reconnect.limit = .none }
        ),
        Defect(
            "stuckToDeadServer",
            ["WS-33"],
            "a server that is down is tried again and again, although there is another",
            policy: { $0.reconnect.servers = .preferredAlone }
        ),
    ]
}
