import ScenarioLanguage
import ScenarioModel
import SquallCore
import TemporalLogic
import Testing
import Trace

/// Tests lists of known failures: strict parsing, their effect on a suite's results, and how they are updated after a
/// suite.
@Suite struct KnownFailuresTests {
    private static func read(_ text: String, mayLackReasons: Bool = false) -> Result<KnownFailures, ScenarioMistakes> {
        KnownFailuresReader.read(SourceText(file: "known.yaml", text: text), mayLackReasons: mayLackReasons)
    }

    private static func complaints(_ text: String) -> [String] {
        if case .failure(let mistakes) = read(text) { mistakes.diagnostics.map(\.message) } else { [] }
    }

    private static func run(
        _ file: String,
        variant: String? = nil,
        _ verdict: CaseVerdict,
        parts: [(String, CaseVerdict)] = []
    ) -> CaseReport {
        let plan = RunPlan(Scenario(file: file, name: file, variant: variant))
        let recording = Recording(
            header: TraceHeader(
                language: 1,
                tool: "test",
                scenario: file,
                variant: variant,
                profile: "default",
                seed: Seed(1),
                clock: .wall,
                defects: []
            ),
            events: [],
            end: .zero
        )
        let judged = parts.map { word, verdict in
            ExpectationResult(
                location: SourceLocation(file: file, line: 1, column: 1),
                word: word,
                covers: [],
                verdict: verdict,
                why: "it did",
                evidence: []
            )
        }
        let result = RunResult(
            recording: recording,
            digest: "",
            judgements: judged,
            lateness: .zero
        )
        var run = CaseResult(result, of: plan, world: .live, wall: .zero)
        run.verdict = verdict
        return CaseReport(runs: [run])
    }

    private static func suite(_ cases: CaseReport...) -> SuiteResult { SuiteResult(cases: cases, wall: .zero) }

    @Test("A list of known failures survives writing and reading")
    func aWrittenListIsReadBack() throws {
        let list = KnownFailures(
            [
                .init(
                    file: "a.yaml",
                    variant: "a \"quoted\" case",
                    parts: ["count", "invariant order"],
                    reason: "issue 7: #1\nsee there"
                ),
                .init(file: "b.yaml", reason: "no"),
            ],
            file: "known.yaml"
        )
        var read = try Self.read(list.yaml).get()
        for index in read.entries.indices { read.entries[index].location = nil }
        #expect(read == list)
        #expect(try Self.read(KnownFailures(file: "known.yaml").yaml).get().entries.isEmpty)
    }

    @Test(
        "An invalid list of known failures is refused with a message",
        arguments: [
            ("known: [{ scenario: a.yaml }]", "a known failure needs a reason"),
            ("known: [{ scenario: a.yaml, reason: '' }]", "a known failure needs a reason"),
            ("known: [{ scenario: a.yaml, reason: '?' }]", "a known failure needs a reason"),
            (
                (1...7).reduce("known:") { "\($0)\n  - { scenario: \($1).yaml, reason: '' }" },
                "a known failure needs a reason; 6 more lack one (line 3, 4, 5, 6, …)"
            ),
            ("known: [{ reason: because }]", "a known failure needs 'scenario', its file"),
            ("known: [{ scenario: a.yaml, reason: x, why: y }]", "unknown key 'why' in a list of known failures"),
            ("known: a.yaml", "expected a list of known failures"), ("", "this file is empty"),
            ("known: [{ scenario: a.yaml, fails: [eventualy], reason: x }]", "unknown word 'eventualy' in 'fails'"),
            ("known: [{ scenario: a.yaml, fails: order, reason: x }]", "unknown word 'order' in 'fails'"),
            (
                "known: [{ scenario: a.yaml, reason: x }, { scenario: ./a.yaml, reason: y }]",
                "'a.yaml' is listed twice"
            ),
            (
                "known: [{ scenario: a.yaml, case: b, reason: x }, { scenario: a.yaml, case: b, reason: x }]",
                "case 'b' of 'a.yaml' is listed twice"
            ),
            ("known: [a.yaml]", "a known failure must be a mapping, not 'a.yaml'"),
        ]
    )
    func aWrongListIsRefused(_ text: String, _ message: String) {
        #expect(Self.complaints(text) == [message])
    }

    @Test("The error for a misspelt word contains a suggestion")
    func aSlipOfAWordIsPutRight() throws {
        func help(_ word: String) -> String? {
            guard case .failure(let mistakes) = Self.read("known: [{ scenario: a, fails: [\(word)], reason: x }]")
            else {
                return nil
            }
            return mistakes.diagnostics.first?.help
        }
        #expect(help("eventualy") == "did you mean 'eventually'?")
        #expect(help("backoff_envelope") == "did you mean 'invariant backoff_envelope'?")
        #expect(help("invariant ordr") == "did you mean 'invariant order'?")
        let words = ["wait", "invariant order", "count"]
        #expect(try Self.read("known: [{ scenario: a, fails: \(words), reason: x }]").get().entries[0].parts == words)
    }

    @Test("Known-failure entries whose file or case does not exist are stale and fail the suite")
    func entriesWithoutAFileOrACaseAreStale() {
        func scenario(_ file: String, _ variant: String?) -> Scenario {
            Scenario(file: file, name: file, variant: variant)
        }
        let list = KnownFailures(
            [
                .init(file: "gone.yaml", reason: "1"), .init(file: "elsewhere.yaml", variant: "x", reason: "2"),
                .init(file: "./table.yaml", variant: "one", reason: "3"),
                .init(file: "table.yaml", variant: "three", reason: "4"), .init(file: "table.yaml", reason: "5"),
                .init(file: "unplayed.yaml", variant: "one", reason: "6"),
            ],
            file: "known.yaml"
        )
        let suite = Self.suite(Self.run("table.yaml", variant: "two", .pass))
        let known = [scenario("table.yaml", "one"), scenario("table.yaml", "two"), scenario("unplayed.yaml", nil)]
        let stale = list.stale(after: suite, of: known) { $0 == "elsewhere.yaml" }
        #expect(list.entries.filter { stale[$0] != nil }.map(\.reason) == ["1", "4", "5"])
        #expect(list.without(stale).entries.map(\.reason) == ["2", "3", "6"])
        let failed = list.failing(suite, for: stale)
        #expect(suite.exitStatus == .passed && failed.exitStatus == .failed)
        #expect(failed.staleKnownFailures.map(\.why?.first) == ["t", "'", "'"])
    }

    @Test("A listed failure counts as known, and any other failure fails the suite")
    func aListedFailureIsKnownAndAnotherOneFails() {
        let known = KnownFailures(
            [.init(file: "Scenarios/a.yaml", parts: ["count"], reason: "issue 7")],
            file: "known.yaml"
        )
        let judged = known.applied(
            to: Self.suite(
                Self.run("./Scenarios/a.yaml", .fail, parts: [("count", .fail), ("never", .pass)]),
                Self.run("Scenarios/b.yaml", .fail, parts: [("count", .fail)])
            )
        )
        #expect(judged.runs.map(\.verdict) == [.knownFailure, .fail])
        #expect(judged.runs[0].expectations[0].why == "it did (known: issue 7)")
        #expect(judged.exitStatus == .failed)
    }

    @Test("If an expectation that is not listed fails, the run is not a known failure")
    func anotherPartThatFailsIsNotKnown() {
        let known = KnownFailures([.init(file: "a.yaml", parts: ["count"], reason: "issue 7")], file: "known.yaml")
        let judged = known.applied(
            to: Self.suite(Self.run("a.yaml", .fail, parts: [("count", .fail), ("never", .fail)]))
        )
        #expect(judged.runs.map(\.verdict) == [.fail])
    }

    @Test("A run that is listed as a known failure but passes fails the suite")
    func aListedPassFails() {
        let known = KnownFailures([.init(file: "a.yaml", reason: "issue 7")], file: "known.yaml")
        let judged = known.applied(to: Self.suite(Self.run("a.yaml", .pass, parts: [("count", .pass)])))
        #expect(judged.runs.map(\.verdict) == [.fail])
        #expect(judged.exitStatus == .failed)
    }

    @Test(
        "A listed run without a verdict keeps its verdict and its entry in the list",
        arguments: [CaseVerdict.inconclusive, .skipped]
    )
    func inconclusiveRunsStay(_ verdict: CaseVerdict) {
        let known = KnownFailures([.init(file: "a.yaml", reason: "issue 7")], file: "known.yaml")
        let suite = Self.suite(Self.run("a.yaml", verdict))
        #expect(known.applied(to: suite).runs.map(\.verdict) == [verdict])
        #expect(known.fixed(after: suite) == known)
    }

    @Test("Each case of a table needs its own known-failure entry")
    func casesOfATableAreListedOneByOne() {
        let known = KnownFailures([.init(file: "a.yaml", variant: "one", reason: "issue 7")], file: "known.yaml")
        let judged = known.applied(
            to: Self.suite(
                Self.run("a.yaml", variant: "one", .fail, parts: [("count", .fail)]),
                Self.run("a.yaml", variant: "two", .fail, parts: [("count", .fail)])
            )
        )
        #expect(judged.runs.map(\.verdict) == [.knownFailure, .fail])
    }

    @Test("Updating the list of known failures keeps the reasons and the entries of cases not played")
    func mendingKeepsReasonsAndWhatWasNotPlayed() {
        let known = KnownFailures(
            [
                .init(file: "passes.yaml", reason: "it once failed"),
                .init(file: "fails.yaml", parts: ["count"], reason: "issue 7"),
                .init(file: "elsewhere.yaml", reason: "not played today"),
            ],
            file: "known.yaml"
        )
        let fixed = known.fixed(
            after: Self.suite(
                Self.run("passes.yaml", .pass),
                Self.run("fails.yaml", .fail, parts: [("count", .fail), ("never", .fail)]),
                Self.run("new.yaml", variant: "one", .fail, parts: [("until", .fail)])
            )
        )
        #expect(fixed.entries.map(\.file) == ["fails.yaml", "elsewhere.yaml", "new.yaml"])
        #expect(fixed.entries[0].parts == ["count", "never"])
        #expect(fixed.entries.map(\.reason) == ["issue 7", "not played today", KnownFailures.missingReason])
    }

    @Test("A listed failure that is flaky stays in the list with its reason")
    func aFlakyFailureStaysListed() {
        let list = KnownFailures([.init(file: "a.yaml", parts: ["count"], reason: "issue 7")], file: "known.yaml")
        let rounds = Self.suite(
            Self.run("a.yaml", .pass, parts: [("count", .pass)]),
            Self.run("a.yaml", .fail, parts: [("count", .fail)])
        )
        #expect(list.fixed(after: rounds) == list)
        let always = Self.suite(
            Self.run("a.yaml", .pass, parts: [("count", .pass)]),
            Self.run("a.yaml", .pass, parts: [("count", .pass)])
        )
        #expect(list.fixed(after: always).entries.isEmpty)
    }

    @Test("A run whose client cannot be started is never a known failure")
    func aClientThatCannotBeRunIsNothingToLiveWith() {
        let list = KnownFailures([.init(file: "a.yaml", reason: "issue 7")], file: "known.yaml")
        let broken = Self.suite(Self.run("a.yaml", .fail, parts: [("run", .fail)]))
        #expect(list.fixed(after: broken) == list)
        #expect(list.applied(to: broken).count(.fail) == 1)
        #expect(KnownFailures(file: "known.yaml").fixed(after: broken).entries.isEmpty)
    }
}
