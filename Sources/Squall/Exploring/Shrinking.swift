import Exploration
import ScenarioModel
import SquallCore

/// Shrinks a failing draft by playing smaller ones.
struct Shrinking {
    private(set) var best: Draft
    private(set) var seed: Seed
    /// The violation of the smallest draft.
    private(set) var violation: Violation
    private(set) var tries = 0
    private(set) var isMinimal = false
    private let player: TrialPlayer

    init(_ draft: Draft, _ violation: Violation, seed: Seed, _ player: TrialPlayer) {
        (best, self.violation, self.seed, self.player) = (draft, violation, seed, player)
    }

    /// Shrinks the draft, and reports what smaller drafts have violated for another cause.
    ///
    /// A cancelled task ends it early, with the smallest draft so far.
    mutating func shrink(other: (Violation, Draft, Seed) -> Void) async throws {
        try await simplifySeed()
        var shrinker = Shrinker(best, profiles: player.profiles)
        while !Task.isCancelled, let candidate = shrinker.next() {
            guard let found = try await violations(of: candidate, seed) else {
                shrinker.take(.refused)
                continue
            }
            let same = found.first { $0.cause == violation.cause }
            if let same {
                (best, violation) = (candidate, same)
            } else {
                // Other differences between two clients mostly have the same reason.
                for violation in found
                where violation.cause.judge != Cause.against || violation.cause.judge != self.violation.cause.judge {
                    other(violation, candidate, seed)
                }
            }
            shrinker.take(same == nil ? .passes : .fails)
        }
        tries += shrinker.tried
        isMinimal = shrinker.isMinimal
        if !Task.isCancelled { try await cutEnding() }
    }

    /// The violation of a draft; nil if it is not a valid scenario.
    private func violations(of draft: Draft, _ seed: Seed) async throws -> [Violation]? {
        guard let scenario = player.read(draft) else { return nil }
        // Expectations are judged at the end.
        let played = try await player.play(scenario, seed: seed, draft.ending == .none ? .whole : .firstViolation)
        return played.isInterrupted ? [] : played.violations
    }

    /// The seed that users try first, if the run fails with it as well.
    private mutating func simplifySeed() async throws {
        let simple = Seed(1)
        guard seed != simple else { return }
        tries += 1
        guard let same = try await violations(of: best, simple)?.first(where: { $0.cause == violation.cause })
        else { return }
        (seed, violation) = (simple, same)
    }

    /// Removes what follows the violation.
    ///
    /// A run that ended at its violation never got to what follows, so that the calm is as long as before where it
    /// matters: its quiet is only cut behind the violation.
    private mutating func cutEnding() async throws {
        guard best.ending == .calm, let scenario = player.read(best) else { return }
        let played = try await player.play(scenario, seed: seed, .firstViolation)
        guard let violated = played.violations.first(where: { $0.cause == violation.cause }) else { return }
        // The comparison of clients and server comes after a calm of its own.
        let hasOwnCalm = violation.cause.judge.hasSuffix(" convergence")
        let isInStorm = hasOwnCalm || violated.time <= best.end
        var shorter = isInStorm ? best.withoutLastPause : best
        let left = (hasOwnCalm ? best.end : violated.time) - shorter.end
        let pause = TimeSpan.seconds(max(0, left.nanoseconds / 1_000_000_000) + 1)
        shorter.ending = .cut(calm: !isInStorm, pause: pause)
        tries += 1
        guard let scenario = player.read(shorter) else { return }
        let whole = try await player.play(scenario, seed: seed, .whole)
        guard let same = whole.violations.first(where: { $0.cause.isLike(violation.cause) }) else { return }
        // Only if the violation is the same one, and not what judging an unfinished run adds.
        guard same.why == violation.why else { return }
        best = shorter
    }
}

extension Draft {
    /// When the last of the moves before the calm has been played.
    fileprivate var end: Instant { moves.reduce(Instant.zero) { $0 + ($1.rest ?? .zero) } }
}

extension Cause {
    /// Whether it is the same violation, regardless of the connection's state.
    func isLike(_ other: Cause) -> Bool { judge == other.judge && sentence == other.sentence }
}
