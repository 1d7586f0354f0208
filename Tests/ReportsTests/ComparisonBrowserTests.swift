import ScenarioModel
import SquallCore
import TestSupport
import Testing

@testable import Reports

/// Tests the HTML page of a comparison in a browser.
@Suite(.enabled(if: Browser.path != nil, "there is no Chromium on this machine"), .serialized)
struct ComparisonBrowserTests {
    private let browser: Browser

    init() throws {
        browser = try Browser()
    }

    private static let page = ComparisonPage.render(SuiteComparisonTests.parted, old: "monday", new: "tuesday")

    @Test("The comparison page lists changed verdicts, and one click opens both runs side by side")
    func oneClickOpensBothRuns() throws {
        let address = try browser.openDrawn(Self.page)
        #expect(try browser.value(of: "document.querySelector('h1').textContent") == "1 of 2 cases newly failing")
        #expect(try browser.value(of: "document.querySelector('.case').textContent").mentions("pass \u{2192} fail"))
        try browser.value(of: "document.querySelector('.case .name').click()")
        try browser.wait(until: "view !== null")
        #expect(try browser.value(of: "document.querySelectorAll('.half').length") == 2)
        #expect(browser.complaints == [])
        #expect(browser.requests == [address])
    }

    @Test("The comparison page groups cases with the same cause and shows the cause once")
    func casesOfOneCause() throws {
        func suite(_ run: CaseResult) -> SuiteResult {
            let runs = (1...4).map { number in
                var run = run
                run.file = "Scenarios/\(number).yaml"
                if run.verdict == .fail, number == 2 { run.expectations[0].why = "banner.text was null" }
                return run
            }
            return SuiteResult(cases: runs.map { CaseReport(runs: [$0]) }, wall: .zero)
        }
        let comparison = SuiteComparison(from: suite(Samples.passing), to: suite(Samples.halfOpen))
        try browser.openDrawn(ComparisonPage.render(comparison, old: "a", new: "b"))
        #expect(try browser.value(of: "document.querySelectorAll('.case').length") == 4)
        #expect(try browser.value(of: "document.querySelectorAll('.case .cause').length") == 2)
        let shared = "[...document.querySelectorAll('.shared')].map((head) => head.textContent)"
        #expect(try browser.value(of: shared) == ["connection.state was connected3 cases"])
        let files = "[...document.querySelectorAll('.case .file')].map((file) => file.textContent)"
        let order = ["1", "3", "4", "2"].map { JSON.string("Scenarios/\($0).yaml") }
        #expect(try browser.value(of: files) == .array(order))
        #expect(browser.complaints == [])
    }

    @Test("The comparison page highlights the first difference in both runs, aligned and scrolling together")
    func theFirstDifferenceIsLit() throws {
        try browser.openDrawn(Self.page, at: "#/case/0")
        let lit = "[...document.querySelectorAll('.row.parted')]"
        #expect(try browser.value(of: "\(lit).length") == 2)
        #expect(try browser.value(of: "\(lit)[0].textContent").mentions("early"))
        #expect(try browser.value(of: "\(lit)[1].textContent").mentions("half_open") == false)
        let tops = "\(lit).map((row) => Math.round(row.getBoundingClientRect().top))"
        #expect(try browser.value(of: "new Set(\(tops)).size") == 1)
        let inView = "\(lit).every((row) => row.getBoundingClientRect().top < innerHeight)"
        #expect(try browser.value(of: inView) == true)
        try browser.value(of: "view.halves[0].lanes.element.scrollTop -= 44")
        try browser.wait(until: "new Set(\(tops)).size === 1")
        #expect(browser.complaints == [])
    }

    @Test("Without a trace of the old run, the page shows the new run and explains how to keep both traces")
    func aMissingTraceIsSaid() throws {
        var comparison = SuiteComparisonTests.parted
        comparison.cases[0].divergence = nil
        comparison.cases[0].old?.run.hasWholeTrace = false
        try browser.openDrawn(ComparisonPage.render(comparison, old: "a", new: "b"), at: "#/case/0")
        #expect(try browser.value(of: "document.querySelectorAll('.half').length") == 1)
        #expect(try browser.value(of: "document.querySelector('.run-head').textContent").mentions("--traces all"))
        #expect(browser.complaints == [])
    }

    @Test("The comparison page shows markup in strings from a run as plain text")
    func hostileTextsAreText() throws {
        let comparison = SuiteComparison(from: SuiteResult(cases: [], wall: .zero), to: Samples.hostileSuite)
        let page = ComparisonPage.render(comparison, old: Samples.hostile, new: "b")
        let address = try browser.openDrawn(page, at: "#/case/0")
        #expect(try browser.value(of: "document.querySelectorAll('img, iframe, script[src]').length") == 0)
        #expect(browser.complaints == [])
        #expect(browser.requests == [address])
    }
}
