import ScenarioModel
package import SquallCore

/// A failing draft after shrinking.
package struct Finding: Hashable, Sendable {
    package var violation: Violation
    package var draft: Draft
    package var seed: Seed
    /// The number of the run that found it, from 1.
    package var run: Int
    /// How many moves that run had.
    package var foundSize: Int
    /// How many drafts were played to shrink it.
    package var tries: Int
    /// Whether every single move was tried and proved necessary.
    package var isMinimal: Bool
    /// True if this finding was made while another one was being shrunk.
    package var isSideFind = false
    /// How many runs failed like it.
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

/// The findings of an exploration, one per cause.
package struct Ledger: Sendable {
    /// What two violations of one kind have in common.
    private struct Kind: Hashable {
        var judge: String
        var sentence: String

        init(_ cause: Cause) {
            (judge, sentence) = (cause.judge, cause.sentence)
        }
    }

    package private(set) var findings: [Finding] = []
    private var sightings: Set<Sighting> = []
    /// How many different sightings of a kind have been examined.
    private var examined: [Kind: Int] = [:]
    /// How many runs had a violation of the kind.
    private var counts: [Kind: Int] = [:]

    /// One sentence can have several causes, which differ once they are shrunk; more than this would only cost time.
    private static let mostExamined = 4

    package init() {}

    /// Records a violation of a run; returns true if it should be shrunk because it is unlike all earlier ones.
    package mutating func note(_ sighting: Sighting) -> Bool {
        let kind = Kind(sighting.cause)
        counts[kind, default: 0] += 1
        guard examined[kind, default: 0] < Self.mostExamined, sightings.insert(sighting).inserted else { return false }
        examined[kind, default: 0] += 1
        return true
    }

    /// Adds a shrunk finding; returns nil, or the index of the known finding that has the same story.
    package mutating func add(_ finding: Finding) -> Int? {
        let kind = Kind(finding.violation.cause)
        let known = findings.contains {
            Kind($0.violation.cause) == kind && $0.draft.skeleton == finding.draft.skeleton
        }
        guard !known else { return nil }
        findings.append(finding)
        return findings.count - 1
    }

    /// How many runs failed in the same way as a finding.
    package func count(of finding: Finding) -> Int { max(1, counts[Kind(finding.violation.cause), default: 0]) }
}
