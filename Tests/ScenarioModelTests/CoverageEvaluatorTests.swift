import ScenarioModel
import SquallCore
import TemporalLogic
import Testing

/// Tests when a row (a requirement) counts as proven, and the reasons given when it does not.
@Suite struct CoverageJudgeTests {
    private let place = SourceLocation(file: "drop.yaml", line: 9, column: 5)

    private func witness(
        _ rows: String...,
        verdicts: [World: CaseVerdict] = [.sim: .pass, .live: .pass],
        at location: SquallCore.SourceLocation? = nil,
        canFail: Bool? = true,
        statement: CoverageStatement = CoverageStatement(),
        isBoundTight: Bool = false
    ) -> ExpectationCoverage {
        ExpectationCoverage(
            location: location ?? place,
            title: "A drop",
            word: "eventually",
            covers: rows,
            judgements: World.allCases.compactMap { world in
                verdicts[world].map { ExpectationCoverage.WorldVerdict(world: world, verdict: $0, why: "it was late") }
            },
            canFail: canFail,
            statement: statement,
            isBoundTight: isBoundTight
        )
    }

    private func trial(
        _ defect: String,
        on rows: Set<String>,
        failed: Bool,
        by failedRows: Set<String>? = nil,
        at locations: Set<SquallCore.SourceLocation>? = nil,
        missedBounds: Set<SquallCore.SourceLocation> = []
    ) -> DefectTrial {
        DefectTrial(
            defect: defect,
            file: "drop.yaml",
            title: "A drop",
            covers: rows,
            failedRows: failed ? failedRows ?? rows : [],
            failedExpectations: failed ? locations ?? [place] : [],
            missedBounds: missedBounds,
            failed: failed
        )
    }

    private func status(
        of row: AuditRow,
        excluding others: [AuditRow] = [],
        built: Set<String> = ["noAck"],
        tests: UnitTestResults? = nil,
        conformance: [ConformanceTrial] = [],
        _ witnesses: [ExpectationCoverage] = [],
        _ trials: [DefectTrial] = []
    ) -> RowStatus.State? {
        let judge = CoverageEvaluator(
            Catalogue([row] + others),
            built: built,
            tests: tests,
            conformance: conformance,
            witnesses: witnesses,
            trials: trials
        )
        return judge.judge(RowSelection(), worlds: [.sim, .live], cases: 1).rows.first?.status
    }

    private let plain = AuditRow(id: "WS-1a", title: "A row")

    /// A trial of a defect that makes the expectation at ``place`` fail.
    private var caught: DefectTrial { trial("noAck", on: ["WS-1a"], failed: true) }

    @Test("A passing expectation that fails with a planted defect proves the catalogue row it covers")
    func aPassThatADefectBreaksProves() {
        #expect(status(of: plain, [witness("WS-1a")], [caught]) == .proven)
    }

    @Test("A catalogue row that no expectation covers is unproven")
    func anUncoveredRowIsUnproven() {
        #expect(status(of: plain, [witness("WS-1b")]) == .unproven([.notCovered]))
    }

    @Test("A catalogue row whose expectation fails in one world is unproven")
    func aFailureInOneWorldIsEnough() {
        let failing = witness("WS-1a", verdicts: [.sim: .pass, .live: .fail], canFail: nil)
        let judgement = ExpectationCoverage.WorldVerdict(world: .live, verdict: .fail, why: "it was late")
        let reason = RowStatus.Reason.doesNotPass(judgement, at: place, case: "A drop")
        #expect(status(of: plain, [failing]) == .unproven([reason]))
        #expect(
            status(of: plain, [witness("WS-1a"), failing], [caught]) == .unproven([reason]),
            "even if another witness passes"
        )
        #expect(reason.description == "drop.yaml:9:5: fails in live (A drop): it was late")
    }

    @Test("An expectation that cannot fail does not prove a catalogue row")
    func anExpectationThatCannotFailProvesNothing() {
        let idle = witness("WS-1a", canFail: false)
        #expect(status(of: plain, [idle]) == .unproven([.cannotFail(at: place)]))
        #expect(status(of: plain, [idle, witness("WS-1a")], [caught]) == .proven, "one that can fail is enough")
    }

    @Test("An expectation proves its row only if a planted defect makes it fail in that case")
    func anExpectationNeedsADefect() {
        let never = witness("WS-1a")
        let elsewhere = SourceLocation(file: "drop.yaml", line: 12, column: 5)
        let reason = RowStatus.Reason.neverBroken(at: place)
        #expect(status(of: plain, [never]) == .unproven([reason]))
        #expect(status(of: plain, [never], [caught]) == .proven)
        var otherCase = caught
        otherCase.title = "Another case of the table"
        #expect(status(of: plain, [never], [otherCase]) == .unproven([reason]))
        #expect(
            status(of: plain, [never], [trial("noAck", on: ["WS-1a"], failed: true, at: [elsewhere])])
                == .unproven([reason]),
            "a failure of another expectation does not count"
        )
        #expect(status(of: plain, [never, witness("WS-1a", at: elsewhere)], [caught]) == .proven)
        #expect(reason.description.hasPrefix("drop.yaml:9:5: no planted defect makes this fail"))
    }

    @Test("The status of a row names the most specific part of a case that a defect makes fail")
    func theStandingHasWhatADefectMakesFail() {
        func kill(_ witnesses: [ExpectationCoverage], _ trials: [DefectTrial]) -> RowStatus.Kill? {
            CoverageEvaluator(Catalogue([plain]), built: ["noAck"], witnesses: witnesses, trials: trials)
                .judge(RowSelection(), worlds: [.sim], cases: 1).rows.first?.kill
        }
        let here = trial("noAck", on: ["WS-1a"], failed: true)
        let elsewhere = trial("noAck", on: ["WS-1a"], failed: true, at: [])
        #expect(kill([witness("WS-1a")], [here]) == .ownLine)
        #expect(kill([witness("WS-1a", "WS-2a")], [here]) == .sharedLine)
        #expect(kill([witness("WS-1a")], [elsewhere]) == .elsewhere)
        #expect(kill([witness("WS-1a")], [trial("noAck", on: ["WS-1a"], failed: false)]) == .nothing)
    }

    @Test("The texts, numbers and durations of a row must appear in expectations that a planted defect breaks")
    func theRowsOwnFiguresHaveToBeNamed() {
        let row = AuditRow(
            id: "WS-1a",
            title: "A row",
            asserts: [.text("SLOW DOWN"), .number(60), .duration(.seconds(1))]
        )
        let part = CoverageStatement(
            texts: ["Slow down", "PLEASE SLOW DOWN."],
            numbers: [61],
            durations: [.seconds(1)]
        )
        #expect(
            status(of: row, [witness("WS-1a", statement: part)], [caught])
                == .unproven([.doesNotState([.number(60)])])
        )
        let rest = CoverageStatement(numbers: [60])
        #expect(
            status(of: row, [witness("WS-1a", statement: part), witness("WS-1a", statement: rest)], [caught])
                == .proven
        )
        let unbroken = witness("WS-1a", at: SourceLocation(file: "drop.yaml", line: 12, column: 5), statement: rest)
        #expect(
            status(of: row, [witness("WS-1a", statement: part), unbroken], [caught])
                == .unproven([.doesNotState([.number(60)])]),
            "a number in an expectation that no defect breaks does not count"
        )
    }

    @Test("A bound proves the row's duration only if a verdict depends on the bound")
    func aBoundHasToDecideSomething() {
        let row = AuditRow(id: "WS-1a", title: "A row", asserts: [.duration(.seconds(1))])
        let bound = CoverageStatement(bound: .seconds(1))
        let bounded = witness("WS-1a", statement: bound)
        #expect(
            status(of: row, [bounded], [caught])
                == .unproven([.boundDecidesNothing(.duration(.seconds(1)), at: place)])
        )
        let late = trial("noAck", on: ["WS-1a"], failed: true, missedBounds: [place])
        #expect(status(of: row, [bounded], [late]) == .proven, "a defect misses the bound")
        let tight = witness("WS-1a", statement: bound, isBoundTight: true)
        #expect(status(of: row, [tight], [caught]) == .proven, "the client just meets the bound")
        let other = CoverageStatement(bound: .seconds(2))
        #expect(
            status(of: row, [witness("WS-1a", statement: other, isBoundTight: true)], [caught])
                == .unproven([.doesNotState([.duration(.seconds(1))])]),
            "the bound is another duration"
        )
    }

    @Test("A covering expectation that no defect breaks is listed once for all cases of a table")
    func unbrokenExpectationsAreListed() {
        let elsewhere = SourceLocation(file: "drop.yaml", line: 12, column: 5)
        let evaluator = CoverageEvaluator(
            Catalogue([plain]),
            built: ["noAck"],
            witnesses: [
                witness("WS-1a"), witness("WS-1a", at: elsewhere), witness("WS-1a", at: elsewhere),
                witness(at: SourceLocation(file: "drop.yaml", line: 13, column: 5)),
            ],
            trials: [caught]
        )
        let result = evaluator.judge(RowSelection(), worlds: [.sim], cases: 1)
        #expect(result.unbroken.map(\.location) == [elsewhere])
    }

    @Test("The defect of a catalogue row must fail an expectation that covers the row")
    func aDefectOfTheRowHasToFailWhoCoversIt() {
        let row = AuditRow(id: "WS-4d", title: "A row", defects: ["noAck"])
        let survives = RowStatus.Reason.defectSurvives("noAck", in: ["drop.yaml"])
        #expect(status(of: row, [witness("WS-4d")], [trial("noAck", on: ["WS-4d"], failed: true)]) == .proven)
        #expect(
            status(of: row, [witness("WS-4d")], [trial("noAck", on: ["WS-4d"], failed: false)])
                == .unproven([.neverBroken(at: place), survives])
        )
        #expect(
            status(of: row, [witness("WS-4d")], [trial("noAck", on: ["WS-5a"], failed: true)])
                == .unproven([.defectSurvives("noAck", in: [])]),
            "a scenario about something else does not count"
        )
        #expect(
            status(
                of: row,
                [witness("WS-4d")],
                [trial("noAck", on: ["WS-4d", "WS-5a"], failed: true, by: ["WS-5a"])]
            )
                == .unproven([survives]),
            "nor does what fails beside it in the same file"
        )
        #expect(
            status(of: row, built: [], [witness("WS-4d")])
                == .unproven([.neverBroken(at: place), .defectNotBuilt("noAck")])
        )
    }

    @Test("A row that depends on other rows is proven once they are proven")
    func aRowMayRestOnOthers() {
        let gate = AuditRow(id: "PO-G1", title: "A gate", dependsOn: ["WS-1", "WS-2a"])
        let others = [plain, AuditRow(id: "WS-1b", title: "B"), AuditRow(id: "WS-2a", title: "C")]
        #expect(
            status(of: gate, excluding: others, [witness("WS-1b")], [caught]) == .unproven([.dependsOn(["WS-2a"])])
        )
        #expect(status(of: gate, excluding: others, [witness("WS-1b", "WS-2a")], [caught]) == .proven)
    }

    @Test("A row that depends on others must also be broken by each defect of its own, and its unit test must pass")
    func aRestingRowHasItsOwnDefectsAndTest() {
        let others = [plain]
        let witnesses = [witness("WS-1a", "PO-G1")]
        var gate = AuditRow(id: "PO-G1", title: "A gate", defects: ["noAck"], dependsOn: ["WS-1a"])
        let survives = RowStatus.Reason.defectSurvives("noAck", in: ["drop.yaml"])
        let both: Set = ["WS-1a", "PO-G1"]
        #expect(
            status(of: gate, excluding: others, witnesses, [trial("noAck", on: both, failed: true, by: ["WS-1a"])])
                == .unproven([survives])
        )
        #expect(status(of: gate, excluding: others, witnesses, [trial("noAck", on: both, failed: true)]) == .proven)
        gate = AuditRow(id: "PO-G1", title: "A gate", dependsOn: ["WS-1a"], test: "A/b")
        #expect(status(of: gate, excluding: others, witnesses, [caught]) == .unproven([.testNotVerified("A/b")]))
        let passed = UnitTestResults(passed: ["A/b"])
        #expect(status(of: gate, excluding: others, tests: passed, witnesses, [caught]) == .proven)
    }

    @Test("A selection needs its rows and all rows on which they depend")
    func aSelectionIncludesItsDependencies() {
        let rows = [
            AuditRow(id: "PO-G2", title: "All gates", dependsOn: ["PO-G1"]),
            AuditRow(id: "PO-G1", title: "A gate", dependsOn: ["WS-1", "PO-G2"]),
            AuditRow(id: "WS-1a", title: "A"), AuditRow(id: "WS-1b", title: "B"), AuditRow(id: "WS-2a", title: "C"),
        ]
        let needed = Catalogue(rows).rowsAndDependencies(of: RowSelection(patterns: ["PO-G2"]))
        #expect(needed == ["PO-G2", "PO-G1", "WS-1a", "WS-1b"])
    }

    @Test("A row fails if its own expectation fails, even if the rows it depends on pass, and so do its dependents")
    func aRestingRowFailsWithItsOwnExpectation() {
        let gate = AuditRow(id: "PO-G1", title: "A gate", dependsOn: ["WS-1a"])
        let sum = AuditRow(id: "PO-G2", title: "All gates", dependsOn: ["PO-G1"])
        let witnesses = [witness("WS-1a"), witness("PO-G1", verdicts: [.sim: .fail], canFail: nil)]
        let judgement = ExpectationCoverage.WorldVerdict(world: .sim, verdict: .fail, why: "it was late")
        #expect(
            status(of: gate, excluding: [plain], witnesses, [caught])
                == .unproven([.doesNotPass(judgement, at: place, case: "A drop")])
        )
        #expect(
            status(of: sum, excluding: [plain, gate], witnesses, [caught]) == .unproven([.dependsOn(["PO-G1"])])
        )
    }

    @Test("Rows that depend on each other are unproven")
    func rowsThatRestOnEachOtherProveNothing() {
        let one = AuditRow(id: "PO-G1", title: "One", dependsOn: ["PO-G2"])
        let other = AuditRow(id: "PO-G2", title: "Other", dependsOn: ["PO-G1"])
        #expect(status(of: one, excluding: [other]) == .unproven([.dependsOn(["PO-G2"])]))
    }

    @Test("A unit test can cover a row without scenarios")
    func aTestHoldsWhatNoScenarioCovers() {
        let row = AuditRow(id: "WS-3d", title: "A row", test: "FakeServerTests/answersPings")
        let tests = UnitTestResults(passed: ["FakeServerTests/answersPings"])
        #expect(status(of: row, tests: tests) == .tested(by: "FakeServerTests/answersPings"))
        let broken = trial("noAck", on: ["WS-3d"], failed: true)
        #expect(status(of: row, tests: tests, [witness("WS-3d")], [broken]) == .proven)
        let missing = RowStatus.Reason.testMissing("FakeServerTests/answersPings")
        #expect(status(of: row, tests: UnitTestResults(passed: ["FakeServerTests/answers"])) == .unproven([missing]))
        let inOneSuiteOnly = UnitTestResults(
            passed: ["FakeServerTests/answersPings"],
            notPassed: ["FakeServerTests/answersPings"]
        )
        let fails = RowStatus.Reason.testDoesNotPass("FakeServerTests/answersPings")
        #expect(status(of: row, tests: inOneSuiteOnly) == .unproven([fails]))
        #expect(status(of: row) == .unproven([.testNotVerified("FakeServerTests/answersPings")]))
        #expect(
            status(of: row, [witness("WS-3d")], [broken])
                == .unproven([.testNotVerified("FakeServerTests/answersPings")])
        )
        let gate = AuditRow(id: "PO-G1", title: "A gate", dependsOn: ["WS-3d"])
        #expect(status(of: gate, excluding: [row], tests: tests) == .proven)
        #expect(status(of: gate, excluding: [row]) == .unproven([.dependsOn(["WS-3d"])]))
    }

    @Test("A server rule is proven by a case that the sound server passes and a server with a defect fails")
    func aCaseProvesThePromiseOfAServer() {
        let row = AuditRow(id: "WS-4c", title: "A row", defects: ["ackNoop"], conformance: ["P.9.3"])
        func status(cases: Int = 1, failure: String? = nil, catches: Set<String>) -> RowStatus.State? {
            let trial = ConformanceTrial(
                pattern: "P.9.3",
                cases: cases,
                failure: failure,
                tried: ["ackNoop"],
                catches: catches
            )
            return self.status(of: row, built: ["ackNoop"], conformance: [trial])
        }
        #expect(status(catches: ["ackNoop"]) == .conformant(by: ["P.9.3"]))
        let survives = RowStatus.Reason.defectSurvives("ackNoop", in: [])
        #expect(status(catches: []) == .unproven([.caseCatchesNothing("P.9.3"), survives]))
        #expect(status(failure: "P.9.3: late", catches: ["ackNoop"]) == .unproven([.caseFails("P.9.3: late")]))
        #expect(status(cases: 0, catches: []) == .unproven([.caseMissing("P.9.3"), survives]))
        // A scenario that covers the requirement is no substitute for the conformance case, which must also pass.
        #expect(self.status(of: row, built: ["ackNoop"], [witness("WS-4c")]) != .proven)
    }

    @Test("A row that cannot be tested states the reason")
    func anUntestableRowHasItsReason() {
        let row = AuditRow(id: "WS-M2", title: "A row", checkability: .no(because: "documentation"))
        #expect(status(of: row) == .untestable(because: "documentation"))
    }

    @Test("The status of a defect is killed, survived or not implemented")
    func defectsAreKilledSurviveOrAreMissing() {
        let rows = [AuditRow(id: "WS-1a", title: "A row", defects: ["noBackoff", "noJitter", "noFloor", "noCeiling"])]
        let trials = [
            trial("noBackoff", on: ["WS-1a"], failed: true), trial("noBackoff", on: ["WS-1b"], failed: false),
            trial("noJitter", on: ["WS-1a"], failed: false),
        ]
        let built: Set<String> = ["noBackoff", "noJitter", "noFloor"]
        let result = CoverageEvaluator(Catalogue(rows), built: built, witnesses: [], trials: trials)
            .judge(RowSelection(), worlds: [.sim], cases: 2)
        #expect(result.defects.map(\.name) == ["noBackoff", "noCeiling", "noFloor", "noJitter"])
        #expect(
            result.defects.map(\.fate) == [
                .killed(by: ["drop.yaml"]), .notBuilt, .survives(tried: 0), .survives(tried: 1),
            ]
        )
    }

    @Test("A selection of rows is judged with the defects of those rows only")
    func aSelectionIsJudgedWithItsOwnDefects() {
        let rows = [
            AuditRow(id: "WS-1a", title: "A", area: "backoff", defects: ["noBackoff"]),
            AuditRow(id: "WS-2a", title: "B", area: "network", defects: ["noJitter"]),
            AuditRow(id: "UX-2.1a", title: "C", area: "network"),
        ]
        func ids(_ selection: RowSelection) -> [String] {
            CoverageEvaluator(Catalogue(rows), built: [], witnesses: [], trials: [])
                .judge(selection, worlds: [.sim], cases: 0).rows.map(\.row.id)
        }
        #expect(ids(RowSelection(patterns: ["WS-*"])) == ["WS-1a", "WS-2a"])
        #expect(ids(RowSelection(patterns: ["WS-1a", "UX-2*"])) == ["WS-1a", "UX-2.1a"])
        #expect(ids(RowSelection(patterns: ["WS-*"], areas: ["network"])) == ["WS-2a"])
        let result = CoverageEvaluator(Catalogue(rows), built: [], witnesses: [], trials: [])
            .judge(RowSelection(areas: ["network"]), worlds: [.sim], cases: 0)
        #expect(result.defects.map(\.name) == ["noJitter"])
    }
}
