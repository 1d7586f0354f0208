/// How the client handles a request while an identical one is in flight.
package struct ExchangePolicy: Hashable, Sendable {
    package enum Equal: Hashable, Sendable { case goOnce, goEachTime }

    package var equal = Equal.goOnce

    static let defects: [Defect] = [
        Defect(
            "reconnectBurst",
            ["WS-23"],
            "a resource that is needed several times at once is fetched several times",
            policy: { $0.exchanges.equal = .goEachTime }
        )
    ]
}
