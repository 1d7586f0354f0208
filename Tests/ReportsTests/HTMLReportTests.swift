import Foundation
import ScenarioModel
import SquallCore
import Testing
import Trace

@testable import Reports

@Suite struct HTMLReportTests {
    private static let page = HTMLReport.render(Samples.suite, sources: Samples.sources)

    // MARK: - The page

    @Test("The content security policy allows only the report's own script and style")
    func thePolicyAdmitsItsOwnScriptAndStyleOnly() throws {
        let page = Self.page
        let style = try #require(page.range(of: "<style>"))
        let styleEnd = try #require(page.range(of: "</style>"))
        let script = try #require(page.range(of: "<script>"))
        let scriptEnd = try #require(page.range(of: "</script>", range: script.upperBound..<page.endIndex))
        let styleSource = SHA256.source(of: Array(page[style.upperBound..<styleEnd.lowerBound].utf8))
        let scriptSource = SHA256.source(of: Array(page[script.upperBound..<scriptEnd.lowerBound].utf8))
        let policy = "content=\"default-src 'none'; script-src '\(scriptSource)'; style-src '\(styleSource)'; "
        #expect(page.contains(policy))
        #expect(!page.contains("unsafe"))
    }

    /// The policy must precede everything that it applies to.
    @Test("The content security policy comes before every element that it applies to")
    func thePolicyComesFirst() throws {
        let policy = try #require(Self.page.range(of: "Content-Security-Policy"))
        for later in ["<style", "<title", "<script", "<body"] {
            let place = try #require(Self.page.range(of: later))
            #expect(policy.lowerBound < place.lowerBound)
        }
    }

    @Test("The HTML report loads nothing from other origins")
    func nothingOfThePageComesFromElsewhere() throws {
        let shell = try PageReader(Self.page).shell
        for word in [
            "http:", "https:", "//cdn", "@import", "@font-face", " src=", "<link", "fetch(", "XMLHttpRequest",
            "import(",
        ] {
            // The SVG namespace is named by a URL, but browsers do not load it.
            let text = shell.replacingOccurrences(of: "http://www.w3.org/2000/svg", with: "")
            #expect(!text.contains(word), "\(word)")
        }
    }

    @Test("The report's script never parses text as markup")
    func theScriptNeverParsesTextAsMarkup() throws {
        let shell = try PageReader(Self.page).shell
        for word in [
            "innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "Function(", "DOMParser",
            "javascript:",
        ] {
            #expect(!shell.contains(word), "\(word)")
        }
    }

    /// The page's script duplicates the registry's list of duration fields.
    @Test("The script has the same list of duration fields as the registry")
    func theScriptKnowsTheFieldsThatAreDurations() {
        let names = Set(Registry.events.flatMap(\.fields).filter { $0.kind == .duration }.map(\.name))
        let list = names.sorted().map { "'\($0)'" }.joined(separator: ", ")
        #expect(Self.page.contains("const spans = new Set([\(list)]);"))
    }

    @Test("The same suite gives an HTML report with the same bytes")
    func theSameSuiteGivesTheSameBytes() {
        #expect(HTMLReport.render(Samples.suite, sources: Samples.sources) == Self.page)
        var sources = Samples.sources
        for number in 0..<50 { sources["unused-\(number)"] = "squall: 1" }
        #expect(HTMLReport.render(Samples.suite, sources: sources) == Self.page)
    }

    // MARK: - Data elements of the page

    @Test("The list in the HTML report has every case with its runs")
    func theListHasEveryCaseWithItsRuns() throws {
        let reader = try PageReader(Self.page)
        let index = try #require(reader["suite"])
        #expect(index["cases"]?.arrayValue?.count == 4)
        #expect(index["runs"]?.arrayValue?.count == 6)
        #expect(index["totals"]?["fail"] == 2)
        #expect(index["cases"]?[3]?["parity"]?["word"] == "schedule_dependent")
        let failing = index["runs"]?[4]
        #expect(failing?["verdict"] == "fail")
        #expect(failing?["seed"] == "42")
        #expect(failing?["cause"]?["word"] == "leads_to")
        let facts = reader["run-4"]?["facts"]
        #expect(facts?["replay"]?.stringValue?.hasSuffix("--defect ignores_missing_pong") == true)
        #expect(reader["sources"]?[Samples.file]?.stringValue == Samples.source)
        #expect(index["causes"]?[0]?["cases"] == [3])
        #expect(index["causes"]?[0]?["run"] == 4)
    }

    @Test("A run in the HTML report names its trace file only if the file exists")
    func aTraceIsNamedWhereThereIsOne() throws {
        let page = HTMLReport.render(Samples.suite, sources: [:]) { "\($0.world.rawValue)/trace.jsonl" }
        let reader = try PageReader(page)
        #expect(reader["run-0"]?["facts"]?["trace"] == "sim/trace.jsonl")
        var captured = Samples.passing
        captured.capture = RunCapture(bytes: [], packets: 3, dropped: 0, leftOut: 0)
        let suite = SuiteResult(cases: [CaseReport(runs: [captured])], wall: .zero)
        let named = try PageReader(HTMLReport.render(suite, sources: [:]) { _ in "sim/trace.jsonl" })
        #expect(named["run-0"]?["facts"]?["capture"] == "sim/capture.pcapng")
        let without = try PageReader(Self.page)
        #expect(without["run-0"]?["facts"]?["digest"] != nil)
        #expect(without["run-0"]?["facts"]?["trace"] == nil)
    }

    @Test("A failing run has faults, a divergence, expectations, arrows and state ribbons")
    func aFailingRunHoldsWhatIsDrawn() throws {
        let reader = try PageReader(Self.page)
        let run = try #require(reader["run-4"])
        #expect(run["faults"]?[0]?["label"] == "tunnel")
        #expect(run["divergence"]?["time"] == 47_400_000_000)
        #expect(run["expectations"]?[0]?["by"] == 47_400_000_000)
        let arrows = try #require(run["arrows"]?.arrayValue)
        #expect(arrows.enumerated().contains { $0.offset % 2 == 1 && $0.element == -1 })
        let names = run["ribbons"]?.arrayValue?.compactMap { $0["name"]?.stringValue }
        #expect(names == ["connection.state", "banner.kind", "message.status", "message.status"])
    }

    /// Decodes the tables and numbers in the page back into events.
    @Test("Events survive encoding into the HTML report and decoding")
    func eventsSurviveTheirEncoding() throws {
        let events = Samples.halfOpen.recording.events
        let reader = try PageReader(Self.page)
        let run = try #require(reader["run-4"])
        let numbers = run["events"]?.arrayValue?.compactMap(\.intValue) ?? []
        try #require(numbers.count == 5 * events.count)
        var time: Int64 = 0
        for (place, event) in events.enumerated() {
            let row = numbers[5 * place..<5 * place + 5].map { Int($0) }
            time += Int64(row[0])
            #expect(time == event.time.nanoseconds)
            let name = run["names"]?[row[1]]
            #expect(name?[0]?.stringValue == event.name)
            #expect(name?[1]?.stringValue == event.client?.name)
            #expect((row[2] < 0 ? nil : run["keys"]?[row[2]]?.stringValue) == event.key)
            #expect((row[4] == 0 ? nil : place - row[4]) == event.cause)
            let value = run["values"]?[row[3]]
            switch event.observation.change {
            case .happened(let fields): #expect(name?[3] == 0 && value == fields)
            case .set(let new): #expect(name?[3] == 1 && value == new)
            case .inserted(let index, let item): #expect(value == [.integer(Int64(index)), item])
            case .removed, .replaced: Issue.record("the sample has none")
            }
        }
    }

    // MARK: - Size of the page

    @Test("A failing run is drawn with at most ten thousand events, and the omitted events are counted")
    func aFailingRunIsDrawnUpToTenThousandEvents() throws {
        let run = Samples.long(messages: 1_200, verdict: .fail)
        try #require(run.recording.events.count > 10_000)
        let page = HTMLReport.render(SuiteResult(cases: [CaseReport(runs: [run])], wall: .zero), sources: [:])
        let reader = try PageReader(page)
        let data = try #require(reader["run-0"])
        #expect(data["events"]?.arrayValue?.count == 5 * 10_000)
        #expect(data["count"]?.intValue == Int64(run.recording.events.count))
        let skipped = data["skips"]?.arrayValue?.compactMap { $0[1]?.intValue }.reduce(0, +)
        #expect(skipped == Int64(run.recording.events.count - 10_000))
    }

    @Test("A report of a hundred passing runs has fewer than three hundred kilobytes")
    func aHundredPassingRunsStayBelowThreeHundredKilobytes() {
        let run = Samples.long(messages: 120)
        #expect(run.recording.events.count > 1_000)
        let cases = (0..<100).map { number in
            var run = run
            run.file = "Scenarios/many/crowd-\(number / 2).yaml"
            return CaseReport(runs: [run])
        }
        let sources = Dictionary(
            cases.map { ($0.runs[0].file, Samples.source) },
            uniquingKeysWith: { first, _ in first }
        )
        let page = HTMLReport.render(SuiteResult(cases: cases, wall: .zero), sources: sources)
        #expect(page.utf8.count < 300_000)
    }

    @Test("A passing run has fewer events in the report of a larger suite")
    func aLargeSuiteHasFewerEventsOfEachRun() {
        #expect(EventSelection.repeatedLimit(runCount: 500) == nil && EventSelection.repeatedLimit(runCount: 501) == 60)
        #expect(EventSelection.passingLimit(runCount: 0) == 300)
        #expect(EventSelection.passingLimit(runCount: 366) == 300)
        #expect(EventSelection.passingLimit(runCount: 2_500) == 44)
        #expect(EventSelection.passingLimit(runCount: 1_000_000) == 30)
    }

    @Test("A suite without cases gives a valid HTML report")
    func aSuiteWithoutCasesIsAPageToo() throws {
        let page = HTMLReport.render(SuiteResult(cases: [], wall: .zero), sources: [:])
        let reader = try PageReader(page)
        #expect(reader["suite"]?["cases"] == [])
    }

    @Test("An empty trace gives a valid HTML report")
    func anEmptyTraceIsAPageToo() throws {
        let run = Samples.result(TraceSketch().recording(file: "x.yaml"))
        let page = HTMLReport.render(SuiteResult(cases: [CaseReport(runs: [run])], wall: .zero), sources: [:])
        let reader = try PageReader(page)
        #expect(reader["run-0"]?["count"] == 0)
    }

    // MARK: - Hostile strings

    /// All strings that come from runs, files and callers are inside the data elements, where they are harmless.
    @Test("Hostile strings stay in the data elements and leave the rest of the HTML report unchanged")
    func hostileTextsStayData() throws {
        let tame = try PageReader(
            HTMLReport.render(
                SuiteResult(cases: [CaseReport(runs: [Samples.passing, Samples.passing])], wall: .zero),
                sources: [:]
            )
        )
        let page = HTMLReport.render(
            Samples.hostileSuite,
            sources: Samples.hostileSources,
            title: Samples.hostile,
            command: Samples.hostile
        ) { _ in Samples.hostile }
        let reader = try PageReader(page)
        #expect(reader.shell == tame.shell)
        #expect(reader.data.map(\.id) == ["suite", "sources", "run-0", "run-1"])
        for (_, value) in reader.data { #expect(value.mentions(Samples.hostile)) }
        #expect(!page.contains("<img"))
        #expect(!page.contains("\u{2028}"))
        #expect(!page.contains("never asked for"))
    }
}
