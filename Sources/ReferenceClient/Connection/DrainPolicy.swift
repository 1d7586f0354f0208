/// What an announced shutdown means.
package struct DrainPolicy: Hashable, Sendable {
    package enum Notice: Hashable, Sendable { case isObeyed, isIgnored }
    package enum Counting: Hashable, Sendable { case none, asFailure }
    package enum Return: Hashable, Sendable { case spread, sharp }
    package enum InFlight: Hashable, Sendable { case isQueuedAgain, isLost }

    package var notice = Notice.isObeyed
    package var counting = Counting.none
    package var comeback = Return.spread
    package var inFlight = InFlight.isQueuedAgain

    static let defects: [Defect] = [
        Defect(
            "drainingIgnored",
            ["WS-32a"],
            "the announcement is not understood, the close is a failure like any",
            policy: { $0.drain.notice = .isIgnored }
        ),
        Defect(
            "drainingCountsAsFailure",
            ["WS-32c"],
            "an announced close uses up an attempt",
            policy: { $0.drain.counting = .asFailure }
        ),
        Defect(
            "drainHerd",
            ["WS-32g"],
            "all clients come back at the same instant",
            policy: { $0.drain.comeback = .sharp }
        ),
        Defect(
            "inflightLostOnDrain",
            ["WS-32f"],
            "what was on the wire when the server drained is forgotten",
            policy: { $0.drain.inFlight = .isLost }
        ),
    ]
}
