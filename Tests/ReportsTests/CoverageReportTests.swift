import Reports
import ScenarioModel
import SquallCore
import TemporalLogic
import Testing

/// Tests coverage reports as text, JSON and Markdown.
@Suite struct CoverageReportTests {
    private let place = SourceLocation(file: "drop.yaml", line: 9, column: 5)

    private var result: CoverageResult {
        let proven = AuditRow(id: "UX-2.2h", title: "Stored once", audit: "chat-ux", area: "connection")
        let unproven = AuditRow(
            id: "UX-2.6a",
            title: "A word in time | at last",
            audit: "chat-ux",
            area: "connection",
            asserts: [.number(61), .text("Slow down.")],
            defects: ["swallowServerError"]
        )
        let tested = AuditRow(id: "WS-3d", title: "Answers pings", audit: "voice", area: "reconnection")
        let paper = AuditRow(
            id: "WS-M2",
            title: "Lines",
            audit: "voice",
            area: "process",
            checkability: .no(because: "documentation")
        )
        return CoverageResult(
            rows: [
                RowStatus(row: proven, status: .proven, coveredAt: [place], kill: .elsewhere),
                RowStatus(row: unproven, status: .unproven([.notCovered]), coveredAt: []),
                RowStatus(row: tested, status: .tested(by: "FakeServerTests/pings"), coveredAt: []),
                RowStatus(row: paper, status: .untestable(because: "documentation"), coveredAt: []),
            ],
            defects: [
                DefectStatus(name: "noAck", rows: ["WS-4d"], fate: .killed(by: ["drop.yaml"])),
                DefectStatus(name: "noJitter", rows: ["WS-1b"], fate: .survives(tried: 0)),
                DefectStatus(name: "noFloor", rows: ["WS-1c"], fate: .notBuilt),
            ],
            unprovable: [CoverageResult.Weak(location: place, word: "count", title: "A drop", covers: ["WS-1a"])],
            worlds: [.sim, .live],
            cases: 12
        )
    }

    @Test("The coverage text is wrapped to a narrow terminal without losing a word")
    func aNarrowTerminalLosesNothing() {
        let text = CoverageText(colour: false, width: 60).render(result)
        #expect(
            text.hasPrefix(
                """
                COVERAGE
                  1 of 3 testable rows proven, 1 proven by unit tests; 1 of
                  2 defects killed, 1 not built  (12 cases in sim and live)

                """
            ),
            "\(text)"
        )
        func words(_ text: String) -> [Substring] { text.split { $0 == " " || $0 == "\n" } }
        #expect(words(text) == words(CoverageText(colour: false).render(result)))
    }

    @Test("The coverage text lists every unproven row and surviving defect")
    func textListsEverythingThatIsMissing() {
        let text = CoverageText(colour: false).render(result)
        #expect(
            text == """
                COVERAGE  1 of 3 testable rows proven, 1 proven by unit tests; 1 of 2 defects killed, 1 not built  (12 cases in sim and live)

                  chat-ux connection  1 of 2
                  voice reconnection  1 of 1

                proven rows, by what fails with a planted defect
                  another part of the scenario              1  UX-2.2h

                unproven rows
                  UX-2.6a  A word in time | at last
                      no expectation covers it
                      must fail with swallowServerError
                      must check 61, "Slow down."

                proven by a unit test, not by a scenario
                  WS-3d  Answers pings  FakeServerTests/pings

                surviving defects
                  noJitter  WS-1b; no scenario covers its rows

                defects not built
                  noFloor  WS-1c

                expectations that prove nothing
                  drop.yaml:9:5  count  A drop

                not testable
                  WS-M2  Lines  documentation
                """
        )
    }

    @Test("The coverage JSON lists unproven rows, surviving defects and expectations that cannot fail")
    func jsonHasTheRowsThatAreMissing() {
        let json = CoverageJSON.render(result)
        #expect(json["rows"]?["proven"] == 1)
        #expect(json["rows"]?["unproven"]?.arrayValue?.first?["id"] == "UX-2.6a")
        #expect(json["rows"]?["killed"]?["elsewhere"] == ["UX-2.2h"])
        #expect(json["rows"]?["killed"]?["own_line"] == [])
        #expect(json["defects"]?["total"] == 2)
        #expect(json["defects"]?["survivors"] == ["noJitter"])
        #expect(json["unprovable_expectations"]?.arrayValue?.first?["line"] == 9)
    }

    @Test("The coverage Markdown escapes table cells and keeps each table intact")
    func markdownKeepsItsTablesWhole() {
        let page = CoverageMarkdown.render(result)
        #expect(
            page.contains(
                """
                ## chat-ux

                | row | states | is | by | fails with a defect |
                |---|---|---|---|---|
                | UX-2.2h | Stored once | proven | drop.yaml:9 | another part of the scenario |
                """
            )
        )
        #expect(page.contains("| UX-2.6a | A word in time \\| at last | **unproven** | no expectation covers it |  |"))
        #expect(page.contains("| WS-M2 | Lines | not testable | documentation |  |"))
        #expect(page.contains("## Surviving defects\n\n| defect | rows |\n|---|---|\n| noJitter | WS-1b |"))
    }
}
