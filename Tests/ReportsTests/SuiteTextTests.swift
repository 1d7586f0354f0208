import ScenarioModel
import SquallCore
import Testing

@testable import Reports

/// Tests text reports for suites with many cases, seeds and retries.
@Suite struct SuiteTextTests {
    private static func run(_ number: Int, _ verdict: CaseVerdict = .pass, seed: UInt64 = 1) -> CaseResult {
        var run = verdict == .pass ? Samples.passing : Samples.halfOpen
        run.file = "Scenarios/folder/case.yaml"
        run.variant = "\(number)"
        run.verdict = verdict
        run.seed = Seed(seed)
        return run
    }

    private static func suite(_ runs: [CaseResult]) -> SuiteResult {
        SuiteResult(cases: runs.map { CaseReport(runs: [$0]) }, wall: .zero)
    }

    @Test("The text for a large suite has one line per folder and lists the failures by cause at the end")
    func aLargeSuiteIsFolded() throws {
        let suite = Self.suite((1...20).map { Self.run($0, $0 > 17 ? .fail : .pass) })
        let text = TerminalReport(colour: false).render(suite)
        let lines = text.split(separator: "\n")
        #expect(lines[0] == "FAIL  3 of 20 runs failed (3 of 20 cases) in sim")
        #expect(lines[1] == "  FAIL Scenarios/folder  20 cases: 3 fail, 17 pass")
        #expect(lines[2] == "connection.state was connected  3 cases, 3 runs")
        #expect(lines.count { $0.contains("replay: squall run ") } == 3)
        #expect(lines.count { $0.contains("connection.state was connected from 12.400") } == 3, "each has its sentence")
        #expect(lines.count { $0.contains("fault.began[tunnel]") && !$0.contains("leads_to:") } == 1, "\(text)")
        let verbose = TerminalReport(colour: false, verbose: true).render(suite)
        #expect(verbose.split(separator: "\n").count { $0.hasPrefix("  pass ") } == 17)
    }

    @Test("The seeds of a case share one line that names the failing seeds")
    func seedsAreGroupedUnderTheirCase() {
        let verdicts: [CaseVerdict] = [.fail, .pass, .fail, .fail, .pass, .fail]
        let suite = Self.suite(verdicts.enumerated().map { Self.run(1, $1, seed: UInt64($0) + 1) })
        let text = TerminalReport(colour: false).render(suite)
        #expect(text.contains("FAIL  4 of 6 runs failed (1 of 1 case) in sim\n"), "\(text)")
        #expect(text.contains("  sim: 4 of 6 seeds fail (1, 3, 4, 6)\n"), "\(text)")
        #expect(text.split(separator: "\n").count { $0.contains("replay: ") } == 1, "they fail for one cause")
        let index = SuiteData(suite, sources: [:], title: "", command: "", trace: { _ in nil }).index
        #expect(index["cases"]?.arrayValue?.map { $0["runs"]?.arrayValue?.count } == [6])
        let junit = JUnitReport.render(suite)
        #expect(junit.contains("[sim, 1 of 6]") && junit.contains("[sim, 6 of 6]"))
        #expect(JUnitReport.render(Self.suite([Self.run(1, seed: 9)])).contains("(1) [sim]\""), "no seed in a name")
    }

    @Test("The first line counts the cases left out by a budget, and the last line shows the speed of the suite")
    func whatWasLeftOutAndTheSpeed() {
        var suite = Self.suite([Self.run(1), Self.run(2)])
        suite.leftOut = ["Three", "Four"]
        suite.unplayed = 2
        suite.wall = .seconds(2)
        let text = TerminalReport(colour: false).render(suite)
        #expect(text.hasPrefix("PASS  2 runs (2 cases) in sim, 2 cases left out\n"), "\(text)")
        let weather = suite.runs.reduce(TimeSpan.zero) { $0 + $1.simulated }
        let times = weather.nanoseconds / 2_000_000_000
        // The HTML page derives the same figures from `wall` and the runs.
        #expect(text.contains(" of weather in 2.0s, \(times) times as fast"), "\(text)")
    }

    @Test("Long durations are in minutes or hours")
    func durationsAreReadable() {
        #expect(TerminalReport.brief(.seconds(246)) == "246s")
        #expect(TerminalReport.brief(.seconds(640)) == "11m")
        #expect(TerminalReport.brief(.seconds(9_000)) == "2.5h")
        #expect(TerminalReport.brief(.seconds(5_636_820)) == "1,566h")
        #expect(TerminalReport.brief(.milliseconds(3_170)) == "3.2s")
        #expect(TerminalReport.brief(TimeSpan(nanoseconds: 999_600_000)) == "1.0s")
        #expect(TerminalReport.brief(.milliseconds(99_960)) == "100s")
        #expect(TerminalReport.brief(.milliseconds(599_700)) == "10m")
        #expect(TerminalReport.brief(.seconds(7_180)) == "2.0h")
        #expect(TerminalReport.brief(TimeSpan(nanoseconds: 1)) == "0.0us")
    }

    @Test("Each scenario file is a JUnit test suite with its duration, start time and host")
    func junitSuites() {
        var other = Self.run(3)
        other.file = "Scenarios/other.yaml"
        var suite = Self.suite([Self.run(1), Self.run(2, .fail), other])
        var origin = ResultsReaderTests.origin
        (origin.date, origin.host) = ("2026-01-02T03:04:05Z", "runner-1")
        suite.origin = origin
        let junit = JUnitReport.render(suite)
        let started = " timestamp=\"2026-01-02T03:04:05\" hostname=\"runner-1\">"
        func head(_ name: String, _ tests: Int, _ failures: Int, _ time: String) -> String {
            let counts = "tests=\"\(tests)\" failures=\"\(failures)\" errors=\"0\" skipped=\"0\""
            return "<testsuite name=\"\(name)\" \(counts) time=\"\(time)\"\(started)"
        }
        #expect(junit.contains(head("Scenarios/folder/case.yaml", 2, 1, "0.006")), "\(junit)")
        #expect(junit.contains(head("Scenarios/other.yaml", 1, 0, "0.003")), "\(junit)")
        #expect(junit.contains("<testsuites name=\"squall\" tests=\"3\" failures=\"1\""))
    }

    @Test("Listing a failure as known does not change its reported cause")
    func theCauseOfAKnownFailure() throws {
        var run = Self.run(1, .fail)
        var cut = Samples.part(24, "never", .inconclusive, "the script did not finish")
        cut.location.file = run.file
        run.expectations.insert(cut, at: 0)
        let unlisted = try #require(CauseLine(of: run))
        let known = KnownFailures(
            [.init(file: run.file, variant: run.variant, reason: "ticket 7")],
            file: "known.yaml"
        ).applied(to: run)
        #expect(known.verdict == .knownFailure)
        let listed = try #require(CauseLine(of: known))
        #expect(listed.expectation == unlisted.expectation)
        #expect(listed.sentence.contains("connection.state was connected from 12.400"))
        let text = TerminalReport(colour: false).render(Self.suite([known]))
        #expect(text.contains("connection.state was connected from 12.400"), "\(text)")
    }

    @Test("Expectations that were not judged because the script stopped share one line with the cause")
    func whatLacksTheEndOfTheScript() throws {
        var run = Self.run(1, .fail)
        run.expectations = [
            Samples.part(8, "wait", .fail, "connection.state was connecting", due: .zero + .seconds(20)),
            Samples.part(20, "never", .inconclusive, "the script did not finish"),
            Samples.part(21, "count", .inconclusive, "the script did not finish"),
            Samples.part(22, "eventually", .inconclusive, "the trigger never happened"),
        ]
        #expect(try #require(CauseLine(of: run)).followers == [1, 2])
        let text = TerminalReport(colour: false).render(Self.suite([run]))
        let line = "2 expectations (lines 20, 21) are not judged: the script did not finish  (of the same cause)"
        #expect(text.contains(line), "\(text)")
        #expect(!text.contains("count: the script did not finish") && text.contains("the trigger never happened"))
        #expect(GitHubReport.render(Self.suite([run])).contains("2 expectations (lines 20, 21) are not judged"))
    }

    @Test("A crash of the client and the invariant that it breaks are reported with one cause")
    func theInvariantAboutACrash() throws {
        var run = Self.run(1, .fail)
        let why = "the client ended by itself with exit status 3"
        run.expectations = [
            Samples.part(1, "run", .fail, why),
            Samples.part(1, "invariant process_survives", .fail, "the client crashed at 0.012: \(why)"),
            Samples.part(20, "never", .inconclusive, "the script did not finish"),
            Samples.part(21, "eventually", .fail, "it did not come"),
        ]
        #expect(try #require(CauseLine(of: run)).followers.intersection([1, 2]) == [1, 2])
    }

    @Test("Every report marks a flaky run as flaky")
    func aFlakyRunIsNamed() {
        var run = Self.run(2, .flaky)
        run.plays = 2
        let suite = Self.suite([Self.run(1), run])
        #expect(suite.exitStatus == .passed)
        let text = TerminalReport(colour: false).render(suite)
        #expect(text.hasPrefix("PASS  2 runs (2 cases) in sim, 1 flaky\n"), "\(text)")
        #expect(text.contains("passed at play 2") && text.contains("replay: "), "\(text)")
        let junit = JUnitReport.render(suite)
        #expect(junit.contains("failures=\"0\"") && junit.contains("<flakyFailure message=\"leads_to: "), "\(junit)")
        #expect(GitHubReport.render(suite).hasPrefix("::warning file=Scenarios/"))
        #expect(ResultsJSON.render(suite)["totals"]?["flaky"] == 1)
        #expect(JobSummary.render(suite).contains("| flaky | 1 | 1 |"))
    }

    @Test("The job summary lists failures by cause and escapes strings from runs")
    func theSummaryOfAJob() {
        var run = Self.run(1, .fail)
        run.name = "<img src=x> | [link](x)"
        let text = JobSummary.render(Self.suite([run, Self.run(2)]))
        #expect(text.hasPrefix("### Squall: FAIL  1 of 2 runs failed (1 of 2 cases) in sim\n"))
        #expect(text.contains("<b>connection.state was connected</b>: fail, 1 case, 1 run"), "\(text)")
        #expect(text.contains("&lt;img src=x&gt;") && !text.contains("<img"), "\(text)")
        #expect(text.contains("<code>squall run Scenarios/folder/case.yaml --world sim --seed 1 --case 1 "), "\(text)")
    }

    @Test("Failures that differ only in numbers and names share one cause, and the heading states it")
    func failuresOfOneShape() {
        var runs: [CaseResult] = []
        for why in [
            "a[x] was 3 from 1.5 to 2", "a[y] was 14 at 20.25", "b[y] was 14 at 2.25; c was 1 at 2.25",
            "d went null by 1.0",
        ] {
            var run = Self.run(runs.count + 1, .fail)
            run.expectations[0].why = why
            runs.append(run)
        }
        let causes = CauseGroup.all(of: Self.suite(runs))
        #expect(causes.map(\.heading) == ["a was …", "b was 14", "d went null"])
        #expect(causes.map(\.failures.count) == [2, 1, 1])
    }

    @Test("The text for a large suite names up to three schedule-dependent cases, and with --verbose all of them")
    func scheduleDependentCasesAreNamed() {
        var suite = Self.suite((1...20).map { Self.run($0) })
        for index in 0..<4 { suite.cases[index].parity = .scheduleDependent("a ping came first") }
        let titles = suite.cases.prefix(4).map { $0.runs[0].title }
        let text = TerminalReport(colour: false).render(suite)
        let named = titles.prefix(3).joined(separator: "; ")
        #expect(text.contains("4 schedule dependent (\(named); 1 more, which --verbose names)"), "\(text)")
        let verbose = TerminalReport(colour: false, verbose: true).render(suite)
        #expect(verbose.split(separator: "\n").count { $0 == "        schedule dependent: a ping came first" } == 4)
    }

    @Test("Numbers of more than three digits have separators")
    func numbersAreGrouped() {
        let numbers = [0, 12, 999, 1_000, 1_380, 1_234_567, -1_380]
        let texts = ["0", "12", "999", "1,000", "1,380", "1,234,567", "-1,380"]
        #expect(numbers.map(\.grouped) == texts)
    }

    @Test("Wrong counts of an event share one heading that can be read")
    func wrongCountsShareAHeading() {
        let runs = ["once", "3 times"].enumerated().map { number, times in
            var run = Self.run(number, .fail)
            run.expectations[0].why = "server.stored happened \(times) by 2.0; expected exactly 2"
            return run
        }
        let headings = CauseGroup.all(of: Self.suite(runs)).map(\.heading)
        #expect(headings == ["server.stored happened a wrong number of times"])
    }

    @Test("The text of a JUnit failure has no skipped expectations, and a line for each line of standard error")
    func aFailureListsNothingSkipped() {
        var run = Self.run(1, .fail)
        run.expectations.append(Samples.part(1, "invariant one_socket", .skipped, "the client does not report it"))
        run.expectations[0].why = "the client ended by itself\nlast lines of standard error:\n  | one\n  | two"
        let junit = JUnitReport.render(Self.suite([run]))
        #expect(!junit.contains("the client does not report it"), "\(junit)")
        #expect(junit.contains("\nlast lines of standard error:\n  | one\n  | two\n"), "\(junit)")
        let lines = TerminalReport(colour: false).render(Self.suite([run])).split(separator: "\n")
        #expect(lines.contains { $0.hasSuffix("    | one") }, "\(lines)")
    }

    @Test("The JUnit report attaches the trace of a failure for GitLab and Jenkins")
    func aTraceIsAttached() {
        let junit = JUnitReport.render(Self.suite([Self.run(1), Self.run(2, .fail)])) { "out/\($0.variant ?? "")" }
        #expect(junit.contains("<system-out>[[ATTACHMENT|out/2]]</system-out>"))
        #expect(!junit.contains("out/1"))
    }
}
