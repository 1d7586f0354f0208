import ScenarioModel
package import SquallCore

/// A failing draft after shrinking.
package struct Finding: Hashable, Sendable {
    package var violation: Violation
    package var draft: Draft
    package var seed: Seed
    /// The number, from 1, of the run in which the failure was found.
    package var run: Int
    /// The number of moves (steps) in the draft of that run, before shrinking.
    package var foundSize: Int
    /// The number of drafts that were run while shrinking the failing draft.
    package var tries: Int
    /// Whether the draft is minimal: any further simplification would make the violation disappear.
    package var isMinimal: Bool
    /// Whether this violation was found while another violation was being shrunk.
    package var isSideFind = false
    /// The number of violations of the same kind that the exploration has seen.
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
    /// The number of different violations of each kind that have been shrunk.
    private var examined: [Kind: Int] = [:]
    /// The number of violations of each kind.
    private var counts: [Kind: Int] = [:]

    /// The maximum number of violations of one kind that are shrunk. Violations of one kind can have several causes,
    /// which shrinking reveals, but shrinking more violations than this rarely reveals another cause.
    private static let maximumExamined = 4

    package init() {}

    /// Records a violation of a run; returns whether it should be shrunk because it differs from all earlier
    /// violations.
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

    /// Returns the number of violations of the same kind as a finding.
    package func count(of finding: Finding) -> Int { max(1, counts[Kind(finding.violation.cause), default: 0]) }
}
