import ScenarioModel
import SquallCore
import Testing
import Trace

@testable import Reports

/// Tests the comparison of two runs of a suite.
@Suite struct SuiteComparisonTests {
    private static func run(
        _ name: Int,
        _ verdict: CaseVerdict = .pass,
        world: World = .sim,
        seed: UInt64 = 1,
        digest: String = "d"
    ) -> CaseResult {
        var run = Samples.passing
        (run.file, run.name, run.verdict) = ("Scenarios/\(name).yaml", "Case \(name)", verdict)
        (run.world, run.seed, run.digest) = (world, Seed(seed), digest)
        if verdict == .fail || verdict == .inconclusive {
            run.expectations[0].verdict = verdict
            run.expectations[0].why = "it did not come"
        }
        return run
    }

    private static func suite(_ runs: [CaseResult], unplayed: Int = 0) -> SuiteResult {
        SuiteResult(cases: runs.map { CaseReport(runs: [$0]) }, wall: .zero, unplayed: unplayed)
    }

    private static func change(_ old: [CaseResult], _ new: [CaseResult]) -> CaseChange? {
        let comparison = SuiteComparison(from: suite(old), to: suite(new))
        return comparison.cases.count == 1 ? comparison.cases[0].change : nil
    }

    // MARK: - Verdicts

    @Test("A suite compared with itself shows no change")
    func nothingHasChangedFromItself() {
        let comparison = SuiteComparison(from: Samples.suite, to: Samples.suite)
        let bad = comparison.cases.filter { ![.unchanged, .stillFailing, .stillInconclusive].contains($0.change) }
        #expect(bad.isEmpty && comparison.exitStatus == .passed && comparison.notes.isEmpty)
        #expect(comparison.cases.allSatisfy { !$0.hasOtherCause })
    }

    @Test(
        "In random suites, a case is newly failing exactly if it fails now and did not fail before",
        arguments: 1...20
    )
    func newlyFailingIsTheDifferenceOfSets(seed: UInt64) {
        var generator = SeededGenerator(state: seed)
        let verdicts: [CaseVerdict?] = CaseVerdict.allCases + [nil, nil]
        func draw() -> [Int: CaseVerdict] {
            var drawn: [Int: CaseVerdict] = [:]
            for name in 0..<30 { drawn[name] = verdicts[Int(generator.next() % UInt64(verdicts.count))] }
            return drawn
        }
        let (old, new) = (draw(), draw())
        func played(_ drawn: [Int: CaseVerdict]) -> SuiteResult {
            Self.suite(drawn.sorted { $0.key < $1.key }.map { Self.run($0.key, $0.value) })
        }
        let comparison = SuiteComparison(from: played(old), to: played(new))
        func names(_ change: CaseChange) -> Set<String> { Set(comparison.cases(change).map(\.key.file)) }
        func names(where holds: (CaseVerdict?, CaseVerdict?) -> Bool) -> Set<String> {
            Set((0..<30).filter { holds(old[$0], new[$0]) }.map { "Scenarios/\($0).yaml" })
        }
        #expect(names(.newlyFailing) == names { $0 != .fail && $1 == .fail })
        #expect(names(.stillFailing) == names { $0 == .fail && $1 == .fail })
        #expect(names(.newlyFlaky) == names { $0 != .flaky && $1 == .flaky })
        #expect(names(.removed) == names { $0 != nil && $1 == nil })
        #expect(names(.added) == names { $0 == nil && [.pass, .skipped, .knownFailure].contains($1) })
        #expect(names(.newlyPassing) == names { [.fail, .inconclusive, .flaky].contains($0) && $1 == .pass })
        // Every case is listed with exactly one kind of change.
        #expect(comparison.cases.count == Set(old.keys).union(new.keys).count)
        #expect((comparison.exitStatus == .failed) == !names(.newlyFailing).isEmpty)
        #expect(
            (comparison.exitStatus == .inconclusive)
                == (names(.newlyFailing).isEmpty
                    && !names(.newlyInconclusive).isEmpty)
        )
    }

    @Test("Worlds with the same change of verdict share an entry in the comparison")
    func worldsShareAnEntry() {
        let (old, new) = (
            [Self.run(1), Self.run(1, world: .live)], [Self.run(1, .fail), Self.run(1, .fail, world: .live)]
        )
        let comparison = SuiteComparison(from: Self.suite(old), to: Self.suite(new))
        #expect(comparison.cases.map(\.worlds) == [[.sim, .live]])
        #expect(comparison.cases.first?.verdicts == "pass → fail" && comparison.count(.newlyFailing) == 1)
        let apart = SuiteComparison(from: Self.suite(old), to: Self.suite([new[0], old[1]]))
        #expect(apart.cases.map(\.change) == [.newlyFailing, .unchanged] && apart.caseCount == 1)
    }

    @Test("With several seeds, the comparison shows the worst run and the old run with the same seed")
    func theWorstSeedSpeaks() throws {
        let old = (1...4).map { Self.run(1, seed: $0) }
        let new = (1...4).map { Self.run(1, $0 > 2 ? .fail : .pass, seed: $0) }
        let comparison = SuiteComparison(from: Self.suite(old), to: Self.suite(new))
        let only = try #require(comparison.cases.first)
        #expect(only.change == .newlyFailing && only.verdicts == "4 of 4 pass → 2 of 4 fail")
        #expect(only.old?.run.seed == Seed(3) && only.new?.run.seed == Seed(3))
    }

    @Test("A case left out because of the time budget is reported as not played, not as removed")
    func whatWasNotPlayedIsNotRemoved() {
        let comparison = SuiteComparison(
            from: Self.suite([Self.run(1), Self.run(2)]),
            to: Self.suite([Self.run(1)], unplayed: 1)
        )
        #expect(comparison.cases.map(\.change) == [.notPlayed, .unchanged])
        #expect(comparison.notes == ["the new report: stopped at the first failure: 1 run was not played"])
    }

    // MARK: - Comparing times and traces

    @Test("A passing case counts as slower only if it takes both a second and a certain share longer")
    func slowerIsMoreThanNoise() {
        func played(_ virtual: TimeSpan, _ wall: TimeSpan) -> CaseResult {
            var run = Self.run(1)
            (run.simulated, run.wall) = (virtual, wall)
            return run
        }
        let old = played(.seconds(10), .seconds(2))
        #expect(Self.change([old], [played(.seconds(13), .seconds(2))]) == .slower)
        #expect(Self.change([old], [played(.seconds(11), .seconds(2))]) == .unchanged)
        #expect(Self.change([old], [played(.seconds(10), .seconds(4))]) == .slower)
        #expect(Self.change([old], [played(.seconds(10), .seconds(3))]) == .unchanged)
        #expect(
            Self.change([played(.seconds(10), .milliseconds(2))], [played(.seconds(10), .milliseconds(90))])
                == .unchanged
        )
    }

    @Test("A changed digest means a changed trace in sim, but not in live")
    func otherDigestsAreOtherTraces() {
        #expect(Self.change([Self.run(1)], [Self.run(1, digest: "e")]) == .otherTrace)
        #expect(Self.change([Self.run(1, world: .live)], [Self.run(1, world: .live, digest: "e")]) == .unchanged)
        #expect(Self.change([Self.run(1)], [Self.run(1, seed: 2, digest: "e")]) == .unchanged)
    }

    // MARK: - Text and JSON output

    /// A comparison in which a previously passing case fails. The traces diverge at the event that decided the verdict.
    static var parted: SuiteComparison {
        var old = Samples.halfOpen
        old.verdict = .pass
        old.expectations = old.expectations.map { part in
            var part = part
            (part.verdict, part.why) = (.pass, nil)
            return part
        }
        var trace = TraceSketch()
        trace.connect()
        trace.wait(2_300)
        trace.send("hello", 42)
        trace.wait(until: 12_351)
        trace.happened("user.send", "early")
        old.recording = trace.recording(file: Samples.file)
        var comparison = SuiteComparison(from: suite([old, run(2)]), to: suite([Samples.halfOpen, run(2)]))
        comparison.cases[0].divergence = TraceDivergence.between(
            old.recording,
            Samples.halfOpen.recording,
            rule: Registry.parity
        )
        return comparison
    }

    @Test("The comparison text has the verdict, the cause, the first difference and the replay command")
    func theTextTellsAll() {
        let text = ComparisonText(colour: false).render(Self.parted, old: "monday", new: "tuesday")
        #expect(text.hasPrefix("WORSE  1 of 2 cases newly failing\n\nold: monday\nnew: tuesday\n"), "\(text)")
        #expect(text.contains("\nnewly failing  1 case\n"), "\(text)")
        #expect(text.contains("sim: pass → fail"), "\(text)")
        #expect(text.contains(":19:5  leads_to: connection.state was connected from 12.400"), "\(text)")
        #expect(text.contains("first difference: event "), "\(text)")
        #expect(text.contains("- #") && text.contains(" user.send[early]"), "\(text)")
        #expect(text.contains("replay: squall run "), "\(text)")
        #expect(text.hasSuffix("\n2 cases: 1 newly failing, 1 unchanged"), "\(text)")
    }

    @Test("If a trace is missing, the comparison text explains how to keep it")
    func aMissingTraceIsNamed() {
        var comparison = Self.parted
        comparison.cases[0].divergence = nil
        comparison.cases[0].old?.run.hasWholeTrace = false
        let text = ComparisonText(colour: false).render(comparison, old: "a", new: "b")
        #expect(text.contains("the old report has no trace of it; 'squall run --traces all' keeps"), "\(text)")
    }

    @Test("Escape sequences in a scenario name do not reach the terminal")
    func hostileNamesAreHarmless() {
        var run = Self.run(1, .fail)
        run.name = Samples.hostile + "\u{1B}[31m"
        let comparison = SuiteComparison(from: Self.suite([]), to: Self.suite([run]))
        let text = ComparisonText(colour: false).render(comparison, old: "\u{1B}[2J", new: "b")
        #expect(!text.contains("\u{1B}"))
        #expect(!ComparisonPage.render(comparison, old: Samples.hostile, new: "b").contains("<img"))
    }

    @Test("The comparison JSON has each changed case with both verdicts and the first difference")
    func theJSONHasTheChangedCases() throws {
        let json = ComparisonJSON.render(Self.parted, old: "monday", new: "tuesday")
        #expect(json["totals"]?["newly_failing"] == 1 && json["totals"]?["unchanged"] == 1)
        #expect(json["cases"]?.arrayValue?.count == 1)
        let only = try #require(json["cases"]?[0])
        #expect(only["change"] == "newly_failing" && only["worlds"] == ["sim"])
        #expect(only["old"]?["verdict"] == "pass" && only["new"]?["verdict"] == "fail")
        #expect(only["divergence"]?["what"]?.stringValue?.contains("user.send[early]") == true)
        #expect(json["old"]?["report"] == "monday")
    }
}
