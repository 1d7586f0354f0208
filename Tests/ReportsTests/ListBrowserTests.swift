import ScenarioModel
import SquallCore
import TestSupport
import Testing
import Trace

@testable import Reports

/// Tests a large suite's list of cases in a browser.
@Suite(.enabled(if: Browser.path != nil, "there is no Chromium on this machine"), .serialized)
struct ListBrowserTests {
    private let browser: Browser

    init() throws {
        browser = try Browser()
    }

    /// Returns six hundred cases in ten folders, each run in both worlds. The folder `f3` has three failures.
    private static func suite(seeds: UInt64 = 1) -> SuiteResult {
        var live = Samples.passing
        live.world = .live
        var cases: [CaseReport] = []
        for seed in 1...seeds {
            for number in 0..<600 {
                var runs = [Samples.passing, live]
                if number % 10 == 3, number < 30 { runs[0] = Samples.halfOpen }
                for index in runs.indices {
                    runs[index].file = "Scenarios/f\(number % 10)/case-\(number).yaml"
                    runs[index].name = "Case \(number)"
                    runs[index].seed = Seed(seed)
                    runs[index].wall = .milliseconds(Int64(number))
                }
                cases.append(CaseReport(runs: runs, parity: number % 10 == 3 ? nil : .equal))
            }
        }
        return SuiteResult(cases: cases, wall: .zero)
    }

    private func names() throws -> [String] {
        let names = "[...document.querySelectorAll('.case .name')].map((name) => name.textContent)"
        return try browser.value(of: names).arrayValue?.compactMap(\.stringValue) ?? []
    }

    @Test("The report of a large suite opens only folders with failures, and a click opens the others")
    func passingFoldersAreFolded() throws {
        try browser.openDrawn(HTMLReport.render(Self.suite(), sources: [:]))
        #expect(try browser.value(of: "document.querySelectorAll('.folder').length") == 10)
        #expect(try names() == ["Case 3", "Case 13", "Case 23"])
        #expect(try browser.value(of: "document.querySelectorAll('*').length < 1000") == true)
        try browser.value(of: "document.querySelector('[data-folder=\"Scenarios/f7\"]').click()")
        #expect(try names().count == 63)
        let opened = try browser.value(of: "location.hash")
        #expect(opened.stringValue?.contains("folder=Scenarios%2Ff7") == true)
        // The URL names the open folders, so that the view survives a reload and can be shared.
        try browser.value(of: "shown.toggled = new Set()")
        try browser.go(to: "#/?find=case-3.yaml")
        try browser.go(to: opened.stringValue ?? "")
        #expect(try names().count == 63)
        // In the folder with failures, passed cases stay hidden until a button is clicked.
        let more =
            "[...document.querySelectorAll('.case ~ li button')].find((one) => one.textContent === 'show 57 more cases')"
        try browser.value(of: "\(more).click()")
        #expect(try names().count == 120)
        #expect(browser.complaints == [])
    }

    @Test("The search and the verdict also filter the causes, and a selected cause keeps the keyboard focus")
    func theSearchFiltersCauses() throws {
        var suite = Self.suite()
        var other = Samples.halfOpen
        other.file = "Scenarios/f9/case-599.yaml"
        other.expectations[0].why = "banner.text was null"
        suite.cases[599].runs[0] = other
        try browser.openDrawn(HTMLReport.render(suite, sources: [:]))
        let causes = "[...document.querySelectorAll('.causes .name')].map((name) => name.textContent)"
        #expect(try browser.value(of: causes) == ["connection.state was connected", "banner.text was null"])
        func find(_ text: String) throws {
            try browser.value(of: "shown.text = '\(text)'; applyFilters()")
        }
        try find("case-599.yaml")
        #expect(try browser.value(of: causes) == ["banner.text was null"])
        #expect(try browser.value(of: "document.querySelector('.causes small').textContent") == "1 of 2 causes")
        try find("case-1.yaml")
        #expect(try browser.value(of: causes) == [])
        try find("")
        try browser.value(of: "document.querySelector('[data-cause=\"1\"]').focus(); document.activeElement.click()")
        #expect(try browser.value(of: "document.activeElement.dataset.cause") == "1")
        #expect(try names() == ["The link goes half-open while a message is sent"])
        #expect(browser.complaints == [])
    }

    @Test("Worlds with the same verdict share a line, and so do many seeds with the same verdict")
    func agreeingRunsShareALine() throws {
        try browser.openDrawn(HTMLReport.render(Self.suite(), sources: [:]), at: "#/?find=case-7.yaml")
        let chips = "[...document.querySelectorAll('.case .world')].map((world) => world.textContent)"
        #expect(try browser.value(of: chips) == ["sim, live"])
        try browser.openDrawn(HTMLReport.render(Self.suite(seeds: 6), sources: [:]), at: "#/?find=case-7.yaml")
        #expect(try browser.value(of: chips) == ["sim, 6 of 6 seeds", "live, 6 of 6 seeds"])
        #expect(browser.complaints == [])
    }

    @Test("Sorting by duration lists the longest cases of all folders first")
    func longestFirst() throws {
        try browser.openDrawn(HTMLReport.render(Self.suite(), sources: [:]))
        try browser.value(of: "document.querySelector('[data-order=duration]').click()")
        #expect(try names().prefix(3) == ["Case 599", "Case 598", "Case 597"])
        #expect(try names().count == 100, "the rest on demand")
        #expect(try browser.value(of: "location.hash") == "#/?order=duration")
        try browser.value(of: "[...document.querySelectorAll('.folder button')].at(-1).click()")
        #expect(try names().count == 600)
        #expect(browser.complaints == [])
    }

    @Test("A cause expands to its cases, and a click on its name opens the first of them")
    func aCauseListsItsCases() throws {
        try browser.openDrawn(HTMLReport.render(Self.suite(), sources: Samples.sources))
        #expect(try browser.value(of: "document.querySelectorAll('.causes li').length") == 1)
        #expect(try browser.value(of: "document.querySelector('.causes button').textContent") == "3 cases, 3 runs")
        try browser.value(of: "document.querySelector('.causes button').click()")
        #expect(try Set(names()) == ["Case 3", "Case 13", "Case 23"])
        #expect(try browser.value(of: "location.hash") == "#/?cause=0")
        try browser.value(of: "document.querySelector('.causes .name').click()")
        try browser.wait(until: "view !== null")
        #expect(try browser.value(of: "document.querySelector('.run-head .why').textContent").mentions("47.400"))
        #expect(browser.complaints == [])
    }

    @Test("A run whose trace was not kept is marked in the report")
    func aRunWithoutTraceSaysSo() throws {
        var run = Samples.passing
        run.hasWholeTrace = false
        run.recording.events.removeAll { !$0.isMetric }
        let suite = SuiteResult(cases: [CaseReport(runs: [run])], wall: .zero)
        try browser.openDrawn(HTMLReport.render(suite, sources: [:]))
        #expect(try browser.value(of: "document.querySelector('.timeline .note').textContent").mentions("--traces all"))
        #expect(browser.complaints == [])
    }
}
