import SquallCore

/// How long to wait before the next attempt, and when there is none any more (catalogue WS-1).
struct Backoff {
    /// Failed attempts since the last reset.
    private(set) var failures: Int64 = 0
    /// Delays since the last reset.
    ///
    /// A lost connection is waited for, too, but is no failed attempt.
    private(set) var delays: Int64 = 0
    private let profile: ClientProfile.Reconnect
    private let policy: ReconnectPolicy
    private var chance: SeededGenerator

    init(_ rules: Rules) {
        profile = rules.profile.reconnect
        policy = rules.policy.reconnect
        chance = rules.stream("client.backoff")
    }

    /// Whether the attempts are spent.
    var isSpent: Bool {
        policy.limit == .attempts && profile.maxAttempts > 0 && failures >= profile.maxAttempts
    }

    mutating func countFailure() {
        failures += 1
    }

    mutating func reset() {
        failures = 0
        delays = 0
    }

    /// The next delay: doubling from the base to the cap, then jitter, then the floor.
    mutating func nextDelay() -> TimeSpan {
        let nominal =
            switch policy.growth {
            case .doubling: min(profile.base.doubled(delays), profile.cap)
            case .none: profile.base
            }
        delays += 1
        guard policy.jitter == .spread, let share = percent(profile.jitterPercent), share != .never else {
            return max(nominal, profile.floor)
        }
        switch policy.floor {
        case .afterJitter:
            let delay = chance.span(from: nominal - share.of(nominal), through: nominal + share.of(nominal))
            guard delay < profile.floor else { return delay }
            // Spread as well: all that fall below the floor would otherwise come back at the same instant.
            return chance.span(from: profile.floor, through: profile.floor + share.of(profile.floor))
        case .beforeJitter:
            let floored = max(nominal, profile.floor)
            return chance.span(from: floored - share.of(floored), through: floored + share.of(floored))
        }
    }
}

extension TimeSpan {
    /// The delay before the try after so many more: twice as long for each of them.
    func doubled(_ times: Int64) -> TimeSpan { self * (1 << min(max(times, 0), 40)) }
}

/// Nil below 0 and above 100.
func percent(_ number: Int64) -> Ratio? {
    UInt32(exactly: number).flatMap { Ratio($0, of: 100) }
}
