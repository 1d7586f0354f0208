/// What becomes of a request while the same one is under way.
package struct ExchangePolicy: Hashable, Sendable {
    package enum Equal: Hashable, Sendable { case goOnce, goEachTime }

    package var equal = Equal.goOnce

    static let defects: [Defect] = [
        Defect(
            "reconnectBurst",
            ["WS-23"],
            "what was asked for many times is fetched many times",
            policy: { $0.exchanges.equal = .goEachTime }
        )
    ]
}
