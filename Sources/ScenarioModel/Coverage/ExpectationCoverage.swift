package import SquallCore

/// The coverage data of one expectation in one case.
package struct ExpectationCoverage: Hashable, Sendable {
    /// The expectation's verdict in one world (simulated or live).
    package struct WorldVerdict: Hashable, Sendable {
        package var world: World
        package var verdict: CaseVerdict
        package var why: String?

        package init(world: World, verdict: CaseVerdict, why: String? = nil) {
            self.world = world
            self.verdict = verdict
            self.why = why
        }
    }

    package var location: SourceLocation
    /// The title of the case.
    package var title: String
    package var word: String
    package var covers: [String]
    package var judgements: [WorldVerdict]
    /// Whether the expectation fails on at least one modified trace; nil if the expectation did not pass, in which case
    /// no modification was tried.
    package var canFail: Bool?
    /// The strings, numbers and durations that the expectation checks.
    package var statement: CoverageStatement
    /// Whether the expectation fails on the unchanged trace if its bound is made a fifth shorter or a quarter longer.
    package var isBoundTight: Bool

    package init(
        location: SourceLocation,
        title: String,
        word: String,
        covers: [String],
        judgements: [WorldVerdict],
        canFail: Bool?,
        statement: CoverageStatement = CoverageStatement(),
        isBoundTight: Bool = false
    ) {
        self.location = location
        self.title = title
        self.word = word
        self.covers = covers
        self.judgements = judgements
        self.canFail = canFail
        self.statement = statement
        self.isBoundTight = isBoundTight
    }

    package var passes: Bool {
        !judgements.isEmpty && judgements.allSatisfy { $0.verdict == .pass }
    }
}

/// The strings, numbers and durations that an expectation checks.
package struct CoverageStatement: Hashable, Sendable {
    package var texts: Set<String>
    package var numbers: Set<Int64>
    package var durations: Set<TimeSpan>
    /// The expectation's time limit, which is not among ``durations``: a limit may be so generous that it never affects
    /// a verdict.
    package var bound: TimeSpan?

    package init(
        texts: Set<String> = [],
        numbers: Set<Int64> = [],
        durations: Set<TimeSpan> = [],
        bound: TimeSpan? = nil
    ) {
        self.texts = texts
        self.numbers = numbers
        self.durations = durations
        self.bound = bound
    }

    /// Returns whether the expectation checks the value other than as its bound.
    package func names(_ assertion: AuditRow.Assertion) -> Bool {
        switch assertion {
        case .text(let text): texts.contains { $0.contains(text) }
        case .number(let number): numbers.contains(number)
        case .duration(let span): durations.contains(span)
        }
    }

    package func hasBound(_ assertion: AuditRow.Assertion) -> Bool {
        if case .duration(let span) = assertion { span == bound } else { false }
    }
}

/// The result of one case with one planted defect.
package struct DefectTrial: Hashable, Sendable {
    package var defect: String
    package var file: String
    package var title: String
    /// The catalogue rows that the case's expectations cover.
    package var covers: Set<String>
    /// The catalogue rows that a failing expectation covers. An expectation that was not evaluated, because the script
    /// got stuck first, does not count as failing.
    package var failedRows: Set<String>
    /// The locations of the expectations that failed.
    package var failedExpectations: Set<SourceLocation>
    /// The locations of the expectations that fail because of their bound: with a bound ten times as long, or a tenth
    /// as long, they do not fail. Only expectations whose bound is asserted by a row they cover are tried.
    package var missedBounds: Set<SourceLocation>
    /// Whether any check of the case failed.
    package var failed: Bool

    package init(
        defect: String,
        file: String,
        title: String,
        covers: Set<String>,
        failedRows: Set<String>,
        failedExpectations: Set<SourceLocation>,
        missedBounds: Set<SourceLocation> = [],
        failed: Bool
    ) {
        self.defect = defect
        self.file = file
        self.title = title
        self.covers = covers
        self.failedRows = failedRows
        self.failedExpectations = failedExpectations
        self.missedBounds = missedBounds
        self.failed = failed
    }
}
