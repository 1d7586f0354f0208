import ScenarioModel
import SquallCore
import TemporalLogic
import Testing

/// Tests the coverage baseline: parsing, lost coverage and updates.
@Suite struct CoverageBaselineTests {
    private func result(
        proven: [String],
        unproven: [String] = [],
        unplayed: [String] = [],
        killed: [String] = [],
        survivors: [String] = [],
        untried: [String] = []
    ) -> CoverageResult {
        let place = SourceLocation(file: "a.yaml", line: 1, column: 1)
        return CoverageResult(
            rows: proven.map { RowStatus(row: AuditRow(id: $0, title: ""), status: .proven, coveredAt: []) }
                + unproven.map {
                    RowStatus(
                        row: AuditRow(id: $0, title: ""),
                        status: .unproven([.cannotFail(at: place)]),
                        coveredAt: [place]
                    )
                }
                + unplayed.map {
                    RowStatus(row: AuditRow(id: $0, title: ""), status: .unproven([.notCovered]), coveredAt: [])
                },
            defects: killed.map { DefectStatus(name: $0, rows: [], fate: .killed(by: ["a.yaml"])) }
                + survivors.map { DefectStatus(name: $0, rows: [], fate: .survives(tried: 1)) }
                + untried.map { DefectStatus(name: $0, rows: [], fate: .survives(tried: 0)) },
            unprovable: [],
            worlds: [.sim],
            cases: 1
        )
    }

    @Test("A coverage baseline survives writing and reading")
    func aFileReadsAsItWasWritten() throws {
        let baseline = CoverageBaseline(rows: ["WS-1a", "UX-2.1a"], defects: ["noAck"])
        #expect(baseline.text.hasSuffix("proven UX-2.1a\nproven WS-1a\nkilled noAck\n"))
        #expect(try CoverageBaseline(parsing: baseline.text) == baseline)
    }

    @Test("An invalid line in the baseline is reported with its number")
    func aWrongLineIsReportedByItsNumber() {
        let mistake = #expect(throws: CoverageBaseline.Mistake.self) {
            try CoverageBaseline(parsing: "# head\n\nproven WS-1a\nproved WS-1b\n")
        }
        #expect(mistake?.line == 4)
        #expect(mistake?.message.contains("proved WS-1b") == true)
    }

    @Test("A row or defect in the baseline that is no longer proven is reported as lost")
    func whatWasProvenAndIsNoLongerIsLost() {
        let baseline = CoverageBaseline(rows: ["WS-1a", "WS-1b", "UX-1.1a"], defects: ["noAck", "noJitter"])
        let now = result(proven: ["WS-1a", "WS-1c"], unproven: ["WS-1b"], killed: ["noAck"], survivors: ["noJitter"])
        let lost = baseline.losses(in: now)
        #expect(lost.rows.map(\.row.id) == ["WS-1b"], "UX-1.1a was not asked for")
        #expect(lost.defects.map(\.name) == ["noJitter"])
        let gains = baseline.gains(in: now)
        #expect(gains.rows == 1)
        #expect(gains.defects == 0)
    }

    @Test("A partial coverage result updates only its own rows in the baseline")
    func aPartReplacesItsOwnPartOnly() {
        let baseline = CoverageBaseline(rows: ["WS-1a", "UX-1.1a"], defects: ["noAck"])
        let updated = baseline.updated(by: result(proven: ["WS-1b"], unproven: ["WS-1a"], killed: ["noJitter"]))
        #expect(updated == CoverageBaseline(rows: ["WS-1b", "UX-1.1a"], defects: ["noAck", "noJitter"]))
    }

    @Test("Rows without a played scenario stay in the baseline")
    func unplayedRowsStay() {
        let baseline = CoverageBaseline(rows: ["WS-1a", "WS-1b"], defects: ["noAck", "noJitter"])
        let part = result(
            proven: ["WS-1c"],
            unproven: ["WS-1a"],
            unplayed: ["WS-1b"],
            survivors: ["noAck"],
            untried: ["noJitter"]
        )
        #expect(baseline.updated(by: part) == CoverageBaseline(rows: ["WS-1b", "WS-1c"], defects: ["noJitter"]))
        #expect(baseline.unmeasured(in: part) == ["WS-1b", "noJitter"])
    }

    @Test("A row that depends on rows without a played scenario stays in the baseline")
    func rowsThatRestOnUnplayedRowsStay() {
        let place = SourceLocation(file: "a.yaml", line: 1, column: 1)
        let row = RowStatus(
            row: AuditRow(id: "WS-1a", title: ""),
            status: .unproven([.dependsOn(["WS-1b"])]),
            coveredAt: [place]
        )
        let part = CoverageResult(rows: [row], defects: [], unprovable: [], worlds: [.sim, .live], cases: 1)
        let baseline = CoverageBaseline(rows: ["WS-1a"], defects: [])
        #expect(baseline.updated(by: part) == baseline)
    }

    @Test("A row that depends on a row that is no longer proven also leaves the baseline")
    func rowsThatRestOnLostRowsAreRecordedAsLost() {
        var now = result(proven: [], unproven: ["WS-1b"])
        now.rows.append(
            RowStatus(
                row: AuditRow(id: "WS-1a", title: ""),
                status: .unproven([.dependsOn(["WS-1b"])]),
                coveredAt: []
            )
        )
        let baseline = CoverageBaseline(rows: ["WS-1a", "WS-1b"], defects: [])
        #expect(baseline.updated(by: now).rows.isEmpty)
    }

    @Test("A row whose unit test was not verified is neither lost nor removed from the baseline")
    func aRowWhoseTestIsNotVerifiedStays() {
        let row = RowStatus(
            row: AuditRow(id: "WS-3d", title: "", test: "FakeServerTests/pings"),
            status: .unproven([.testNotVerified("FakeServerTests/pings")]),
            coveredAt: []
        )
        let now = CoverageResult(rows: [row], defects: [], unprovable: [], worlds: [.sim, .live], cases: 1)
        let baseline = CoverageBaseline(rows: ["WS-3d"], defects: [])
        #expect(baseline.losses(in: now).rows.isEmpty)
        #expect(baseline.updated(by: now) == baseline)
        #expect(now.unverified == [row])
    }

    @Test("A row whose unit test no longer exists leaves the baseline")
    func aRowWhoseTestIsMissingIsRecordedAsLost() {
        let row = RowStatus(
            row: AuditRow(id: "WS-3d", title: "", test: "FakeServerTests/pings"),
            status: .unproven([.testMissing("FakeServerTests/pings")]),
            coveredAt: []
        )
        let now = CoverageResult(rows: [row], defects: [], unprovable: [], worlds: [.sim, .live], cases: 1)
        #expect(CoverageBaseline(rows: ["WS-3d"], defects: []).updated(by: now).rows.isEmpty)
    }

    @Test("Names in the baseline that the catalogue does not contain are found")
    func namesThatTheCatalogueHasNoLongerAreStrangers() {
        let catalogue = Catalogue([AuditRow(id: "WS-1a", title: "", defects: ["noAck"])])
        let baseline = CoverageBaseline(rows: ["WS-1a", "WS-1z"], defects: ["noAck", "noNothing"])
        #expect(baseline.unknownNames(in: catalogue) == ["WS-1z", "noNothing"])
    }
}
