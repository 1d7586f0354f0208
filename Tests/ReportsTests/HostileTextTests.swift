import ScenarioModel
import SquallCore
import TemporalLogic
import Testing

@testable import Reports

/// Tests that strings from scenarios, clients and servers are not interpreted by a terminal, by GitHub or as XML
/// markup.
@Suite struct HostileTextTests {
    private static let name = "dup\n::error::injected\r\n\u{1B}[2J##[add-mask]x"

    private static var suite: SuiteResult {
        var run = Samples.halfOpen
        run.name = name
        run.expectations[0].name = name
        run.expectations[0].why = "\(name) was due"
        return SuiteResult(cases: [CaseReport(runs: [run], parity: .scheduleDependent(name))], wall: .zero)
    }

    @Test("A hostile string is shown in a terminal without its control characters")
    func aTerminalGetsNoControlCharacters() {
        let text = TerminalReport(colour: false).render(Self.suite)
        #expect(!text.contains("\u{1B}") && !text.contains("\r"))
        #expect(!text.split(separator: "\n").contains { $0.hasPrefix("::") }, "\(text)")
        #expect(text.contains("FAIL dup ::error::injected \u{FFFD}[2J##[add-mask]x  sim"), "\(text)")
        let story = TerminalReport(colour: false).story(of: Self.suite.runs[0])
        #expect(!story.contains("\u{1B}") && !story.contains("\n::"), "\(story)")
    }

    @Test("A coloured report contains no escape sequences except those of Squall")
    func aColouredReportHoldsNoColoursButItsOwn() {
        let text = TerminalReport(colour: true).render(Self.suite)
        let head = "\u{1B}[1;31mFAIL\u{1B}[0m  1 of 1 run failed (1 of 1 case) in sim\n"
        #expect(text.hasPrefix(head), "\(text.prefix(80))")
        #expect(!text.contains("\u{1B}[2J"))
    }

    @Test("A hostile string adds no workflow command to GitHub's log")
    func gitHubGetsNoInjectedCommands() {
        let text = GitHubReport.render(Self.suite)
        let commands = text.split(separator: "\n").filter { $0.drop { $0.isWhitespace }.hasPrefix("::") }
        #expect(commands.count == 1, "one a case: \(commands)")
        #expect(commands.allSatisfy { $0.hasPrefix("::error file=Scenarios/") })
        #expect(commands.allSatisfy { $0.contains(",title=dup %3A%3Aerror%3A%3Ainjected \u{FFFD}[2J##[add-mask]x::") })
        #expect(!text.split(separator: "\n").contains { !$0.hasPrefix("::") && $0.contains("##[") }, "\(text)")
        let mistakes = "a.yaml:2:1: error: 100%\u{301}\ra\nb.yaml:3:4: error: two"
        #expect(
            GitHubReport.annotations(of: mistakes)
                == "::error file=a.yaml,line=2,col=1::100%25\u{301}\n::error file=b.yaml,line=3,col=4::two"
        )
    }

    @Test("A hostile string appears as plain text in JUnit XML")
    func junitHoldsItAsText() {
        let xml = JUnitReport.render(Self.suite)
        #expect(xml.contains("name=\"dup ::error::injected \u{FFFD}[2J##[add-mask]x [sim]\""), "\(xml)")
        #expect(!xml.contains("\u{1B}") && !xml.contains("\r"))
    }
}
