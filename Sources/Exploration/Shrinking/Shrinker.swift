package import ScenarioModel
import SquallCore

/// Shrinks a failing draft as far as possible while it still fails for the same cause.
///
/// It proposes one draft after another; the caller plays each and reports whether it still fails for that cause.
package struct Shrinker: Sendable {
    /// The smallest draft that was found to fail.
    package private(set) var best: Draft
    /// How many drafts have been proposed.
    package private(set) var tried = 0
    /// Whether the moves were tried one by one and none can be removed.
    package private(set) var isMinimal = false

    private let original: Draft
    private let profiles: [String: Profile]
    private var pass = 0
    private var place = 0
    /// Whether a pass has made the draft smaller since the first pass began.
    private var hasShrunk = false
    private var seen: Set<Draft>
    private var proposed: Draft?

    /// The largest number of proposed drafts.
    package static let most = 400

    package init(_ draft: Draft, profiles: [String: Profile]) {
        best = draft
        original = draft
        self.profiles = profiles
        seen = [draft]
    }

    /// The next draft to play; nil when the best one is final.
    package mutating func next() -> Draft? {
        while tried < Self.most {
            guard pass < ShrinkPass.allCases.count else {
                guard hasShrunk else {
                    isMinimal = true
                    return nil
                }
                (pass, place, hasShrunk) = (0, 0, false)
                continue
            }
            let current = ShrinkPass.allCases[pass]
            guard place < current.count(of: best) else {
                (pass, place) = (pass + 1, 0)
                continue
            }
            guard let candidate = current.candidate(place, of: best).flatMap(legalised), candidate != best,
                seen.insert(candidate).inserted
            else {
                place += 1
                continue
            }
            proposed = candidate
            tried += 1
            return candidate
        }
        return nil
    }

    /// The outcome of a proposed draft.
    package enum Outcome: Hashable, Sendable {
        /// It fails for the same cause.
        case fails
        case passes
        /// It is not a valid scenario, so it was not played and does not count.
        case refused
    }

    /// Records the outcome of the last proposed draft.
    package mutating func take(_ outcome: Outcome) {
        guard let candidate = proposed else { return }
        proposed = nil
        if outcome == .refused { tried -= 1 }
        guard outcome == .fails else {
            place += 1
            return
        }
        place = ShrinkPass.allCases[pass].next(after: place, of: best, becoming: candidate)
        best = candidate
        hasShrunk = true
    }

    private func legalised(_ draft: Draft) -> Draft? {
        guard draft.ending != .none else { return draft.withoutLostLabels(of: original).withMergedPauses }
        return profiles[draft.profile].map { draft.legalised($0).withMergedPauses }
    }
}
