package import SquallCore

/// What was seen of one expectation in one case.
package struct CoverageWitness: Hashable, Sendable {
    /// How it was judged in one world.
    package struct Judgement: Hashable, Sendable {
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
    /// The case it stands in.
    package var title: String
    package var word: String
    package var covers: [String]
    package var judgements: [Judgement]
    /// Whether some change of the trace makes it fail; nil where it was not tried, for it does not pass.
    package var canFail: Bool?
    /// What it names, and what holds where it stands.
    package var statement: CoverageStatement

    package init(
        location: SourceLocation,
        title: String,
        word: String,
        covers: [String],
        judgements: [Judgement],
        canFail: Bool?,
        statement: CoverageStatement = CoverageStatement()
    ) {
        self.location = location
        self.title = title
        self.word = word
        self.covers = covers
        self.judgements = judgements
        self.canFail = canFail
        self.statement = statement
    }

    package var passes: Bool {
        !judgements.isEmpty && judgements.allSatisfy { $0.verdict == .pass }
    }
}

/// What an expectation says in so many words: its own texts; numbers and durations also of its file and its profile.
package struct CoverageStatement: Hashable, Sendable {
    package var texts: Set<String>
    package var numbers: Set<Int64>
    package var durations: Set<TimeSpan>

    package init(texts: Set<String> = [], numbers: Set<Int64> = [], durations: Set<TimeSpan> = []) {
        self.texts = texts
        self.numbers = numbers
        self.durations = durations
    }

    package func names(_ assertion: AuditRow.Assertion) -> Bool {
        switch assertion {
        case .text(let text): texts.contains { $0.contains(text) }
        case .number(let number): numbers.contains(number)
        case .duration(let span): durations.contains(span)
        }
    }
}

/// How one case fared with one defect on.
package struct DefectTrial: Hashable, Sendable {
    package var defect: String
    package var file: String
    package var title: String
    /// The rows that the case's expectations cover.
    package var covers: Set<String>
    /// Those of them that a failing expectation covers: one that was never put to the test, since the script got stuck before,
    /// says nothing of its rows.
    package var breaks: Set<String>
    /// Whether the case failed, by whatever part of it.
    package var failed: Bool

    package init(
        defect: String,
        file: String,
        title: String,
        covers: Set<String>,
        breaks: Set<String>,
        failed: Bool
    ) {
        self.defect = defect
        self.file = file
        self.title = title
        self.covers = covers
        self.breaks = breaks
        self.failed = failed
    }
}
