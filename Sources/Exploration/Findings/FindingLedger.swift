import ScenarioModel
package import SquallCore

/// A failing draft after shrinking.
package struct Finding: Hashable, Sendable {
    package var violation: Violation
    package var draft: Draft
    package var seed: Seed
    /// The number of the run in which the failure was found, counted from 1.
    package var run: Int
    /// The number of moves (steps) in the draft of that run, before shrinking.
    package var foundSize: Int
    /// The number of drafts run while shrinking the failing draft.
    package var tries: Int
    /// Whether the draft is minimal: any further simplification would make the violation disappear.
    package var isMinimal: Bool
    /// Whether this violation was found while shrinking a draft with another violation.
    package var isSideFind = false
    /// The number of violations of the same kind seen during the exploration.
    package var count = 1

    package init(
        violation: Violation,
        draft: Draft,
        seed: Seed,
        run: Int,
        foundSize: Int,
        tries: Int,
        isMinimal: Bool
    ) {
        self.violation = violation
        self.draft = draft
        self.seed = seed
        self.run = run
        self.foundSize = foundSize
        self.tries = tries
        self.isMinimal = isMinimal
    }
}

/// The findings of an exploration, without duplicates.
package struct FindingLedger: Sendable {
    /// The properties that two violations must share to count as the same kind. Violations of the same kind may have
    /// the same cause.
    private struct Kind: Hashable {
        var judge: String
        var sentence: String

        init(_ cause: Cause) {
            (judge, sentence) = (cause.judge, cause.sentence)
        }
    }

    package private(set) var findings: [Finding] = []
    private var sightings: Set<ObservedViolation> = []
    /// The number of distinct violations of each kind that have been shrunk.
    private var examined: [Kind: Int] = [:]
    /// The number of violations of each kind.
    private var counts: [Kind: Int] = [:]

    /// The maximum number of violations of one kind to shrink. Shrinking can reveal that violations of one kind have
    /// several causes, but shrinking more than this many rarely reveals another cause.
    private static let maximumExamined = 4

    package init() {}

    /// Records a violation observed in a run; returns true if it should be shrunk: it is new, and few of its kind have
    /// been shrunk.
    package mutating func note(_ sighting: ObservedViolation) -> Bool {
        let kind = Kind(sighting.cause)
        counts[kind, default: 0] += 1
        guard examined[kind, default: 0] < Self.maximumExamined, sightings.insert(sighting).inserted else {
            return false
        }
        examined[kind, default: 0] += 1
        return true
    }

    /// Adds a shrunk finding and returns its index. Returns nil if the ledger already has a finding of the same kind
    /// with the same sequence of actions.
    package mutating func add(_ finding: Finding) -> Int? {
        let kind = Kind(finding.violation.cause)
        let known = findings.contains {
            Kind($0.violation.cause) == kind && $0.draft.skeleton == finding.draft.skeleton
        }
        guard !known else { return nil }
        findings.append(finding)
        return findings.count - 1
    }

    /// Returns how many violations of the finding's kind have been seen.
    package func count(of finding: Finding) -> Int { max(1, counts[Kind(finding.violation.cause), default: 0]) }
}
