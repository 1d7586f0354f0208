import ScenarioModel
import SquallCore
import Testing
import Trace

@testable import Reports

/// Tests the Markdown description of a failure, which users copy from the page into an issue and job summaries show.
@Suite struct IssueTextTests {
    @Test("Durations have no digits below a millisecond, unless they are short")
    func durations() {
        func said(_ nanoseconds: Int64) -> String {
            let fields: JSON = ["attempt": 1, "delay": .integer(nanoseconds)]
            return EventWords(
                TraceEvent(
                    index: 0,
                    time: .zero,
                    client: .only,
                    observation: .happened("client.backoff.began", fields, by: .reported)
                )
            ).said
        }
        #expect(said(1_062_266_513) == "attempt 1, delay 1.062s")
        #expect(said(2_000_000_000) == "attempt 1, delay 2s")
        #expect(said(1_500_000) == "attempt 1, delay 1.5ms")
        #expect(said(.min).hasPrefix("attempt 1, delay -92233720"))
    }

    @Test("No issue text is created for a passing run")
    func aPassingRunHasNone() {
        #expect(IssueText(Samples.passing) == nil)
    }

    @Test("The issue text has the cause, the context, the replay command and the events around the cause")
    func theTextHasTheCause() throws {
        let text = try #require(IssueText(Samples.halfOpen)).markdown
        #expect(text.hasPrefix("**FAIL** The link goes half-open while a message is sent\n\nleads_to ("), "\(text)")
        #expect(text.contains("connection.state was connected from 12.400 to 47.400"), "\(text)")
        #expect(text.contains("- last fault: half_open (tunnel) from 12.400"), "\(text)")
        #expect(text.contains("--seed 42 --defect ignores_missing_pong"), "\(text)")
        #expect(text.contains("    12.400  fault.began[tunnel]  fault half_open"), "\(text)")
        #expect(!text.contains(" 0.000  connection.state"), "the first values are left out: \(text)")
    }

    @Test("The diagram of the issue text shows delivered frames and lost frames")
    func theDiagramHasFrames() throws {
        let diagram = try #require(IssueText(Samples.halfOpen)).diagram
        #expect(diagram.hasPrefix("```mermaid\nsequenceDiagram\n  participant U as User and device\n"))
        #expect(diagram.contains("  S->>C: pong"), "\(diagram)")
        #expect(diagram.contains("  C-xN: send[second]"), "\(diagram)")
        #expect(diagram.contains("  S-xN: message[m43]"), "\(diagram)")
        #expect(diagram.contains("  Note over N: 12.400 fault.began[tunnel] fault half_open"), "\(diagram)")
        #expect(diagram.split(separator: "\n").count < 50)
    }

    @Test("A violation without an event, such as one at the end of the run, is in the issue text and its diagram")
    func theViolationIsMarked() throws {
        let half = try #require(IssueText(Samples.halfOpen))
        let claim = "FAIL leads_to: connection.state was connected from 12.400 to 47.400"
        let note = "  Note over C,S: 47.400 \(claim)"
        #expect(half.markdown.contains("\n    47.400  \(claim)\n"), "\(half.markdown)")
        let lines = half.diagram.split(separator: "\n").map(String.init)
        let place = try #require(lines.firstIndex(of: note), "\(half.diagram)")
        // The violation is listed between the lost ping and the end of the fault.
        #expect(lines[..<place].contains { $0.contains("C-xN: ping") })
        #expect(lines[place...].contains { $0.contains("fault.ended") })
        var run = Samples.passing
        run.verdict = .fail
        let why = "a message of stukov was accepted and is neither shown nor stored; expected one of both"
        run.expectations = [Samples.part(1, "invariant accepted_never_lost", .fail, why)]
        let diagram = try #require(IssueText(run)).diagram
        let end = "\(run.recording.end) FAIL invariant accepted_never_lost: a message of stukov was accepted"
        #expect(diagram.split(separator: "\n").suffix(2).first?.contains(end) == true, "\(diagram)")
        let suite = SuiteResult(cases: [CaseReport(runs: [run])], wall: .zero)
        #expect(JobSummary.render(suite).contains("Note over C,S: \(end)"))
    }

    @Test("The excerpt has the frames of the message first, and values that the expectation does not name last")
    func theFramesOfTheMessageAreShown() throws {
        var trace = TraceSketch()
        trace.connect()
        trace.wait(60_000)
        trace.up("send", "hello", lost: true)
        let shown = trace.shows("message.status", "hello", "delivered")
        trace.shows("message.timestamp", "hello", 1_767_225_600_001)
        for item in 0..<60 { trace.changes("view.suggestions", "stukov", .inserted(at: item, "text")) }
        trace.wait(30_000)
        trace.happened("user.close", nil)
        var run = Samples.result(
            trace.recording(file: "x.yaml"),
            [Samples.part(1, "invariant accepted_never_lost", .fail, "it was not stored", evidence: [shown])],
            .fail
        )
        var text = try #require(IssueText(run)).markdown
        #expect(text.contains("  client.sent.send[hello]"), "\(text)")
        #expect(text.contains("  message.status[hello]  delivered"), "\(text)")
        #expect(text.components(of: "view.suggestions") < 12, "\(text)")
        // The evidence may also be a value that appears long after the frame.
        run.expectations[0].evidence = [shown + 1]
        text = try #require(IssueText(run)).markdown
        #expect(text.contains("  message.timestamp[hello]  2026-01-01 00:00:00.001"), "\(text)")
        #expect(text.contains("  client.sent.send[hello]"), "\(text)")
    }

    @Test("No string from a run can end a line of the diagram or its code block")
    func hostileTextsStayInTheirLines() throws {
        let issue = try #require(IssueText(Samples.hostileSuite.runs[0]))
        #expect(!issue.diagram.contains(";") && !issue.diagram.contains("<") && !issue.diagram.contains("#"))
        #expect(issue.diagram.components(of: "```") == 2)
        #expect(!issue.markdown.contains("\u{1B}"))
    }

    @Test("The job summary contains the diagram of the first failure only")
    func theSummaryHasADiagram() {
        let summary = JobSummary.render(Samples.suite)
        #expect(summary.components(of: "```mermaid") == 1, "\(summary)")
        #expect(summary.contains("\n\n```mermaid\nsequenceDiagram\n"), "\(summary)")
        #expect(JobSummary.render(SuiteResult(cases: [], wall: .zero)).contains("mermaid") == false)
    }

    @Test("For a client in its own process, the text says that writes in a stall have the time of the stall's end")
    func theDatesOfAStallAreDoubted() throws {
        var trace = TraceSketch()
        trace.connect()
        trace.wait(1_000)
        trace.happened("fault.began", "slow", ["fault": "stall"], of: nil)
        trace.wait(5_000)
        let shown = trace.shows("message.status", "hello", "failed")
        var run = Samples.result(
            trace.recording(file: "x.yaml"),
            [
                Samples.part(3, "never", .fail, "it came to be", evidence: [shown])
            ],
            .fail
        )
        #expect(CauseLine(of: run)?.sentence.contains("at which the stall ended") == false)
        run.recording.header.client = ["name": "mine"]
        #expect(CauseLine(of: run)?.sentence.contains("at which the stall ended and they were read") == true)
    }
}

extension String {
    /// Returns the number of occurrences of `text`.
    fileprivate func components(of text: String) -> Int { ranges(of: text).count }
}
