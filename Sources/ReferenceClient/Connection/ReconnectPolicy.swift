/// When to try again, and when no longer.
package struct ReconnectPolicy: Hashable, Sendable {
    package enum Growth: Hashable, Sendable { case doubling, none }
    package enum Jitter: Hashable, Sendable { case spread, none }
    package enum Floor: Hashable, Sendable { case afterJitter, beforeJitter }
    /// What makes the next delay the first again.
    package enum Reset: Hashable, Sendable { case whenConnected, whenOpened, never }
    package enum Limit: Hashable, Sendable { case attempts, none }

    package var growth = Growth.doubling
    package var jitter = Jitter.spread
    package var floor = Floor.afterJitter
    package var reset = Reset.whenConnected
    package var limit = Limit.attempts

    static let defects: [Defect] = [
        Defect("noBackoff", ["WS-1a"], "every delay is the first one's", policy: { $0.reconnect.growth = .none }),
        Defect("noJitter", ["WS-1b", "WS-1f"], "all clients wait equally long", policy: { $0.reconnect.jitter = .none }),
        Defect(
            "delayBelowFloor", ["WS-1c"], "jitter takes a delay below the floor",
            policy: { $0.reconnect.floor = .beforeJitter }
        ),
        Defect(
            "backoffNotReset", ["WS-1d"], "after a success the delays go on where they stood",
            policy: { $0.reconnect.reset = .never }
        ),
        Defect(
            "resetOnTcpOpen", ["WS-1g"], "a socket that opens counts as a success, whatever follows",
            policy: { $0.reconnect.reset = .whenOpened }
        ),
        Defect(
            "retriesForever", ["WS-1e", "WS-34"], "the attempts are never spent",
            policy: { $0.reconnect.limit = .none }
        ),
    ]
}

/// What a change of the network means.
package struct ReachabilityPolicy: Hashable, Sendable {
    package enum Offline: Hashable, Sendable { case pauses, keepsTrying }
    package enum Restore: Hashable, Sendable { case reconnects, waitsForTimer, isOnlyShown }
    /// What was polled for before the network went.
    package enum Poll: Hashable, Sendable { case atOnce, withTheNext }
    /// A second word that the network is there.
    package enum Repeat: Hashable, Sendable { case coalesces, opensAnother }
    package enum Handoff: Hashable, Sendable { case reconnects, isUnnoticed }

    package var offline = Offline.pauses
    package var restore = Restore.reconnects
    package var poll = Poll.atOnce
    package var `repeat` = Repeat.coalesces
    package var handoff = Handoff.reconnects

    static let defects: [Defect] = [
        Defect(
            "blindReconnectTimer", ["WS-2a"], "attempts go on, and count, without a network",
            policy: { $0.reachability.offline = .keepsTrying }
        ),
        Defect(
            "noReconnectOnNetworkRestore", ["UX-2.4a", "WS-2b"], "a network that comes back changes nothing",
            policy: { $0.reachability.restore = .waitsForTimer }
        ),
        Defect(
            "labelOnlyConnecting", ["UX-2.4d"], "a network that comes back is shown as connecting, but nothing connects",
            policy: { $0.reachability.restore = .isOnlyShown }
        ),
        Defect(
            "pollWaitsFullInterval", ["UX-2.4b"], "a network that comes back does not bring the poll that was due",
            policy: { $0.reachability.poll = .withTheNext }
        ),
        Defect(
            "redundantConnect", ["WS-2c", "WS-2e"], "every word that the network is there opens a socket more",
            policy: { $0.reachability.repeat = .opensAnother }
        ),
        Defect(
            "handoffUnnoticed", ["WS-29"], "a change of the interface leaves the client on the dead path",
            policy: { $0.reachability.handoff = .isUnnoticed }
        ),
    ]
}

/// What going to the background means.
package struct LifecyclePolicy: Hashable, Sendable {
    package enum Leaving: Hashable, Sendable { case closes, vanishes }
    package enum Return: Hashable, Sendable { case reconnects, resumesNothing }

    package var leaving = Leaving.closes
    package var comeback = Return.reconnects

    static let defects: [Defect] = [
        Defect(
            "noCleanDisconnect", ["WS-9"], "the connection is dropped in the background without a close frame",
            policy: { $0.lifecycle.leaving = .vanishes }
        ),
        Defect(
            "pollingCancelledForGood", ["UX-2.4e"], "what the background has ended stays ended in the foreground",
            policy: { $0.lifecycle.comeback = .resumesNothing }
        ),
    ]
}

/// What becomes of the key.
package struct AuthPolicy: Hashable, Sendable {
    package enum Refusal: Hashable, Sendable { case stops, retries }
    package enum MissingKey: Hashable, Sendable { case stops, triesAnyway }
    package enum Reading: Hashable, Sendable { case atEachAttempt, onceAtStart }
    package enum Sending: Hashable, Sendable { case afterConnected, atOnce }
    package enum NetworkError: Hashable, Sendable { case leavesKeyAlone, blamesKey }
    package enum NewerVersion: Hashable, Sendable { case warns, isIgnored }

    package var refusal = Refusal.stops
    package var missingKey = MissingKey.stops
    package var reading = Reading.atEachAttempt
    package var sending = Sending.afterConnected
    package var networkError = NetworkError.leavesKeyAlone
    package var newerVersion = NewerVersion.warns

    static let defects: [Defect] = [
        Defect(
            "authRetryLoop", ["WS-6b", "WS-X2"], "a refused key is tried again and again",
            policy: { $0.auth.refusal = .retries }
        ),
        Defect(
            "retryWithoutKey", ["WS-7c"], "attempts are made without a key", policy: { $0.auth.missingKey = .triesAnyway }
        ),
        Defect(
            "keyCachedInMemory", ["WS-7d"], "a new key is used after a restart only",
            policy: { $0.auth.reading = .onceAtStart }
        ),
        Defect(
            "sendsBeforeAuth", ["WS-6a"], "messages go out before the server knows who sends them",
            policy: { $0.auth.sending = .atOnce }
        ),
        Defect(
            "authFlagOnNetworkError", ["WS-7b"], "a network fault makes the client ask for a new key",
            policy: { $0.auth.networkError = .blamesKey }
        ),
        Defect(
            "versionIgnored", ["WS-11d"], "a newer auth_version is passed over in silence",
            policy: { $0.auth.newerVersion = .isIgnored }
        ),
    ]
}

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
            "drainingIgnored", ["WS-32a"], "the announcement is not understood, the close is a failure like any",
            policy: { $0.drain.notice = .isIgnored }
        ),
        Defect(
            "drainingCountsAsFailure", ["WS-32c"], "an announced close uses up an attempt",
            policy: { $0.drain.counting = .asFailure }
        ),
        Defect(
            "drainHerd", ["WS-32g"], "all clients come back at the same instant", policy: { $0.drain.comeback = .sharp }
        ),
        Defect(
            "inflightLostOnDrain", ["WS-32f"], "what was on the wire when the server drained is forgotten",
            policy: { $0.drain.inFlight = .isLost }
        ),
    ]
}

/// What a frame that nobody can read does.
package struct FramePolicy: Hashable, Sendable {
    package enum Reading: Hashable, Sendable { case isIgnored, crashes }

    package var unknownType = Reading.isIgnored
    package var malformed = Reading.isIgnored

    static let defects: [Defect] = [
        Defect(
            "crashOnUnknownType", ["WS-11b"], "a frame of an unknown type ends the process",
            policy: { $0.frames.unknownType = .crashes }
        ),
        Defect(
            "crashOnMalformed", ["WS-40"], "a frame that is no proper JSON ends the process",
            policy: { $0.frames.malformed = .crashes }
        ),
    ]
}
