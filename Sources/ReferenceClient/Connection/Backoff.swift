import SquallCore

/// Computes the delay before the next connection attempt, and decides when to give up (catalogue WS-1).
struct Backoff {
    /// The number of failed attempts since the last reset.
    private(set) var failures: Int64 = 0
    /// The number of delays since the last reset.
    ///
    /// A lost connection causes a delay as well, but is not a failed attempt.
    private(set) var delays: Int64 = 0
    /// Whether the client has used up its attempts since it was last connected, even if the backoff was reset later.
    private(set) var wasSpent = false
    /// Whether the server has announced its restart since the last reset.
    private var isAnnounced = false
    private let profile: ClientProfile.Reconnect
    /// The number of attempts allowed after an announced restart; values below the usual number have no effect.
    private let announcedAttempts: Int64
    private let policy: ReconnectPolicy
    private var random: SeededGenerator
    private var pollingRandom: SeededGenerator

    init(_ rules: Rules) {
        profile = rules.profile.reconnect
        announcedAttempts = rules.profile.drain.maxAttempts
        policy = rules.policy.reconnect
        random = rules.stream("client.backoff")
        pollingRandom = rules.stream("client.backoff.polling")
    }

    /// Whether the client has used up its connection attempts.
    var isSpent: Bool {
        guard policy.limit == .attempts, profile.maxAttempts > 0 else { return false }
        return failures >= (isAnnounced ? max(profile.maxAttempts, announcedAttempts) : profile.maxAttempts)
    }

    /// Handles the server's announcement of a restart, after which more attempts may be allowed.
    mutating func restartAnnounced() {
        isAnnounced = true
    }

    mutating func countFailure() {
        failures += 1
        if isSpent { wasSpent = true }
    }

    /// Records that a handshake is complete.
    mutating func connected() {
        wasSpent = false
    }

    mutating func reset() {
        failures = 0
        delays = 0
        isAnnounced = false
    }

    /// Returns how long a client that polls over HTTP waits before its next connection attempt; nil if it attempts to
    /// connect only after an event such as a user command.
    ///
    /// The pause is jittered, because an outage makes all clients give up at about the same time.
    mutating func nextAttemptWhilePolling() -> TimeSpan? {
        let pause = profile.pollingPause
        guard pause > .zero, policy.polling == .triesTheSocket else { return nil }
        guard policy.jitter == .spread, let share = percent(profile.jitterPercent) else { return pause }
        return pollingRandom.span(from: pause - share.of(pause), through: pause + share.of(pause))
    }

    /// Returns the next delay: doubled from the base up to the cap, then jittered, then raised to the floor.
    mutating func nextDelay() -> TimeSpan {
        let nominal =
            switch policy.growth {
            case .doubling: min(profile.base.doubled(delays), profile.cap)
            case .unlimited: profile.base.doubled(delays)
            case .none: profile.base
            }
        delays += 1
        guard policy.jitter == .spread, let share = percent(profile.jitterPercent), share != .never else {
            return max(nominal, profile.floor)
        }
        switch policy.floor {
        case .afterJitter:
            let delay = random.span(from: nominal - share.of(nominal), through: nominal + share.of(nominal))
            guard delay < profile.floor else { return delay }
            // The delay is jittered again, because otherwise all clients whose delay is below the floor would reconnect
            // at the same instant.
            return random.span(from: profile.floor, through: profile.floor + share.of(profile.floor))
        case .beforeJitter:
            let floored = max(nominal, profile.floor)
            return random.span(from: floored - share.of(floored), through: floored + share.of(floored))
        }
    }
}

extension TimeSpan {
    /// Returns the span doubled `times` times, but no more than 40 times.
    func doubled(_ times: Int64) -> TimeSpan { self * (1 << min(max(times, 0), 40)) }
}

/// Converts a percentage to a ratio; returns nil if it is not in the range 0 to 100.
func percent(_ number: Int64) -> Ratio? {
    UInt32(exactly: number).flatMap { Ratio($0, of: 100) }
}
