import ScenarioModel
import SquallCore
import Testing
import Trace

@testable import Reports

@Suite struct FaultSpanTests {
    @Test("A fault lasts from its beginning to its end")
    func aFaultLastsFromItsBeginningToItsEnd() {
        var trace = TraceSketch()
        trace.happened("fault.began", "tunnel", ["fault": "half_open"], of: nil)
        trace.wait(10)
        trace.happened("fault.began", "slow", ["fault": "latency"], of: nil)
        trace.happened("fault.ended", "tunnel", ["fault": "half_open"], of: nil)
        trace.happened("fault.began", "third", ["fault": "stall"], of: nil)
        let spans = FaultSpans.find(in: trace.recorder.events)
        #expect(spans.map(\.label) == ["tunnel", "slow", "third"])
        #expect(spans.map(\.fault) == ["half_open", "latency", "stall"])
        #expect(spans.map(\.ended) == [2, nil, nil])
        // The third fault reuses the column of the first, which has ended.
        #expect(spans.map(\.depth) == [0, 1, 0])
    }

    @Test("The end of a fault without its beginning is ignored")
    func anEndWithoutABeginningIsIgnored() {
        var trace = TraceSketch()
        trace.happened("fault.ended", "tunnel", of: nil)
        #expect(FaultSpans.find(in: trace.recorder.events).isEmpty)
    }
}

@Suite struct StateRibbonTests {
    @Test("Consecutive equal values of an observable are merged in its ribbon")
    func repeatsAreMerged() {
        var trace = TraceSketch()
        for state in ["connecting", "connected", "connected", "reconnecting"] {
            trace.wait(1)
            trace.shows("connection.state", nil, .string(state))
        }
        let ribbons = StateRibbons(trace.recorder.events, evidence: [])
        #expect(ribbons.ribbons.count == 1)
        #expect(ribbons.ribbons.first?.steps.map(\.value) == ["connecting", "connected", "reconnecting"])
        #expect(ribbons.ribbons.first?.steps.map(\.time.description) == ["0.001", "0.002", "0.004"])
    }

    @Test("An observable that an expectation uses as evidence also has a ribbon")
    func evidenceIsDrawnToo() {
        var trace = TraceSketch()
        trace.shows("outbox.count", nil, 1)
        let evidence = trace.shows("toast.text", nil, "Reconnected.")
        trace.shows("banner.kind", nil, nil)
        let ribbons = StateRibbons(trace.recorder.events, evidence: [evidence])
        #expect(ribbons.ribbons.map(\.name) == ["toast.text"])
    }

    @Test("If a run has too many messages, those with evidence are drawn first")
    func messagesWithEvidenceAreDrawnFirst() {
        var trace = TraceSketch()
        for number in 0..<20 { trace.shows("message.status", "m\(number)", "sending") }
        let ribbons = StateRibbons(trace.recorder.events, evidence: [15])
        #expect(ribbons.ribbons.count == StateRibbons.limitPerName)
        #expect(ribbons.ribbons.first?.key == "m15")
        #expect(ribbons.leftOut == 20 - StateRibbons.limitPerName)
    }

    @Test("If a run has too many messages, undelivered ones are drawn before delivered ones")
    func aMessageThatCameThroughGivesWayToOneThatDidNot() {
        var trace = TraceSketch()
        for number in 0..<10 { trace.shows("message.status", "m\(number)", "sending") }
        for number in 0..<9 { trace.shows("message.status", "m\(number)", "delivered") }
        let ribbons = StateRibbons(trace.recorder.events, evidence: [])
        #expect(ribbons.ribbons.first?.key == "m9")
        #expect(ribbons.ribbons.last?.key == "m4")
    }
}

@Suite struct EventSelectionTests {
    private static let events = Samples.long(messages: 300).recording.events

    @Test("If the events are within the limit, all are kept")
    func fewEventsAreAllKept() {
        let selection = EventSelection(Self.events, limit: Self.events.count, pivot: nil, evidence: [])
        #expect(selection.places == Array(Self.events.indices))
    }

    @Test("Evidence, faults and connection states are kept before all other events")
    func evidenceAndWeatherOutliveEverythingElse() {
        let listEdit = Self.events.indices.first { index in
            if case .inserted = Self.events[index].observation.change { true } else { false }
        }
        let selection = EventSelection(Self.events, limit: 400, pivot: 900, evidence: [listEdit ?? -1])
        #expect(selection.places.count == 400)
        #expect(selection.places == selection.places.sorted())
        #expect(listEdit.map(selection.places.contains) == true)
        let names = selection.places.map { Self.events[$0].name }
        #expect(names.contains("fault.began") && names.contains("fault.ended") && names.contains("connection.state"))
    }

    @Test("Among events of the same kind, the ones nearest to the divergence are kept")
    func ofOneKindTheNearestToTheDivergenceAreKept() {
        let selection = EventSelection(Self.events, limit: 500, pivot: 1_500, evidence: [])
        let frames = selection.places.filter { Self.events[$0].name.hasPrefix("client.sent.") }
        let left = Self.events.indices.filter { Self.events[$0].name.hasPrefix("client.sent.") && !frames.contains($0) }
        let farthest = frames.map { abs($0 - 1_500) }.max() ?? 0
        #expect(!frames.isEmpty && !left.isEmpty)
        #expect(left.allSatisfy { abs($0 - 1_500) >= farthest })
    }
}

@Suite struct DivergenceTests {
    private func divergence(of run: CaseResult) -> Divergence? {
        Divergence(of: run, faults: FaultSpans.find(in: run.recording.events))
    }

    @Test("A passing run has no divergence")
    func aPassingRunHasNone() {
        #expect(divergence(of: Samples.passing) == nil)
    }

    @Test("The divergence of an expectation with a deadline is at the deadline")
    func theDivergenceIsTheDeadline() throws {
        let run = Samples.halfOpen
        let found = try #require(divergence(of: run))
        #expect(found.isDeadline)
        #expect(found.time.description == "47.400")
        #expect(found.event == nil)
        #expect(found.fault == 0)
        let events = run.recording.events
        #expect(found.received.map { events[$0].name } == "client.received.pong")
        #expect(found.received.map { events[$0].time.description } == "12.391")
        #expect(found.sent.map { events[$0].name } == "client.sent.ping")
    }

    @Test("The divergence of an expectation without a deadline is at the last event of its evidence")
    func withoutADeadlineItIsTheEvidence() throws {
        var run = Samples.halfOpen
        run.expectations[0].expectedBy = nil
        let found = try #require(divergence(of: run))
        #expect(!found.isDeadline)
        #expect(found.event == run.expectations[0].evidence.last)
    }

    /// Evidence may come from a saved trace that was truncated afterwards.
    @Test("Evidence that refers to events outside the trace is ignored")
    func evidenceOutsideTheTraceIsIgnored() throws {
        var run = Samples.halfOpen
        run.expectations[0].expectedBy = nil
        run.expectations[0].evidence = [999_999, -3]
        run.expectations.removeSubrange(1...)
        let found = try #require(divergence(of: run))
        #expect(found.event == nil)
        #expect(found.time == run.recording.end)
    }
}

@Suite struct ReplayCommandTests {
    @Test("The replay command contains the world, the seed and the defects")
    func namesWorldSeedAndDefects() {
        let command = ReplayCommand.of(Samples.halfOpen, command: "squall run")
        #expect(
            command
                == "squall run Scenarios/silence/half-open-while-sending.yaml --world sim --seed 42 "
                + "--defect ignores_missing_pong"
        )
    }

    @Test(
        "The replay command quotes characters that a shell would interpret",
        arguments: [
            ("a b.yaml", "'a b.yaml'"), ("it's.yaml", "'it'\\''s.yaml'"), ("$(rm -rf .).yaml", "'$(rm -rf .).yaml'"),
            ("", "''"),
            ("plain/one-2.yaml", "plain/one-2.yaml"),
        ]
    )
    func shellSyntaxIsQuoted(file: String, word: String) {
        var run = Samples.passing
        run.file = file
        #expect(ReplayCommand.of(run, command: "squall run") == "squall run \(word) --world sim --seed 42")
    }
}
