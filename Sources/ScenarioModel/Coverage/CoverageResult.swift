package import SquallCore

/// The result of a coverage measurement: the status of the rows (requirements) and of the planted defects, and the
/// expectations that prove nothing.
package struct CoverageResult: Hashable, Sendable {
    package var rows: [RowStatus]
    package var defects: [DefectStatus]
    /// The passing expectations that no modification of the trace can make fail.
    package var unprovable: [Weak]
    /// The expectations that cover rows but that no planted defect makes fail.
    package var unbroken: [Weak]
    package var worlds: [World]
    package var cases: Int

    package init(
        rows: [RowStatus],
        defects: [DefectStatus],
        unprovable: [Weak],
        unbroken: [Weak] = [],
        worlds: [World],
        cases: Int
    ) {
        self.rows = rows
        self.defects = defects
        self.unprovable = unprovable
        self.unbroken = unbroken
        self.worlds = worlds
        self.cases = cases
    }

    /// An expectation that proves little or nothing.
    package struct Weak: Hashable, Sendable {
        package var location: SourceLocation
        package var word: String
        package var title: String
        package var covers: [String]

        package init(location: SourceLocation, word: String, title: String, covers: [String]) {
            self.location = location
            self.word = word
            self.title = title
            self.covers = covers
        }

        init(_ expectation: ExpectationCoverage) {
            self.init(
                location: expectation.location,
                word: expectation.word,
                title: expectation.title,
                covers: expectation.covers
            )
        }
    }

    package var proven: [RowStatus] { rows.filter { $0.status == .proven } }
    package var unproven: [RowStatus] { rows.filter { !$0.reasons.isEmpty } }
    package var testable: [RowStatus] { rows.filter(\.row.isTestable) }

    package var tested: [RowStatus] {
        rows.filter { if case .tested = $0.status { true } else { false } }
    }

    /// The rows that state a server guarantee and are proven by conformance cases alone.
    package var conformant: [RowStatus] {
        rows.filter { if case .conformant = $0.status { true } else { false } }
    }

    /// Returns the proven rows that depend on no other row and whose most specific defect-detecting check is of this
    /// kind.
    package func proven(killed kill: RowStatus.Kill) -> [RowStatus] {
        proven.filter { $0.row.dependsOn.isEmpty && $0.kill == kill }
    }

    /// The rows that are unproven only because the result of their unit test is missing.
    package var unverified: [RowStatus] { rows.filter(\.isUnverified) }

    package var untestable: [RowStatus] { rows.filter { !$0.row.isTestable } }

    /// Returns whether the measurement applies to a row: either a scenario that covers the row was run, or the row
    /// needs no scenario.
    ///
    /// A row that depends on other rows is measured if all of them are; the rows in `excluding` count as measured.
    func isMeasured(_ status: RowStatus, excluding: [String] = []) -> Bool {
        status.reasons.allSatisfy { reason in
            switch reason {
            case .notCovered, .testNotVerified: false
            case .testMissing, .testDoesNotPass, .caseMissing, .caseFails, .caseCatchesNothing: true
            case .dependsOn(let references):
                references.allSatisfy { reference in
                    let others = rows.filter { $0.row.id == reference || $0.row.finding == reference }
                    return !others.isEmpty
                        && others.allSatisfy {
                            excluding.contains($0.row.id) || isMeasured($0, excluding: excluding + [status.row.id])
                        }
                }
            default: !status.coveredAt.isEmpty
            }
        }
    }

    package var built: [DefectStatus] { defects.filter { $0.fate != .notBuilt } }
    package var killed: [DefectStatus] { defects.filter(\.isKilled) }
    package var survivors: [DefectStatus] { built.filter { !$0.isKilled } }
    package var notBuilt: [DefectStatus] { defects.filter { $0.fate == .notBuilt } }
}

/// The status of one catalogue row (a requirement): whether it is proven, and which kind of evidence proves it.
package struct RowStatus: Hashable, Sendable {
    package enum State: Hashable, Sendable {
        case proven
        /// The row is proven by a unit test.
        case tested(by: String)
        /// The row is proven by conformance cases whose ids match these patterns. The cases were run against the fake
        /// server, but they can test any server.
        case conformant(by: [String])
        case unproven([Reason])
        case untestable(because: String)
    }

    /// A reason why a catalogue row is not proven.
    package enum Reason: Hashable, Sendable {
        case notCovered
        case doesNotPass(ExpectationCoverage.WorldVerdict, at: SourceLocation, case: String)
        case cannotFail(at: SourceLocation)
        /// No planted defect makes the expectation fail.
        case neverBroken(at: SourceLocation)
        /// The unit test results do not include the row's unit test.
        case testMissing(String)
        /// The unit test failed, was skipped or cancelled, or has a known issue.
        case testDoesNotPass(String)
        /// The unit test results are not known.
        case testNotVerified(String)
        case caseMissing(String)
        case caseFails(String)
        /// The conformance case detects no defect: the fake server passes it with each of the row's defects, just as it
        /// does without any.
        case caseCatchesNothing(String)
        case doesNotState([AuditRow.Assertion])
        /// The expectation has the asserted duration as its bound, but no verdict depends on the bound.
        case boundDecidesNothing(AuditRow.Assertion, at: SourceLocation)
        case defectNotBuilt(String)
        case defectSurvives(String, in: [String])
        case dependsOn([String])
    }

    /// The most specific kind of check that detects a planted defect in the cases that cover the row.
    package enum Kill: String, Hashable, Sendable, CaseIterable {
        /// An expectation that covers this row alone.
        case ownLine = "own_line"
        /// An expectation that covers other rows as well.
        case sharedLine = "shared_line"
        /// A check that does not cover this row: an expectation about other rows, an invariant or the script.
        case elsewhere
        case nothing
    }

    package var row: AuditRow
    package var status: State
    package var kill: Kill
    /// The locations of the expectations that cover the row, without duplicates.
    package var coveredAt: [SourceLocation]

    package init(row: AuditRow, status: State, coveredAt: [SourceLocation], kill: Kill = .nothing) {
        self.row = row
        self.status = status
        self.coveredAt = coveredAt
        self.kill = kill
    }

    package var reasons: [Reason] {
        if case .unproven(let reasons) = status { reasons } else { [] }
    }

    /// Whether the row is unproven only because no unit test results were read.
    package var isUnverified: Bool {
        !reasons.isEmpty
            && reasons.allSatisfy { reason in
                if case .testNotVerified = reason { true } else { false }
            }
    }

    /// Whether the row is proven, by scenarios, conformance cases or a unit test.
    package var isProven: Bool {
        switch status {
        case .proven, .conformant, .tested: true
        case .unproven, .untestable: false
        }
    }
}

/// The status of one planted defect (a deliberate bug): whether the scenarios detect it.
package struct DefectStatus: Hashable, Sendable {
    package enum Fate: Hashable, Sendable {
        /// The defect makes cases in these files fail.
        case killed(by: [String])
        case survives(tried: Int)
        /// The catalogue names the defect, but it is not implemented.
        case notBuilt
    }

    package var name: String
    package var rows: [String]
    package var fate: Fate

    package init(name: String, rows: [String], fate: Fate) {
        self.name = name
        self.rows = rows
        self.fate = fate
    }

    /// Whether the measurement has a result for the defect: it was tried in at least one case, or it is not
    /// implemented.
    package var isMeasured: Bool {
        if case .survives(tried: 0) = fate { false } else { true }
    }

    package var isKilled: Bool {
        if case .killed = fate { true } else { false }
    }
}

extension RowStatus.Reason: CustomStringConvertible {
    /// A phrase that completes "The row is not proven: …".
    package var description: String {
        switch self {
        case .notCovered: "no expectation covers it"
        case .doesNotPass(let judgement, let location, let title):
            "\(location): \(judgement.verdict.inWords) in \(judgement.world.rawValue) (\(title)): "
                + (judgement.why ?? "no reason given")
        case .cannotFail(let location): "\(location): no change of the trace makes this fail; it proves nothing"
        case .neverBroken(let location):
            "\(location): no planted defect makes this fail, so nothing shows that it detects a faulty client"
        case .testMissing(let test): "the results of the unit tests do not contain \(test)"
        case .testDoesNotPass(let test): "the unit test \(test) did not pass"
        case .testNotVerified(let test):
            "the unit test \(test) is not verified: 'make test' writes the results, and --tests FILE reads them"
        case .caseMissing(let pattern): "no conformance case of a server has the id \(pattern)"
        case .caseFails(let failure): "the fake server fails the conformance case \(failure)"
        case .caseCatchesNothing(let pattern):
            "a server with any of its defects passes the conformance case \(pattern); it proves nothing"
        case .doesNotState(let assertions):
            "no expectation that covers it checks \(assertions.map(String.init(describing:)).joined(separator: ", "))"
        case .boundDecidesNothing(let bound, let location):
            "\(location): no verdict depends on its bound of \(bound): the same planted defects fail it with ten times the "
                + "bound, and it passes with four fifths"
        case .defectNotBuilt(let name): "its defect \(name) is not built"
        case .defectSurvives(let name, let tried):
            "its defect \(name) fails no expectation that covers it; tried: \(tried.joined(separator: ", "))"
        case .dependsOn(let references): "it rests on \(references.joined(separator: ", ")), not proven"
        }
    }
}

extension CaseVerdict {
    fileprivate var inWords: String {
        switch self {
        case .pass: "passes"
        case .fail: "fails"
        case .inconclusive: "is inconclusive"
        case .skipped: "is skipped"
        case .knownFailure: "is a known failure"
        case .flaky: "is flaky"
        }
    }
}
