/// How the client handles a request while an identical one is in flight.
package struct ExchangePolicy: Hashable, Sendable {
    package enum Equal: Hashable, Sendable { case goOnce, goEachTime }

    /// Whether the time limit of requests also applies to a message that is posted over HTTP.
    package enum PostLimit: Hashable, Sendable { case isKept, isMissing }

    package var equal = Equal.goOnce
    package var postLimit = PostLimit.isKept

    static let defects: [Defect] = [
        Defect(
            "reconnectBurst",
            ["WS-23"],
            "a resource that is needed several times at once is fetched several times",
            policy: { $0.exchanges.equal = .goEachTime }
        ),
        Defect(
            "postsUntimed",
            ["UX-2.2b"],
            "a message posted over HTTP has no time limit, so it is shown as sending for as long as no answer comes",
            policy: { $0.exchanges.postLimit = .isMissing }
        ),
    ]
}
