import Conformance
import Reports
import SquallCore
import Testing
import WebSocketWire

@Suite struct ReportingTests {
    private static let ids = ["1.1.2", "3.1", "7.7.1", "7.13.1"]
    private static let cases = ConformanceCatalogue.published().filter { ids.contains($0.id.description) }

    private static let summaries = cases.map(\.summary)

    private func results(agent: String = "Echo <1>") -> [ConformanceResult] {
        Self.cases.compactMap { testCase in
            var server = EchoServer()
            var rig = Rig(CaseRun.client(testCase, host: "peer", path: "/", agent: agent, at: .zero))
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

    @Test("The exit status distinguishes failures, known failures and cases without a verdict") func statuses() throws {
        #expect(ConformanceReport(Self.summaries, results()).exitStatus == .passed)
        #expect(ConformanceReport(Self.summaries, failing("3.1")).exitStatus == .failed)
        #expect(ConformanceReport(Self.summaries, []).exitStatus == .inconclusive)
        let informational = results().filter { $0.behavior == .informational }
        #expect(!informational.isEmpty)
        #expect(ConformanceReport(Self.summaries, informational).exitStatus == .inconclusive)
        let known = try KnownCaseFailures(
            parsing: "# a comment\n3.* it never looks\n\n",
            cases: Self.summaries.map(\.id)
        )
        #expect(ConformanceReport(Self.summaries, failing("3.1"), known: known).exitStatus == .passed)
        let healed = ConformanceReport(Self.summaries, results(), known: known)
        #expect(healed.exitStatus == .failed)
        #expect(ConformanceText.render(healed).contains("line 2 of the known failures: 3.* did not fail"))
    }

    @Test("An interrupted run is not reported as passed in any report") func aRunThatWasCutShortDoesNotPass() throws {
        let some = Array(results().prefix(2))
        let cut = ConformanceReport(Self.summaries, some, isWhole: false)
        #expect(ConformanceText.render(cut).hasPrefix("PART  Echo <1>: 2 of 4 cases, 2 passed\n"))
        // The machine-readable reports also state that the run was interrupted.
        #expect(ConformanceGitHub.render(cut).contains("::interrupted: 2 of 4 cases were played"))
        let junit = ConformanceJUnit.render(cut)
        #expect(junit.contains("tests=\"3\" failures=\"0\" errors=\"1\""))
        #expect(junit.contains("<error message=\"interrupted: 2 of 4 cases were played\"/>"))
        #expect(ConformancePage.render(cut).contains("<b class=\"informational\">interrupted</b> 2 cases"))
        #expect(cut.json["whole"] == false && cut.json["selected"] == 4)
        let failed = ConformanceReport(Self.summaries, Array(failing("3.1").prefix(2)), isWhole: false)
        #expect(ConformanceText.render(failed).hasPrefix("FAIL  Echo <1>: 2 of 4 cases, 1 passed, 1 failed\n"))
        // A run does not count as interrupted if the client requests a subset of the cases and completes that subset.
        let wanted = ConformanceReport(Self.summaries, some)
        #expect(ConformanceText.render(wanted).hasPrefix("PASS  Echo <1>: 2 of 4 cases, "))
    }

    @Test("Control characters of a peer are replaced in the text report") func controlCharacters() {
        let result = ConformanceResult.notConnected(
            Self.summaries[0].id,
            of: "a",
            testedRole: .server,
            why: "\u{9B}2J\u{1B}[m\u{202E}"
        )
        let text = ConformanceText.render(ConformanceReport(Self.summaries, [result]))
        #expect(text.contains("\u{FFFD}2J\u{FFFD}[m\u{FFFD}"))
        #expect(!text.unicodeScalars.contains { "\u{9B}\u{1B}\u{202E}".unicodeScalars.contains($0) })
    }

    @Test("The title of the conformance page names the protocol of its cases") func aPageSaysWhichProtocolItIsAbout() {
        let webSocket = ConformancePage.render(ConformanceReport(Self.summaries, results()))
        #expect(webSocket.contains("<title>WebSocket conformance</title>"))
        #expect(webSocket.contains("conforms to the RFC"))
        let cases = ChatCatalogue.cases(ChatTarget()).map(\.summary)
        let result = ConformanceResult.notConnected(cases[0].id, of: "a", testedRole: .server, why: "it was away")
        let chat = ConformancePage.render(ConformanceReport(cases, [result]))
        #expect(chat.contains("<title>Chat protocol conformance</title>"))
        #expect(chat.contains("<h1>Chat protocol conformance</h1>"))
        #expect(!chat.contains("the RFC") && !chat.contains("extension"))
    }

    private func parse(_ text: String, mayLackReasons: Bool = false) throws -> KnownCaseFailures {
        try KnownCaseFailures(parsing: text, cases: Self.summaries.map(\.id), mayLackReasons: mayLackReasons)
    }

    @Test(
        "A malformed list of known failures is refused with the line number",
        arguments: [
            ("3.1 yes\n3.9 no\n", 2, "unknown case '3.9'; 3 has 3.1 only"),
            ("# fine\n\n3.1\n", 3, "'3.1' has no reason; write after it why the failure is accepted"),
            ("3.1 ?", 1, "'3.1' has no reason; write after it why the failure is accepted"),
            ("[ ]\n3.1 x", 1, "'[]' does not name an agent"),
        ]
    )
    func wrongLists(text: String, line: Int, message: String) {
        #expect(throws: KnownCaseFailures.Problem(line: line, message: message)) { try parse(text) }
    }

    @Test("A known failure listed under an agent's name applies to that agent only")
    func knownOfAgents() throws {
        let both =
            failing("3.1")
            + results(agent: "Other/2").map { result in
                var result = result
                if result.id.description == "3.1" { result.behavior = .failed }
                return result
            }
        func failures(_ list: String) throws -> [String] {
            ConformanceReport(Self.summaries, both, known: try parse(list)).failures.map(\.agent)
        }
        #expect(try failures("[Other/2]\n3.1 issue #7") == ["Echo <1>"])
        #expect(try failures("[Other*]\r\n3.1\tx\r\n[*]\r\n1 y") == ["Echo <1>"])
        #expect(try failures("3.1 both") == [])
        // A known failure is not reported as outdated if its agent was not tested.
        let absent = ConformanceReport(Self.summaries, results(), known: try parse("[Other/2]\n3.1 issue #7"))
        #expect(absent.stale.isEmpty && absent.exitStatus == .passed)
        let stale = ConformanceReport(Self.summaries, results(), known: try parse("[Echo <1>]\n3.1 issue #7"))
        #expect(stale.stale.map(\.why) == ["issue #7"])
        #expect(ConformanceText.render(stale).contains("line 2 of the known failures: 3.1 of Echo <1> did not fail"))
        #expect(ConformanceJUnit.render(stale).contains("failures=\"1\""))
        #expect(ConformanceGitHub.render(stale).contains("::error title=known failures%2C line 2::3.1 of Echo <1>"))
    }

    @Test("Updating a list removes passed cases and adds new failures under their agent")
    func fixes() throws {
        let list = """
            # ours
            7.7.1  healed

            [Echo <1>]
            # kept
            1.*  healed too

            [Other/2]
            3.1  another's
            """
        let fixed = try parse(list).fixed(after: failing("3.1"))
        #expect(
            fixed == """
                # ours

                [Echo <1>]
                # kept
                3.1  ?

                [Other/2]
                3.1  another's

                """
        )
        #expect(throws: KnownCaseFailures.Problem.self) { try parse(fixed) }
        let report = ConformanceReport(Self.summaries, failing("3.1"), known: try parse(fixed, mayLackReasons: true))
        #expect(report.exitStatus == .passed)
        #expect(KnownCaseFailures().fixed(after: failing("3.1")) == "[Echo <1>]\n3.1  ?\n")
        #expect(KnownCaseFailures().fixed(after: results()).isEmpty)
    }

    @Test("Every report counts the skipped cases and gives the reason")
    func skipped() {
        let skipped = Self.summaries.dropFirst().map { ConformanceReport.Skipped(id: $0.id, why: "no <echo>") }
        let report = ConformanceReport(Self.summaries, Array(results().prefix(1)), skipped: Array(skipped))
        #expect(ConformanceText.render(report).contains("skipped 3 cases (3.1, 7.7.1, 7.13.1): no <echo>"))
        #expect(ConformancePage.render(report).contains("3 skipped: no &lt;echo&gt;"))
        #expect(ConformanceJUnit.render(report).contains("tests=\"4\" failures=\"0\" errors=\"0\" skipped=\"3\""))
        #expect(report.json["skipped"]?.arrayValue?.count == 3)
        #expect(ConformanceGitHub.render(report) == "1 case, 0 failed, 3 skipped")
    }

    @Test("The JSON index has the fields of the published suite") func indexJSON() throws {
        let index = AutobahnJSON.index(ConformanceReport(Self.summaries, results()))
        let entry = try #require(index["Echo <1>"]?["7.7.1"])
        #expect(entry["behavior"]?.stringValue == "OK")
        #expect(entry["behaviorClose"]?.stringValue == "OK")
        #expect(entry["remoteCloseCode"]?.intValue == 1000)
        #expect(entry["duration"]?.intValue != nil)
        #expect(entry["reportfile"]?.stringValue == "echo__1__case_7_7_1.json")
        #expect(index["Echo <1>"]?["7.13.1"]?["behaviorClose"]?.stringValue == "INFORMATIONAL")
        let report = ConformanceReport(Self.summaries, results())
        let detail = AutobahnJSON.detail(report.results[0], report)
        #expect(detail["httpRequest"]?.stringValue?.hasPrefix("GET / HTTP/1.1\r\n") == true)
        #expect(detail["httpResponse"]?.stringValue?.hasPrefix("HTTP/1.1 101 ") == true)
        #expect(detail["wasNotCleanReason"] == .null)
    }

    @Test("Agents with similar names have distinct files and anchors")
    func names() {
        let agents = ["a.b", "A-b", "a b_2", "a_b"]
        let report = ConformanceReport(Self.summaries, agents.flatMap { results(agent: $0) })
        #expect(
            agents.map { AutobahnJSON.index(report)[$0]?["3.1"]?["reportfile"]?.stringValue } == [
                "a_b_case_3_1.json", "a_b_2_case_3_1.json", "a_b_2_2_case_3_1.json", "a_b_3_case_3_1.json",
            ]
        )
        #expect(Set(report.results.map { AutobahnJSON.fileName($0, report) }).count == report.results.count)
        #expect(ConformancePage.render(report).contains("<details id=\"a_b_2_case_3_1\""))
    }

    @Test("The conformance page contains every case and escapes text from peers")
    func pageHoldsEveryCaseAndNoMarkupOfOthers() {
        let report = ConformanceReport(Self.summaries, failing("3.1"))
        let page = ConformancePage.render(report)
        for id in Self.ids { #expect(page.contains("<code>\(id)</code>")) }
        #expect(page.contains("it said &lt;no&gt; &amp; &quot;left&quot;\u{FFFD}"))
        #expect(!page.contains("<no>") && !page.contains("Echo <1>") && !page.contains("<script"))
        // The page displays the header fields of the offending frame: FIN, RSV3 and the text opcode.
        #expect(
            page.contains("<span>FIN</span><span>RSV3</span><span><em>text</em></span><span>mask</span><span>13</span>")
        )
    }

    @Test("The JUnit report counts failures and escapes their messages") func junit() {
        let xml = ConformanceJUnit.render(ConformanceReport(Self.summaries, failing("3.1")))
        #expect(xml.contains("tests=\"4\" failures=\"1\" errors=\"0\" skipped=\"1\""))
        #expect(xml.contains("<failure message=\"it said &lt;no&gt; &amp; &quot;left&quot;\u{FFFD}\">"))
    }

    @Test("A control URL is parsed into the request that it stands for") func addresses() throws {
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

@Suite struct AgentNameTests {
    @Test(
        "Line breaks and wildcards are removed from an agent's name",
        arguments: [
            ("a\r\nb", "ab"), (" b ", "b"), ("aiohttp*", "aiohttp"), ("x \u{2028}* ", "x"), ("*", ""),
            ("a/1 (é)", "a/1 (é)"),
        ]
    )
    func areLinesOfTheirOwn(name: String, cleaned: String) {
        #expect(AgentName.cleaned(name) == cleaned)
    }

    @Test("The agent name in a control URL is cleaned, and an empty name is refused")
    func areCleanedWhereTheyComeIn() throws {
        let address = try ControlAddress(
            target: "/runCase?case=1&agent=+a%0D%0Ab*",
            cases: ConformanceCatalogue.cases()
        )
        #expect(address == .runCase(place: 1, agent: "ab"))
        #expect(throws: ControlAddress.Problem.self) {
            try ControlAddress(target: "/runCase?case=1&agent=%0A", cases: ConformanceCatalogue.cases())
        }
    }

    @Test("A GitHub annotation is put on a single line") func annotationsAreOneLine() throws {
        let result = ConformanceResult.notConnected(
            ConformanceCatalogue.cases()[0].id,
            of: "a",
            testedRole: .client,
            why: "one\r\ntwo"
        )
        let text = ConformanceGitHub.render(ConformanceReport(ConformanceCatalogue.cases().map(\.summary), [result]))
        #expect(text.contains("one%0Atwo"), "\(text)")
    }
}
