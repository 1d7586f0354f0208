import SquallCore
import TemporalLogic

/// Decides which catalogue rows (requirements) are proven and which planted defects (deliberate bugs) are killed. A
/// defect is killed if it makes at least one case fail.
package struct CoverageEvaluator: Sendable {
    private let catalogue: Catalogue
    /// The names of the defects that are implemented.
    private let built: Set<String>
    private let witnesses: [String: [ExpectationCoverage]]
    private let trials: [String: [DefectTrial]]
    /// The expectations that fail with at least one planted defect.
    private let broken: Set<CaseExpectation>
    /// The expectations that fail because of their bound with at least one planted defect.
    private let late: Set<CaseExpectation>
    /// The unit test results; nil if they are not known.
    private let tests: UnitTestResults?
    private let all: [ExpectationCoverage]
    /// The results of the conformance cases, by pattern.
    private let conformance: [String: ConformanceTrial]

    package init(
        _ catalogue: Catalogue,
        built: Set<String>,
        tests: UnitTestResults? = nil,
        conformance: [ConformanceTrial] = [],
        witnesses: [ExpectationCoverage],
        trials: [DefectTrial]
    ) {
        self.catalogue = catalogue
        self.built = built
        self.tests = tests
        self.conformance = Dictionary(conformance.map { ($0.pattern, $0) }, uniquingKeysWith: { first, _ in first })
        broken = Self.expectations(of: trials, \.failedExpectations)
        late = Self.expectations(of: trials, \.missedBounds)
        all = witnesses
        var byRow: [String: [ExpectationCoverage]] = [:]
        for witness in witnesses {
            for row in witness.covers { byRow[row, default: []].append(witness) }
        }
        self.witnesses = byRow
        self.trials = Dictionary(grouping: trials, by: \.defect)
    }

    private static func expectations(
        of trials: [DefectTrial],
        _ locations: KeyPath<DefectTrial, Set<SourceLocation>>
    ) -> Set<CaseExpectation> {
        trials.reduce(into: []) { found, trial in
            found.formUnion(trial[keyPath: locations].map { CaseExpectation(location: $0, title: trial.title) })
        }
    }

    /// Determines the status of the selected catalogue rows and of those rows' defects.
    package func judge(_ selection: RowSelection, worlds: [World], cases: Int) -> CoverageResult {
        let rows = catalogue.rows(in: selection)
        let own = Dictionary(
            catalogue.rows.map { ($0.id, ownReasons($0)) },
            uniquingKeysWith: { first, _ in first }
        )
        let defects = selection.isAll ? catalogue.defects : Set(rows.flatMap(\.defects)).sorted()
        return CoverageResult(
            rows: rows.map { status($0, own) },
            defects: defects.map(fate),
            unprovable: unprovable,
            unbroken: unbroken,
            worlds: worlds,
            cases: cases
        )
    }

    // MARK: - Rows

    private func status(_ row: AuditRow, _ own: [String: [RowStatus.Reason]]) -> RowStatus {
        let places = (witnesses[row.id] ?? []).map(\.location)
        let coveredAt = places.indices.filter { !places[..<$0].contains(places[$0]) }.map { places[$0] }
        func status(_ status: RowStatus.State) -> RowStatus {
            RowStatus(row: row, status: status, coveredAt: coveredAt, kill: kill(of: row))
        }
        if case .no(let reason) = row.checkability { return status(.untestable(because: reason)) }
        let reasons = own[row.id] ?? []
        if reasons.isEmpty, needsOnlyConformance(row) { return status(.conformant(by: row.conformance)) }
        if reasons.isEmpty, restsOnTestAlone(row), let test = row.test { return status(.tested(by: test)) }
        return status(reasons.isEmpty ? .proven : .unproven(reasons))
    }

    /// Returns the reasons why a row is not proven. A row that depends on other rows needs no expectation of its own,
    /// but every expectation that covers it must pass, and each of its own defects must make one of them fail.
    private func ownReasons(_ row: AuditRow) -> [RowStatus.Reason] {
        guard !row.dependsOn.isEmpty else { return directReasons(row) }
        let missing = row.dependsOn.filter { !isProven($0, excluding: [row.id]) }
        return restingReasons(row) + (missing.isEmpty ? [] : [.dependsOn(missing)])
    }

    /// Returns the reasons, other than unproven dependencies, why a row that depends on other rows is not proven.
    private func restingReasons(_ row: AuditRow) -> [RowStatus.Reason] {
        failures(row) + testReasons(row) + defectReasons(row)
    }

    /// Returns whether a dependency is proven; `reference` is the id of a catalogue row or of an audit finding.
    ///
    /// A finding is proven if at least one of its rows is. The rows in `excluding` count as unproven, so that rows that
    /// depend on each other do not prove each other.
    private func isProven(_ reference: String, excluding: [String]) -> Bool {
        catalogue.rows(of: reference).contains { isProven($0, excluding: excluding) }
    }

    private func isProven(_ row: AuditRow, excluding: [String]) -> Bool {
        guard !excluding.contains(row.id), row.isTestable else { return false }
        guard !row.dependsOn.isEmpty else { return directReasons(row).isEmpty }
        return restingReasons(row).isEmpty
            && row.dependsOn.allSatisfy { isProven($0, excluding: excluding + [row.id]) }
    }

    /// Returns whether the row names a unit test, depends on no other row, and is covered by no scenario.
    private func restsOnTestAlone(_ row: AuditRow) -> Bool {
        row.test != nil && row.dependsOn.isEmpty && (witnesses[row.id] ?? []).isEmpty
    }

    /// Returns whether conformance cases alone are sufficient to prove the row. They are sufficient if the row states a
    /// server guarantee that no scenario covers.
    private func needsOnlyConformance(_ row: AuditRow) -> Bool {
        !row.conformance.isEmpty && row.dependsOn.isEmpty && (witnesses[row.id] ?? []).isEmpty
    }

    private func directReasons(_ row: AuditRow) -> [RowStatus.Reason] {
        let covering = witnesses[row.id] ?? []
        if needsOnlyConformance(row) { return conformanceReasons(row) + statementReasons(row) + defectReasons(row) }
        if restsOnTestAlone(row) { return testReasons(row) }
        guard !covering.isEmpty else { return [.notCovered] }
        var reasons = failures(row) + testReasons(row)
        let able = covering.filter { $0.passes && $0.canFail == true }
        if reasons.isEmpty, !able.contains(where: isBroken) {
            reasons += firstPlaces(able).map { .neverBroken(at: $0) }
            if able.isEmpty { reasons += firstPlaces(covering).map { .cannotFail(at: $0) } }
        }
        return reasons + conformanceReasons(row) + statementReasons(row) + defectReasons(row)
    }

    /// Returns the reason why the unit test that the row names does not prove it; empty if the row names no unit test
    /// or the test passed.
    private func testReasons(_ row: AuditRow) -> [RowStatus.Reason] {
        guard let test = row.test else { return [] }
        guard let tests else { return [.testNotVerified(test)] }
        guard !tests.passed.contains(test) else { return [] }
        return [tests.notPassed.contains(test) ? .testDoesNotPass(test) : .testMissing(test)]
    }

    /// Returns the reasons why conformance cases do not prove a row.
    ///
    /// A case proves a server guarantee if the server passes the case without defects and fails it with one of the
    /// row's defects.
    private func conformanceReasons(_ row: AuditRow) -> [RowStatus.Reason] {
        let missing = row.conformance.filter { (conformance[$0]?.cases ?? 0) == 0 }
        guard missing.isEmpty else { return missing.map { .caseMissing($0) } }
        let failures = row.conformance.compactMap { conformance[$0]?.failure }
        guard failures.isEmpty else { return failures.map { .caseFails($0) } }
        let blind = row.conformance.filter { conformance[$0]?.catches.isDisjoint(with: row.defects) == true }
        return blind.map { .caseCatchesNothing($0) }
    }

    /// Returns a reason if the expectations that cover the row do not check all of its strings, numbers and durations.
    ///
    /// An expectation that fails with no planted defect does not count, because nothing shows that its values matter.
    /// Nor does a bound that affects no verdict: neither with a planted defect, nor on the trace without one.
    private func statementReasons(_ row: AuditRow) -> [RowStatus.Reason] {
        let covering = (witnesses[row.id] ?? []).filter(isBroken)
        var unspecified: [AuditRow.Assertion] = []
        var reasons: [RowStatus.Reason] = []
        for assertion in row.asserts where !covering.contains(where: { $0.statement.names(assertion) }) {
            let bounded = covering.filter { $0.statement.hasBound(assertion) }
            if bounded.contains(where: { $0.isBoundTight || isLate($0) }) { continue }
            if bounded.isEmpty { unspecified.append(assertion) }
            reasons += firstPlaces(bounded).map { .boundDecidesNothing(assertion, at: $0) }
        }
        return (unspecified.isEmpty ? [] : [.doesNotState(unspecified)]) + reasons
    }

    private func isLate(_ witness: ExpectationCoverage) -> Bool {
        late.contains(CaseExpectation(location: witness.location, title: witness.title))
    }

    private func defectReasons(_ row: AuditRow) -> [RowStatus.Reason] {
        var reasons: [RowStatus.Reason] = []
        for defect in row.defects {
            guard built.contains(defect) else {
                reasons.append(.defectNotBuilt(defect))
                continue
            }
            let tried = (trials[defect] ?? []).filter { $0.covers.contains(row.id) }
            let isCaught = row.conformance.contains { conformance[$0]?.catches.contains(defect) == true }
            if !isCaught, !tried.contains(where: { $0.failedRows.contains(row.id) }) {
                reasons.append(.defectSurvives(defect, in: distinct(tried.map(\.file))))
            }
        }
        return reasons
    }

    /// Returns a reason for each expectation that covers the row but did not pass.
    private func failures(_ row: AuditRow) -> [RowStatus.Reason] {
        (witnesses[row.id] ?? []).compactMap { witness in
            witness.judgements.first { $0.verdict != .pass }.map {
                .doesNotPass($0, at: witness.location, case: witness.title)
            }
        }
    }

    /// Returns whether the expectation has been shown to detect faulty behaviour: it fails in its case with at least
    /// one planted defect.
    ///
    /// Failing on a modified trace is not sufficient, because no client may be able to produce such a trace.
    private func isBroken(_ witness: ExpectationCoverage) -> Bool {
        broken.contains(CaseExpectation(location: witness.location, title: witness.title))
    }

    private func firstPlaces(_ witnesses: [ExpectationCoverage]) -> [SourceLocation] {
        var places: [SourceLocation] = []
        for witness in witnesses where !places.contains(witness.location) { places.append(witness.location) }
        return Array(places.prefix(3))
    }

    /// Returns the kind of check that detects a planted defect in the cases that cover the row; the most specific kind
    /// if there are several.
    private func kill(of row: AuditRow) -> RowStatus.Kill {
        let covering = (witnesses[row.id] ?? []).filter(isBroken)
        if covering.contains(where: { $0.covers == [row.id] }) { return .ownLine }
        if !covering.isEmpty { return .sharedLine }
        return trials.values.joined().contains { $0.failed && $0.covers.contains(row.id) } ? .elsewhere : .nothing
    }

    // MARK: - Defects and expectations

    private func fate(_ defect: String) -> DefectStatus {
        let rows = catalogue.rows(with: defect).map(\.id)
        guard built.contains(defect) else { return DefectStatus(name: defect, rows: rows, fate: .notBuilt) }
        let tried = trials[defect] ?? []
        let cases = conformance.values.filter { $0.tried.contains(defect) }
        let catching = cases.filter { $0.catches.contains(defect) }.map { "conformance case \($0.pattern)" }
        let killers = distinct(tried.filter(\.failed).map(\.file) + catching)
        return DefectStatus(
            name: defect,
            rows: rows,
            fate: killers.isEmpty
                ? .survives(tried: distinct(tried.map(\.file)).count + cases.count) : .killed(by: killers)
        )
    }

    private var unprovable: [CoverageResult.Weak] {
        all.filter { $0.canFail == false }.map(CoverageResult.Weak.init)
    }

    /// The expectations that cover rows and could fail, but fail with none of the defects that were tried; one for each
    /// location, because the cases of a table test the same line with different values.
    private var unbroken: [CoverageResult.Weak] {
        var seen = Set(broken.map(\.location))
        return all.filter { !$0.covers.isEmpty && $0.canFail == true && seen.insert($0.location).inserted }
            .map(CoverageResult.Weak.init)
    }

    private func distinct(_ names: [String]) -> [String] { Set(names).sorted() }
}

/// Identifies an expectation in one case of its file. The location is not sufficient, because all cases of a table
/// share it.
private struct CaseExpectation: Hashable {
    var location: SourceLocation
    var title: String
}
