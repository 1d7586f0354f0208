/// When the client attempts to reconnect, and when it gives up.
package struct ReconnectPolicy: Hashable, Sendable {
    /// How the delays grow: doubled up to the cap, doubled without a limit, or not at all.
    package enum Growth: Hashable, Sendable { case doubling, unlimited, none }
    package enum Jitter: Hashable, Sendable { case spread, none }
    package enum Floor: Hashable, Sendable { case afterJitter, beforeJitter }
    /// The event that resets the backoff: a completed handshake, an open TCP connection, or none.
    package enum Reset: Hashable, Sendable { case whenConnected, whenOpened, never }
    package enum Limit: Hashable, Sendable { case attempts, none }
    /// Whether the client reconnects by itself after a lost connection.
    package enum Loss: Hashable, Sendable { case isRepaired, isFinal }
    /// How the client chooses among several configured servers: it tries them in turn, or tries only the preferred one.
    package enum Servers: Hashable, Sendable { case areTriedInTurn, preferredAlone }
    /// When a client that cannot connect begins to poll: after its last attempt, or after its first.
    package enum PollingStart: Hashable, Sendable { case afterLastAttempt, afterFirstAttempt }
    /// Whether a polling client also tries the socket now and then, or only polls.
    package enum Polling: Hashable, Sendable { case triesTheSocket, isAllItDoes }
    /// The clock that measures the delay before a connection attempt: a monotonic clock, or the phone's clock.
    package enum Waiting: Hashable, Sendable { case endsAfterItsTime, endsByPhoneClock }

    package var growth = Growth.doubling
    package var jitter = Jitter.spread
    package var floor = Floor.afterJitter
    package var reset = Reset.whenConnected
    package var limit = Limit.attempts
    package var loss = Loss.isRepaired
    package var servers = Servers.areTriedInTurn
    package var polling = Polling.triesTheSocket
    package var pollingStart = PollingStart.afterLastAttempt
    package var waiting = Waiting.endsAfterItsTime

    static let defects: [Defect] = [
        Defect(
            "noBackoff",
            ["WS-1a", "UX-2.5a"],
            "every delay is as short as the first",
            policy: { $0.reconnect.growth = .none }
        ),
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
            "delayAboveCap",
            ["WS-1c"],
            "the delays double without a limit",
            policy: { $0.reconnect.growth = .unlimited }
        ),
        Defect(
            "noReconnect",
            ["WS-1f", "WS-32g"],
            "a client that has lost its connection does not reconnect by itself",
            policy: { $0.reconnect.loss = .isFinal }
        ),
        Defect(
            "backoffNotReset",
            ["WS-1d", "UX-2.5a"],
            "the delays are not reset after a success",
            policy: { $0.reconnect.reset = .never }
        ),
        Defect(
            "resetOnTcpOpen",
            ["WS-1g"],
            "an open TCP connection resets the backoff, even if the handshake fails",
            policy: { $0.reconnect.reset = .whenOpened }
        ),
        Defect(
            "retriesForever",
            ["WS-1e", "WS-34"],
            "the client never gives up",
            policy: { $0.reconnect.limit = .none }
        ),
        Defect(
            "pollsBeforeLastAttempt",
            ["UX-2.3a"],
            "the client polls, and shows that it does, while it still has attempts left",
            policy: { $0.reconnect.pollingStart = .afterFirstAttempt }
        ),
        Defect(
            "pollsForever",
            ["UX-2.5e"],
            "a client that polls does not try the socket again by itself",
            policy: { $0.reconnect.polling = .isAllItDoes }
        ),
        Defect(
            "stuckToDeadServer",
            ["WS-33"],
            "a server that is down is tried again and again, although another one is configured",
            policy: { $0.reconnect.servers = .preferredAlone }
        ),
        Defect(
            "waitsByPhoneClock",
            ["WS-38"],
            "a jump of the phone's clock shortens or prolongs the wait for the next attempt",
            policy: { $0.reconnect.waiting = .endsByPhoneClock }
        ),
    ]
}
