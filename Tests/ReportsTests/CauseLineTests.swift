import ScenarioModel
import SquallCore
import TemporalLogic
import Testing
import Trace

@testable import Reports

@Suite struct CauseLineTests {
    @Test("A passing run has no cause line")
    func aPassingRunHasNone() {
        #expect(CauseLine(of: Samples.passing) == nil)
    }

    @Test("The cause line names the expectation, its deadline, the last fault and the last frames")
    func itNamesTheDeadlineTheFaultAndTheLastFrames() throws {
        let run = Samples.halfOpen
        let cause = try #require(CauseLine(of: run))
        let part = run.expectations[cause.expectation]
        #expect(cause.sentence.hasPrefix("\(part.word): \(part.why ?? "")"))
        #expect(cause.sentence.contains(", by 47.400"))
        #expect(cause.sentence.contains(". Last fault: half_open"))
        #expect(cause.sentence.contains(". Last sent: "))
        #expect(cause.sentence.contains(". Last received: pong"))
        #expect(cause.located(in: run).hasPrefix("\(part.location): "))
    }

    @Test("All reports contain the same cause line")
    func everyReportHasTheSameSentence() throws {
        let suite = SuiteResult(cases: [CaseReport(runs: [Samples.halfOpen], parity: nil)], wall: .zero)
        let sentence = try #require(CauseLine(of: Samples.halfOpen)).sentence
        #expect(TerminalReport(colour: false).render(suite).contains(sentence))
        #expect(JUnitReport.render(suite).contains(SanitizedText(sentence).markup))
        #expect(
            ResultsJSON.render(suite)["scenarios"]?.arrayValue?.first?["cause"]?.stringValue?.hasSuffix(sentence)
                == true
        )
        #expect(GitHubReport.render(suite).contains(sentence.split(separator: "%").first ?? "?"))
    }

    private func part(_ line: Int, _ verdict: CaseVerdict, by due: Instant) -> ExpectationResult {
        ExpectationResult(
            location: SquallCore.SourceLocation(file: "a.yaml", line: line, column: 1),
            word: "eventually",
            covers: [],
            verdict: verdict,
            why: "it did not come",
            evidence: [],
            expectedBy: due
        )
    }

    @Test("The earliest violation is the cause, and later ones before the next action are listed as its consequences")
    func theFirstViolationInTimeIsTheCause() throws {
        var trace = TraceSketch()
        trace.happened("fault.began", "tunnel", ["fault": "stall"], of: nil)
        trace.wait(100)
        trace.happened("server.stop", nil, of: nil, by: .injected)
        trace.wait(100)
        var run = Samples.passing
        run.verdict = .fail
        run.recording = Recording(header: run.recording.header, events: trace.recorder.events, end: .zero + .seconds(1))
        run.expectations = [
            part(3, .fail, by: .zero + .milliseconds(150)), part(2, .fail, by: .zero + .milliseconds(20)),
            part(1, .inconclusive, by: .zero + .milliseconds(60)), part(4, .pass, by: .zero),
        ]
        let cause = try #require(CauseLine(of: run))
        #expect(cause.expectation == 1, "the first in time, not in the file")
        #expect(cause.followers == [2], "the server was stopped before the other")
    }

    @Test("Errors in scenario files become GitHub annotations at their lines")
    func wrongFilesAreAnnotatedBesideTheirLines() {
        let told = """
            a/b.yaml:3:12: error: there is no 'x', or 50% of it
             3 |   - never: x
               |            ^
               = help: did you mean 'y'?

            c.yaml:1:1: error: this file is empty
            """
        #expect(
            GitHubReport.annotations(of: told) == """
                ::error file=a/b.yaml,line=3,col=12::there is no 'x', or 50%25 of it
                ::error file=c.yaml,line=1,col=1::this file is empty
                """
        )
        #expect(GitHubReport.annotations(of: "squall: there is no file 'x'").isEmpty)
    }
}
