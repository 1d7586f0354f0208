/// What was observed in the cases of a suite, or of a part of it: the facts from which ``CoverageEvaluator`` decides
/// which catalogue rows are proven.
package struct CoverageEvidence: Hashable, Sendable {
    package var expectations: [ExpectationCoverage]
    package var trials: [DefectTrial]
    /// The number of cases that were run.
    package var cases: Int

    package init(expectations: [ExpectationCoverage] = [], trials: [DefectTrial] = [], cases: Int = 0) {
        self.expectations = expectations
        self.trials = trials
        self.cases = cases
    }

    package static func + (left: CoverageEvidence, right: CoverageEvidence) -> CoverageEvidence {
        CoverageEvidence(
            expectations: left.expectations + right.expectations,
            trials: left.trials + right.trials,
            cases: left.cases + right.cases
        )
    }
}

/// The evidence from one part of a suite that was divided among several machines.
package struct CoveragePart: Hashable, Sendable {
    package var origin: SuiteOrigin
    package var rows: RowSelection
    package var evidence: CoverageEvidence

    package init(origin: SuiteOrigin, rows: RowSelection, evidence: CoverageEvidence) {
        self.origin = origin
        self.rows = rows
        self.evidence = evidence
    }
}
