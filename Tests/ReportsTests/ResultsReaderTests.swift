import ScenarioModel
import SquallCore
import TemporalLogic
import TestSupport
import Testing
import Trace

@testable import Reports

/// Tests that results survive being written and read back, because `squall merge` renders results that it has read.
@Suite struct ResultsReaderTests {
    private struct NoTrace: Error {}

    static var origin: SuiteOrigin {
        var origin = SuiteOrigin(
            version: "1.2.3",
            suite: "00ff",
            cases: 4,
            seed: Seed(.max),
            times: 2,
            worlds: [.sim, .live],
            client: "reference",
            profile: nil,
            defects: ["noHeartbeat"],
            part: SuiteOrigin.Part(index: 2, count: 3),
            command: "squall run 'a b'",
            date: "2026-01-02T03:04:05Z",
            commit: "abc"
        )
        origin.host = "runner-2"
        return origin
    }

    private static var suite: SuiteResult {
        var suite = Samples.suite
        suite.origin = origin
        suite.leftOut = ["A case"]
        suite.unplayed = 2
        var stale = Samples.part(3, "known failure", .fail, "there is no file 'x'")
        stale.location.file = "known.yaml"
        suite.staleKnownFailures = [stale]
        suite.cases[3].runs[1].plays = 3
        suite.cases[3].runs[1].knownReason = "slow on purpose"
        if let failed = suite.cases[3].runs[0].expectations.firstIndex(where: { $0.verdict == .fail }) {
            suite.cases[3].runs[0].expectations[failed].seen = Self.seen
        }
        suite.cases[3].runs[1].clientOptions = ["--client", "./mine"]
        return suite
    }

    private static let seen = [
        ObservedValue(subject: "banner.text", text: "null", since: .zero, event: 0),
        ObservedValue(
            subject: "banner.text",
            text: "\"Offline\"",
            since: .zero + .seconds(5),
            event: 2,
            isNearest: true
        ),
        ObservedValue(subject: "banner.kind", text: "null", since: .zero, event: 1),
    ]

    private static func read(_ suite: SuiteResult) throws -> SuiteResult {
        let text = ResultsJSON.render(suite).encodePretty()
        return try ResultsReader(try JSON.decode(text)).suite { run in
            let original = suite.runs.first { $0.title == run.title && $0.world == run.world && $0.file == run.file }
            guard let original else { throw NoTrace() }
            run.add(original.recording)
        }
    }

    @Test("results keep their runs, totals and origin when they are written and read")
    func resultsAreReadAsTheyWereWritten() throws {
        let suite = Self.suite
        let again = try Self.read(suite)
        #expect(again.origin == suite.origin)
        #expect(again.runs.count == suite.runs.count && again.cases.count == suite.cases.count)
        #expect(again.cases.map(\.parity) == suite.cases.map(\.parity))
        #expect(again.runs.map(\.expectations) == suite.runs.map(\.expectations))
        #expect(again.staleKnownFailures == suite.staleKnownFailures)
        #expect(ResultsJSON.render(again).encodePretty() == ResultsJSON.render(suite).encodePretty())
    }

    @Test("the HTML, JUnit and text reports are the same after the results are written and read")
    func reportsOfReadResultsAreTheSame() throws {
        let suite = Self.suite
        let again = try Self.read(suite)
        #expect(HTMLReport.render(again, sources: [:]) == HTMLReport.render(suite, sources: [:]))
        #expect(JUnitReport.render(again) == JUnitReport.render(suite))
        #expect(TerminalReport(colour: false).render(again) == TerminalReport(colour: false).render(suite))
    }

    @Test("a report line shows the successive values of an observable, with the nearest one marked")
    func valuesAreALine() {
        var part = Samples.part(3, "eventually", .fail, "banner.text was null")
        part.seen = Self.seen
        #expect(part.observedText == "banner.text was null from 0.000, \"Offline\" from 5.000 (nearest)")
        part.seen = (0..<20).map { number in
            ObservedValue(
                subject: "n",
                text: "\(number)",
                since: .zero + .seconds(Int64(number)),
                event: number,
                isNearest: number == 15
            )
        }
        let line = part.observedText ?? ""
        #expect(line.hasPrefix("n was 0 from 0.000, 1 from 1.000, "))
        #expect(line.hasSuffix("5 from 5.000, 15 from 15.000 (nearest), 19 from 19.000 and 12 more"))
        part.seen = [part.seen[0]]
        #expect(part.observedText == nil)
    }

    @Test("results with a missing or invalid field are refused, and the error names the field")
    func malformedResultsAreRefused() throws {
        let text = String(decoding: ResultsJSON.render(Self.suite).encode(), as: UTF8.self)
        for (field, wrong) in [("virtual_ns", "virtual"), ("digest", "digset"), ("clock", "watch")] {
            let reader = try ResultsReader(
                try JSON.decode(text.split(separator: "\"\(field)\"").joined(separator: "\"\(wrong)\""))
            )
            let error = #expect(throws: ResultsReader.Malformed.self) { try reader.suite { _ in } }
            #expect(error?.field == field)
        }
        #expect(throws: ResultsReader.Malformed.self) { try ResultsReader(["schema": 2, "scenarios": []]) }
    }
}
