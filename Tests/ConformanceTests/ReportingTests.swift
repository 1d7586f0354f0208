import Conformance
import Foundations
import Testing
import WebSocketWire

@Suite struct ReportingTests {
    private static let ids = ["1.1.2", "3.1", "7.7.1", "7.13.1"]
    private static let cases = Catalogue.published().filter { ids.contains($0.id.description) }

    private static let summaries = cases.map(\.summary)

    private func results(agent: String = "Echo <1>") -> [ConformanceResult] {
        Self.cases.compactMap { subject in
            var server = EchoServer()
            var rig = Rig(CaseRun.client(subject, host: "peer", path: "/", agent: agent, at: .zero))
            return rig.play(against: &server)
        }
    }

    private func failing(_ id: String) -> [ConformanceResult] {
        results().map { result in
            var result = result
            if result.id.description == id { (result.behavior, result.why) = (.failed, "it said <no> & \"left\"\u{1}") }
            return result
        }
    }

    @Test func statuses() throws {
        #expect(ConformanceReport(Self.summaries, results()).exitStatus == 0)
        #expect(ConformanceReport(Self.summaries, failing("3.1")).exitStatus == 1)
        #expect(ConformanceReport(Self.summaries, []).exitStatus == 2)
        let informational = results().filter { $0.behavior == .informational }
        #expect(!informational.isEmpty)
        #expect(ConformanceReport(Self.summaries, informational).exitStatus == 2)
        let known = try KnownFailures(parsing: "# a comment\n3.* it never looks\n\n", cases: Self.summaries.map(\.id))
        #expect(ConformanceReport(Self.summaries, failing("3.1"), known: known).exitStatus == 0)
        let healed = ConformanceReport(Self.summaries, results(), known: known)
        #expect(healed.exitStatus == 1)
        #expect(ConformanceText.render(healed).contains("line 2 of the known failures: 3.* did not fail"))
    }

    @Test func knownFailuresNameCases() {
        #expect(throws: KnownFailures.Problem(line: 2, message: "no case is called '99'")) {
            try KnownFailures(parsing: "3.1 yes\n99 no\n", cases: Self.summaries.map(\.id))
        }
    }

    @Test func indexJSON() throws {
        let index = AutobahnJSON.index(ConformanceReport(Self.summaries, results()))
        let entry = try #require(index["Echo <1>"]?["7.7.1"])
        #expect(entry["behavior"]?.stringValue == "OK")
        #expect(entry["behaviorClose"]?.stringValue == "OK")
        #expect(entry["remoteCloseCode"]?.intValue == 1000)
        #expect(entry["duration"]?.intValue != nil)
        #expect(entry["reportfile"]?.stringValue == "echo__1__case_7_7_1.json")
        #expect(index["Echo <1>"]?["7.13.1"]?["behaviorClose"]?.stringValue == "INFORMATIONAL")
    }

    @Test func pageHoldsEveryCaseAndNoMarkupOfOthers() {
        let report = ConformanceReport(Self.summaries, failing("3.1"))
        let page = ConformancePage.render(report)
        for id in Self.ids { #expect(page.contains("<code>\(id)</code>")) }
        #expect(page.contains("it said &lt;no&gt; &amp; &quot;left&quot;\u{FFFD}"))
        #expect(!page.contains("<no>") && !page.contains("Echo <1>") && !page.contains("<script"))
        // The frame that fails the case is there bit by bit: FIN, RSV3 and the text's opcode.
        #expect(
            page.contains("<span>FIN</span><span>RSV3</span><span><em>text</em></span><span>mask</span><span>13</span>")
        )
    }

    @Test func junit() {
        let xml = ConformanceJUnit.render(ConformanceReport(Self.summaries, failing("3.1")))
        #expect(xml.contains("tests=\"4\" failures=\"1\" errors=\"0\" skipped=\"1\""))
        #expect(xml.contains("<failure message=\"it said &lt;no&gt; &amp; &quot;left&quot;\u{FFFD}\">"))
    }

    @Test func addresses() throws {
        let all = Self.cases
        #expect(try ControlAddress(target: "/getCaseCount", cases: all) == .caseCount)
        #expect(
            try ControlAddress(target: "/runCase?case=2&agent=a%20b+c", cases: all)
                == .runCase(place: 2, agent: "a b c")
        )
        #expect(
            try ControlAddress(target: "/runCase?casetuple=7.7.1&agent=x", cases: all) == .runCase(place: 3, agent: "x")
        )
        #expect(try ControlAddress(target: "/getCaseInfo?case=4", cases: all) == .caseInfo(place: 4))
        #expect(
            try ControlAddress(target: "/getCaseStatus?case=1&agent=%zz", cases: all)
                == .caseStatus(place: 1, agent: "%zz")
        )
        #expect(
            try ControlAddress(target: "/updateReports?agent=x&shutdownOnComplete=true", cases: all)
                == .updateReports(shutsDown: true)
        )
        for wrong in [
            "/runCase?case=0&agent=x", "/runCase?case=5&agent=x", "/runCase?agent=x", "/runCase?case=1", "/", "/x?y",
        ] {
            #expect(throws: ControlAddress.Problem.self) { try ControlAddress(target: wrong, cases: all) }
        }
    }
}
