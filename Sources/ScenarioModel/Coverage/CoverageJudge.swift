import TemporalLogic

/// Decides which rows are proven and which defects are killed.
package struct CoverageJudge: Sendable {
    private let catalogue: Catalogue
    /// The names of the defects that exist in the code.
    private let built: Set<String>
    private let witnesses: [String: [CoverageWitness]]
    private let trials: [String: [DefectTrial]]
    private let all: [CoverageWitness]

    package init(
        _ catalogue: Catalogue,
        built: Set<String>,
        witnesses: [CoverageWitness],
        trials: [DefectTrial]
    ) {
        self.catalogue = catalogue
        self.built = built
        all = witnesses
        var byRow: [String: [CoverageWitness]] = [:]
        for witness in witnesses {
            for row in witness.covers { byRow[row, default: []].append(witness) }
        }
        self.witnesses = byRow
        self.trials = Dictionary(grouping: trials, by: \.defect)
    }

    /// Judges the rows of a selection and the defects that they name.
    package func judge(_ selection: RowSelection, worlds: [World], cases: Int) -> CoverageResult {
        let rows = catalogue.rows(in: selection)
        let own = Dictionary(
            catalogue.rows.map { ($0.id, ownReasons($0)) },
            uniquingKeysWith: { first, _ in first }
        )
        let defects = selection.isAll ? catalogue.defects : Set(rows.flatMap(\.defects)).sorted()
        return CoverageResult(
            rows: rows.map { standing($0, own) },
            defects: defects.map(fate),
            unprovable: unprovable,
            worlds: worlds,
            cases: cases
        )
    }

    // MARK: - Rows

    private func standing(_ row: AuditRow, _ own: [String: [RowStanding.Reason]]) -> RowStanding {
        let places = (witnesses[row.id] ?? []).map(\.location)
        let coveredAt = places.indices.filter { !places[..<$0].contains(places[$0]) }.map { places[$0] }
        func standing(_ standing: RowStanding.Standing) -> RowStanding {
            RowStanding(row: row, standing: standing, coveredAt: coveredAt)
        }
        if case .no(let reason) = row.checkability { return standing(.untestable(because: reason)) }
        let reasons = own[row.id] ?? []
        if reasons == [.notCovered], let test = row.test { return standing(.tested(by: test)) }
        return standing(reasons.isEmpty ? .proven : .unproven(reasons))
    }

    /// Why a row is not proven. A row that rests on others needs no expectation of its own.
    private func ownReasons(_ row: AuditRow) -> [RowStanding.Reason] {
        guard !row.restsOn.isEmpty else { return directReasons(row) }
        let missing = row.restsOn.filter { reference in
            !catalogue.rows(of: reference).contains { isSettled($0, besides: [row.id]) }
        }
        return missing.isEmpty ? [] : [.restsOn(missing)]
    }

    private func isSettled(_ row: AuditRow, besides: [String]) -> Bool {
        guard !besides.contains(row.id), row.isTestable else { return false }
        guard row.restsOn.isEmpty else {
            return row.restsOn.allSatisfy { reference in
                catalogue.rows(of: reference).contains { isSettled($0, besides: besides + [row.id]) }
            }
        }
        let reasons = directReasons(row)
        return reasons.isEmpty || reasons == [.notCovered] && row.test != nil
    }

    private func directReasons(_ row: AuditRow) -> [RowStanding.Reason] {
        let covering = witnesses[row.id] ?? []
        guard !covering.isEmpty else { return [.notCovered] }
        var reasons: [RowStanding.Reason] = []
        for witness in covering {
            guard let bad = witness.judgements.first(where: { $0.verdict != .pass }) else { continue }
            reasons.append(.doesNotPass(bad, at: witness.location, case: witness.title))
        }
        let able = covering.filter { $0.passes && $0.canFail == true }
        if able.isEmpty, reasons.isEmpty { reasons += covering.prefix(3).map { .cannotFail(at: $0.location) } }
        let unsaid = row.asserts.filter { assertion in !covering.contains { $0.statement.names(assertion) } }
        if !unsaid.isEmpty { reasons.append(.doesNotState(unsaid)) }
        for defect in row.defects {
            guard built.contains(defect) else {
                reasons.append(.defectNotBuilt(defect))
                continue
            }
            let tried = (trials[defect] ?? []).filter { $0.covers.contains(row.id) }
            if !tried.contains(where: { $0.breaks.contains(row.id) }) {
                reasons.append(.defectSurvives(defect, in: distinct(tried.map(\.file))))
            }
        }
        return reasons
    }

    // MARK: - Defects and expectations

    private func fate(_ defect: String) -> DefectStanding {
        let rows = catalogue.rows(with: defect).map(\.id)
        guard built.contains(defect) else { return DefectStanding(name: defect, rows: rows, fate: .notBuilt) }
        let tried = trials[defect] ?? []
        let killers = distinct(tried.filter(\.failed).map(\.file))
        return DefectStanding(
            name: defect,
            rows: rows,
            fate: killers.isEmpty ? .survives(tried: distinct(tried.map(\.file)).count) : .killed(by: killers)
        )
    }

    private var unprovable: [CoverageResult.Unprovable] {
        all.filter { $0.canFail == false }.map {
            CoverageResult.Unprovable(location: $0.location, word: $0.word, title: $0.title, covers: $0.covers)
        }
    }

    private func distinct(_ names: [String]) -> [String] { Set(names).sorted() }
}
