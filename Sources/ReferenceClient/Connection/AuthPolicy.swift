/// How the client uses its API key, and how it reacts when the server rejects the key.
package struct AuthPolicy: Hashable, Sendable {
    package enum Refusal: Hashable, Sendable { case stops, retries }
    package enum MissingKey: Hashable, Sendable { case stops, triesAnyway }
    package enum Reading: Hashable, Sendable { case atEachAttempt, onceAtStart }
    /// How the client treats a key that it cannot read yet because the phone is locked: it waits until the phone is
    /// unlocked, or it treats the key as missing.
    package enum LockedKey: Hashable, Sendable { case isWaitedFor, countsAsMissing }
    package enum Sending: Hashable, Sendable { case afterConnected, atOnce }
    package enum NetworkError: Hashable, Sendable { case leavesKeyAlone, blamesKey }
    package enum NewerVersion: Hashable, Sendable { case warns, isIgnored }
    /// How the client reconnects after a lost connection: with the same key, or only after asking the user to enter it
    /// again.
    package enum LostLink: Hashable, Sendable { case usesKeyAgain, asksForKey }
    package enum Place: Hashable, Sendable { case inConnectAlone, alsoInAddress, alsoInPings }
    /// The clock that provides a login's timestamp once the server has announced its time: the server's or the phone's.
    package enum Dating: Hashable, Sendable { case byServerClock, byPhoneClock }

    package var refusal = Refusal.stops
    package var missingKey = MissingKey.stops
    package var reading = Reading.atEachAttempt
    package var lockedKey = LockedKey.isWaitedFor
    package var sending = Sending.afterConnected
    package var networkError = NetworkError.leavesKeyAlone
    package var newerVersion = NewerVersion.warns
    package var lostLink = LostLink.usesKeyAgain
    package var place = Place.inConnectAlone
    package var dating = Dating.byServerClock

    static let defects: [Defect] = [
        Defect(
            "authRetryLoop",
            ["WS-6b", "WS-X2"],
            "a rejected key is tried again and again",
            policy: { $0.auth.refusal = .retries }
        ),
        Defect(
            "retryWithoutKey",
            ["WS-7c"],
            "attempts are made without a key",
            policy: { $0.auth.missingKey = .triesAnyway }
        ),
        Defect(
            "keyCachedInMemory",
            ["WS-7d"],
            "a new key is used only after a restart",
            policy: { $0.auth.reading = .onceAtStart }
        ),
        Defect(
            "lockedKeyCountsAsMissing",
            ["WS-7d"],
            "a client that starts before the phone's first unlock takes its key for missing",
            policy: { $0.auth.lockedKey = .countsAsMissing }
        ),
        Defect(
            "sendsBeforeAuth",
            ["WS-6a"],
            "messages are sent before the server has accepted the key",
            policy: { $0.auth.sending = .atOnce }
        ),
        Defect(
            "authFlagOnNetworkError",
            ["WS-7b"],
            "a network fault makes the client ask the user for a new key",
            policy: { $0.auth.networkError = .blamesKey }
        ),
        Defect(
            "versionIgnored",
            ["WS-11d"],
            "a newer auth_version of the server is ignored",
            policy: { $0.auth.newerVersion = .isIgnored }
        ),
        Defect(
            "promptsOnBlip",
            ["WS-7a", "WS-7e"],
            "the client asks the user for the key after every lost connection",
            policy: { $0.auth.lostLink = .asksForKey }
        ),
        Defect(
            "keyLeak",
            ["WS-6d"],
            "the key is part of the WebSocket's URL",
            policy: { $0.auth.place = .alsoInAddress }
        ),
        Defect(
            "keyInPings",
            ["WS-6d"],
            "the ids of pings contain the key",
            policy: { $0.auth.place = .alsoInPings }
        ),
        Defect(
            "loginDatedByPhone",
            ["WS-38"],
            "a login carries the time of the phone's clock, so that the server rejects it after the clock has jumped",
            policy: { $0.auth.dating = .byPhoneClock }
        ),
    ]
}
