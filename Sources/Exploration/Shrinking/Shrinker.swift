package import ScenarioModel
import SquallCore

/// Reduces a failing draft to a minimal draft that still fails for the same reason.
///
/// The shrinker proposes one draft after another; the caller runs each draft and reports whether it still fails for
/// that reason.
package struct Shrinker: Sendable {
    /// The smallest failing draft found so far.
    package private(set) var best: Draft
    /// The number of drafts that were proposed and run.
    package private(set) var tried = 0
    /// Whether no pass can simplify the draft further.
    package private(set) var isMinimal = false

    private let original: Draft
    private let profiles: [String: Profile]
    private var pass = 0
    private var place = 0
    /// Whether a pass has simplified the draft in the current round. Each round goes through all passes.
    private var hasShrunk = false
    private var seen: Set<Draft>
    private var proposed: Draft?

    /// The maximum number of drafts that are run to shrink one failing draft.
    package static let most = 400

    package init(_ draft: Draft, profiles: [String: Profile]) {
        best = draft
        original = draft
        self.profiles = profiles
        seen = [draft]
    }

    /// Returns the next draft to run; nil when ``best`` is final.
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
        /// The draft fails for the same reason.
        case fails
        case passes
        /// The draft is not a valid scenario; it was not run and does not count as tried.
        case refused
    }

    /// Records the outcome of the most recently proposed draft.
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
