import ScenarioModel
import SquallCore
import TemporalLogic
import Testing
import Trace

@testable import Reports

/// Tests how reports present violations: their names, common causes and repetitions.
@Suite struct ViolationTests {
    private static let file = "a.yaml"

    private static func part(
        _ line: Int,
        _ verdict: CaseVerdict = .fail,
        name: String? = nil,
        evidence: [Int] = [],
        by due: Instant = .zero + .milliseconds(150)
    ) -> ExpectationResult {
        ExpectationResult(
            location: SquallCore.SourceLocation(file: file, line: line, column: 5),
            word: "eventually",
            name: name,
            covers: [],
            verdict: verdict,
            why: "line \(line) did not come",
            evidence: evidence,
            expectedBy: due
        )
    }

    private static func run(
        _ trace: TraceSketch,
        _ parts: [ExpectationResult],
        seed: UInt64 = 1,
        world: World = .sim
    ) -> CaseResult {
        var run = Samples.passing
        run.file = file
        run.name = "It is played"
        run.verdict = .fail
        run.seed = Seed(seed)
        run.world = world
        run.recording = Recording(header: run.recording.header, events: trace.recorder.events, end: .zero + .seconds(1))
        run.expectations = parts
        return run
    }

    private static func suite(_ runs: CaseResult...) -> SuiteResult {
        SuiteResult(cases: runs.map { CaseReport(runs: [$0]) }, wall: .zero)
    }

    @Test("Every report shows an expectation's name")
    func everyReportShowsTheNameOfAnExpectation() throws {
        var trace = TraceSketch()
        trace.connect()
        let name = "It arrives <in time>"
        let suite = Self.suite(Self.run(trace, [Self.part(3, name: name), Self.part(4, name: "And this")]))
        let text = TerminalReport(colour: false).render(suite)
        #expect(text.contains("a.yaml:3:5  \(name) (eventually): line 3 did not come"), "\(text)")
        #expect(text.contains("a.yaml:4:5  And this (eventually): line 4 did not come"), "\(text)")
        let parts = ResultsJSON.render(suite)["scenarios"]?.arrayValue?.first?["expectations"]?.arrayValue
        #expect(parts?.map { $0["name"]?.stringValue } == [name, "And this"])
        let junit = JUnitReport.render(suite)
        #expect(junit.contains("It arrives &lt;in time&gt; (eventually): line 3"), "\(junit)")
        #expect(junit.contains("And this (eventually): line 4"), "\(junit)")
        #expect(junit.contains("\nreplay: squall run "), "\(junit)")
        #expect(GitHubReport.render(suite).contains("%0Aalso line 4: And this (eventually): line 4"))
        let page = RunData(suite.runs[0], passingLimit: nil).page(command: "", trace: nil)
        #expect(page["expectations"]?.arrayValue?.map { $0["name"]?.stringValue } == [name, "And this"])
    }

    @Test("The results have the metrics of the clients")
    func resultsHaveTheMetricsOfClients() {
        var trace = TraceSketch()
        trace.connect()
        trace.shows("metrics.images", nil, 1)
        trace.shows("metrics.images", nil, 2)
        trace.shows("metrics.deletion_success_percent", nil, 99)
        let suite = Self.suite(Self.run(trace, []))
        let metrics = ResultsJSON.render(suite)["scenarios"]?.arrayValue?.first?["metrics"]
        #expect(metrics == ["client": ["images": 2, "deletion_success_percent": 99]])
        let without = Self.suite(Self.run(TraceSketch(), []))
        #expect(ResultsJSON.render(without)["scenarios"]?.arrayValue?.first?["metrics"] == nil)
    }

    @Test("Violations without a shared fault or event are reported as separate causes")
    func violationsAreJoinedOnlyByTheTrace() throws {
        var trace = TraceSketch()
        trace.connect()
        let healthy = Self.run(trace, [Self.part(3), Self.part(4), Self.part(5), Self.part(6), Self.part(7)])
        #expect(try #require(CauseLine(of: healthy)).followers.isEmpty)
        let text = TerminalReport(colour: false).render(Self.suite(healthy))
        #expect(!text.contains("of the same cause"))
        for line in 3...7 { #expect(text.contains("line \(line) did not come"), "\(text)") }
    }

    @Test("Violations after a fault share the fault as their cause until the client is connected again")
    func aFaultJoinsUntilItsClientIsBack() throws {
        var trace = TraceSketch()
        trace.happened("fault.began", "cut", ["fault": "drop"], of: nil)
        trace.happened("fault.ended", "cut", ["fault": "drop"], of: nil)
        trace.shows("connection.state", nil, "reconnecting")
        let parts = [Self.part(3), Self.part(4), Self.part(5), Self.part(6)]
        let away = Self.run(trace, parts)
        #expect(try #require(CauseLine(of: away)).followers == [1, 2, 3])
        let text = TerminalReport(colour: false).render(Self.suite(away))
        for line in 4...6 { #expect(text.contains("line \(line) did not come  (of the same cause)"), "\(text)") }
        trace.wait(10)
        trace.shows("connection.state", nil, "connected")
        #expect(try #require(CauseLine(of: Self.run(trace, parts))).followers.isEmpty)
    }

    @Test("Violations whose evidence is the same event or its effect share a cause")
    func violationsOfOneEventAreJoined() throws {
        var trace = TraceSketch()
        trace.connect()
        let stored = trace.happened("server.stored", "hi", ["sequence": 1])
        let shown = trace.shows("message.status", "hi", "failed", because: stored)
        let other = trace.shows("message.status", "other", "failed")
        let run = Self.run(
            trace,
            [
                Self.part(3, evidence: [stored]), Self.part(4, evidence: [stored]), Self.part(5, evidence: [shown]),
                Self.part(6, evidence: [other]),
            ]
        )
        #expect(try #require(CauseLine(of: run)).followers == [1, 2])
    }

    @Test("Repeated violations give one annotation with the number of runs")
    func repeatsAreOneAnnotationThatSaysHowMany() {
        var trace = TraceSketch()
        trace.connect()
        let parts = [Self.part(3), Self.part(4, .pass), Self.part(5)]
        let text = GitHubReport.render(
            Self.suite(
                Self.run(trace, parts),
                Self.run(trace, parts, seed: 2),
                Self.run(trace, [Self.part(3)], seed: 2, world: .live)
            )
        )
        let lines = text.split(separator: "\n")
        let annotations = lines.filter { $0.hasPrefix("::error ") }
        #expect(annotations.count == 1, "\(text)")
        #expect(
            annotations[0].hasPrefix("::error file=a.yaml,line=3,title=It is played::eventually: line 3 did not come")
        )
        #expect(annotations[0].contains("%0Ain 3 of 3 runs: sim seed 1, sim seed 2, live seed 2%0A"))
        #expect(annotations[0].hasSuffix("%0Areplay: squall run a.yaml --world sim --seed 1"))
        #expect(annotations[0].contains("%0Aalso line 5: eventually: line 5 did not come"))
        #expect(lines[1] == "FAIL  3 of 3 runs failed (1 of 1 case) in sim and live", "\(lines[1])")
        #expect(lines.last?.contains(" of weather in ") == true, "\(text)")
    }

    @Test("GitHub's job summary mentions the report folder only if a report was written")
    func onlyAReportThatThereIsIsPointedTo() {
        let runs = (1...12).map { number in
            var run = Self.run(TraceSketch(), [Self.part(number)])
            run.variant = "case \(number)"
            return CaseReport(runs: [run])
        }
        let suite = SuiteResult(cases: runs, wall: .zero)
        #expect(GitHubReport.render(suite).contains("::error title=squall::3 more; see the step's log"))
        #expect(
            GitHubReport.render(suite, hasReport: true).contains(
                "::error title=squall::3 more; see the report"
            )
        )
    }

    @Test("No report shows an interrupted suite as passed")
    func anInterruptedSuiteIsNotGreenAnywhere() {
        let suite = SuiteResult(
            cases: [CaseReport(runs: [Samples.passing])],
            wall: .zero,
            interrupted: true,
            unplayed: 7
        )
        let said = "interrupted: 7 runs were not played"
        #expect(JUnitReport.render(suite).contains("tests=\"2\" failures=\"0\" errors=\"1\""))
        #expect(JUnitReport.render(suite).contains("<error message=\"\(said)\">"))
        #expect(ResultsJSON.render(suite)["interrupted"] == true)
        #expect(ResultsJSON.render(suite)["not_played"] == 7)
        #expect(GitHubReport.render(suite).hasPrefix("::error title=squall::\(said)\n"))
        #expect(TerminalReport(colour: false).render(suite).contains(said))
    }

    @Test("Every report counts the runs that were not played after a stop at the first failure")
    func runsLeftOutAfterAFailureAreCounted() {
        let failed = Self.run(TraceSketch(), [Self.part(3)])
        let suite = SuiteResult(cases: [CaseReport(runs: [failed])], wall: .zero, unplayed: 1)
        let said = "stopped at the first failure: 1 run was not played"
        #expect(suite.exitStatus == .failed, "a failure, not an interruption")
        let results = ResultsJSON.render(suite)
        #expect(results["interrupted"] == true && results["not_played"] == 1 && results["broken_off_by"] == "failure")
        #expect(ResultsJSON.render(Self.suite(failed))["broken_off_by"] == nil)
        let junit = JUnitReport.render(suite)
        #expect(junit.contains("tests=\"2\" failures=\"1\" errors=\"0\" skipped=\"1\""), "\(junit)")
        #expect(junit.contains("<skipped message=\"\(said)\">"), "\(junit)")
        #expect(GitHubReport.render(suite).contains("\n::notice title=squall::\(said)\n"))
        #expect(TerminalReport(colour: false).render(suite).contains(said))
        let index = SuiteData(suite, sources: [:], title: "", command: "", trace: { _ in nil }).index
        #expect(index["shortfall"] == .string(said))
    }

    @Test("A difference between the two worlds is an error in every report")
    func worldsThatDifferAreAnErrorOfEveryReport() {
        var live = Samples.passing
        live.world = .live
        let how = "message.status[hello] is delivered in sim\nand failed in live"
        let suite = SuiteResult(
            cases: [
                CaseReport(runs: [Samples.passing, live], parity: .differs(how)),
                CaseReport(runs: [Samples.passing, live], parity: .equal), CaseReport(runs: [Samples.passing]),
            ],
            wall: .zero
        )
        #expect(suite.exitStatus == .internalError)
        let text = TerminalReport(colour: false).render(suite)
        #expect(how.split(separator: "\n").allSatisfy { text.contains($0) }, "\(text)")
        let junit = JUnitReport.render(suite)
        #expect(junit.contains("tests=\"6\" failures=\"0\" errors=\"1\""), "\(junit)")
        #expect(junit.contains("[both worlds, 1 of 3]\" file=\"Scenarios/sending/plain.yaml\" line=\"1\""), "\(junit)")
        let complaint = "the worlds differ: this is a bug in Squall; please report it"
        #expect(junit.contains("<error message=\"\(complaint)\">\(complaint)\n\(how)</error>"), "\(junit)")
        let parities = ResultsJSON.render(suite)["scenarios"]?.arrayValue?.map { $0["parity"] }
        let differs: JSON = ["verdict": "differs", "why": .string(how)]
        #expect(parities == [differs, differs, ["verdict": "equal"], ["verdict": "equal"], nil])
    }

    @Test("The list in the HTML report states why a run was skipped")
    func theListOfThePageSaysWhyARunWasSkipped() {
        var run = Samples.passing
        run.verdict = .skipped
        run.expectations[1].verdict = .skipped
        run.expectations[1].why = "for sim only"
        let suite = SuiteData(Self.suite(run), sources: [:], title: "", command: "", trace: { _ in nil })
        #expect(suite.index["runs"]?.arrayValue?.first?["cause"]?["why"] == "for sim only")
    }

    @Test("The largest 64-bit seed is written in full")
    func aSeedIsWhatTheCommandTakes() {
        let run = Self.run(TraceSketch(), [], seed: .max)
        let seed = ResultsJSON.render(Self.suite(run))["scenarios"]?.arrayValue?.first?["seed"]
        #expect(seed.map { String(decoding: $0.encodePretty(), as: UTF8.self) } == "18446744073709551615")
    }

    @Test("A known failure whose file no longer exists fails the suite in every report")
    func entriesOfWhichNothingIsLeftFailInEveryReport() {
        var suite = Self.suite(Samples.passing)
        var stale = Self.part(12)
        stale.location.file = "known.yaml"
        stale.why = "there is no file 'gone.yaml'"
        suite.staleKnownFailures = [stale]
        #expect(suite.exitStatus == .failed)
        let text = TerminalReport(colour: false).render(suite)
        #expect(text.contains("FAIL known.yaml:12:5  eventually: there is no file"), "\(text)")
        #expect(ResultsJSON.render(suite)["stale_known_failures"]?.arrayValue?.map { $0["line"] } == [12])
        #expect(JUnitReport.render(suite).contains("tests=\"2\" failures=\"1\""))
        let failure = "<failure message=\"known.yaml:12:5: there is no file 'gone.yaml'\">"
        #expect(JUnitReport.render(suite).contains(failure))
        #expect(GitHubReport.render(suite).hasPrefix("::error file=known.yaml,line=12,"))
        let index = SuiteData(suite, sources: [:], title: "", command: "", trace: { _ in nil }).index
        #expect(index["stale"]?.arrayValue?.map { $0["place"] } == ["known.yaml:12:5"])
    }

    @Test("The cause line counts failed connections to the upstream")
    func aServerThatIsNotThereIsNamed() throws {
        var trace = TraceSketch()
        trace.happened("network.upstream.failed", nil, ["failure": "refused"])
        trace.wait(100)
        trace.happened("network.upstream.failed", nil, ["failure": "refused"])
        let sentence = try #require(CauseLine(of: Self.run(trace, [Self.part(3)]))).sentence
        #expect(sentence.contains(". Upstream: 2 calls to it failed, the last at 0.100 (refused)"), "\(sentence)")
    }
}
