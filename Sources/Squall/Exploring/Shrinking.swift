import Exploration
import ScenarioModel
import SquallCore

/// Shrinks a failing draft (a generated scenario) by running simpler variants of it.
struct Shrinking {
    private(set) var best: Draft
    private(set) var seed: Seed
    /// The violation in the smallest failing draft found so far.
    private(set) var violation: Violation
    private(set) var tries = 0
    private(set) var isMinimal = false
    private let player: TrialPlayer

    init(_ draft: Draft, _ violation: Violation, seed: Seed, _ player: TrialPlayer) {
        (best, self.violation, self.seed, self.player) = (draft, violation, seed, player)
    }

    /// Shrinks the draft. Calls `other` for each violation with a different cause that a smaller draft exposes.
    ///
    /// If the task is cancelled, shrinking stops, and the smallest draft found so far is the result.
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
                // Any further difference between the two clients usually has the same cause as the first, so it is not
                // reported.
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

    /// Returns the violations of a draft; nil if the draft is not a valid scenario.
    private func violations(of draft: Draft, _ seed: Seed) async throws -> [Violation]? {
        guard let scenario = player.read(draft) else { return nil }
        // A draft with its own expectations must be run to the end, because that is when they are evaluated.
        let played = try await player.play(scenario, seed: seed, draft.ending == .none ? .whole : .firstViolation)
        return played.isInterrupted ? [] : played.violations
    }

    /// Replaces the draft's seed with 1, the default, if the draft also fails with that seed.
    private mutating func simplifySeed() async throws {
        let simple = Seed(1)
        guard seed != simple else { return }
        tries += 1
        guard let same = try await violations(of: best, simple)?.first(where: { $0.cause == violation.cause })
        else { return }
        (seed, violation) = (simple, same)
    }

    /// Shortens the fault-free period at the end of the draft (the calm) to the time needed to reproduce the violation.
    ///
    /// The earlier phases of shrinking stop each run at the violation, so the length of the period does not affect
    /// them.
    private mutating func cutEnding() async throws {
        guard best.ending == .calm, let scenario = player.read(best) else { return }
        let played = try await player.play(scenario, seed: seed, .firstViolation)
        guard let violated = played.violations.first(where: { $0.cause == violation.cause }) else { return }
        // The invariant `convergence` compares clients and server after a separate fault-free period (calm), which is
        // appended to the run.
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
        // If the explanation is different, the violation may come from the evaluation of an incomplete run, not from
        // the original cause.
        guard same.why == violation.why else { return }
        best = shorter
    }
}

extension Draft {
    /// The time of the last step of the script, before the fault-free period at the end of the draft.
    fileprivate var end: Instant { moves.reduce(Instant.zero) { $0 + ($1.rest ?? .zero) } }
}

extension Cause {
    /// Returns whether two causes are the same, regardless of the connection state in which they occurred.
    func isLike(_ other: Cause) -> Bool { judge == other.judge && sentence == other.sentence }
}
