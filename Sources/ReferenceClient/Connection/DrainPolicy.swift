/// How the client reacts to an announced shutdown of the server.
package struct DrainPolicy: Hashable, Sendable {
    package enum Notice: Hashable, Sendable { case isObeyed, isIgnored }
    package enum Counting: Hashable, Sendable { case none, asFailure }
    package enum Return: Hashable, Sendable { case spread, sharp }
    /// The number of attempts after an announced restart: the one that the profile sets for this case, or the usual
    /// one.
    package enum Attempts: Hashable, Sendable { case areMore, areAsUsual }
    package enum InFlight: Hashable, Sendable { case isQueuedAgain, isLost }

    /// What a notice without a time means: the profile's default delay, or none.
    package enum MissingTime: Hashable, Sendable { case meansTheDefault, meansNow }

    package var missingTime = MissingTime.meansTheDefault
    package var notice = Notice.isObeyed
    package var counting = Counting.none
    package var comeback = Return.spread
    package var attempts = Attempts.areMore
    package var inFlight = InFlight.isQueuedAgain

    static let defects: [Defect] = [
        Defect(
            "drainingIgnored",
            ["WS-32a", "WS-32b", "WS-32e"],
            "an announced shutdown is treated as an ordinary failure",
            policy: { $0.drain.notice = .isIgnored }
        ),
        Defect(
            "drainingCountsAsFailure",
            ["WS-32c", "UX-2.5e"],
            "an announced shutdown uses up an attempt",
            policy: { $0.drain.counting = .asFailure }
        ),
        Defect(
            "drainWithoutTimeAtOnce",
            ["WS-32b"],
            "an announced shutdown that names no time is followed by an attempt at once",
            policy: { $0.drain.missingTime = .meansNow }
        ),
        Defect(
            "drainHerd",
            ["WS-32g"],
            "all clients reconnect at the same instant after an announced shutdown",
            policy: { $0.drain.comeback = .sharp }
        ),
        Defect(
            "drainAllowsNoMoreAttempts",
            ["UX-2.5e"],
            "an announced restart allows no more attempts than a lost connection",
            policy: { $0.drain.attempts = .areAsUsual }
        ),
        Defect(
            "inflightLostOnDrain",
            ["WS-32f", "UX-X1"],
            "messages in flight during an announced shutdown are lost",
            policy: { $0.drain.inFlight = .isLost }
        ),
    ]
}
