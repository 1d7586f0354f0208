import Reports
import ScenarioModel
import SquallCore
import TestSupport
import Testing
import Trace

/// Tests how the page's script and style behave in a browser.
@Suite(.ownThread, .enabled(if: Browser.path != nil, "there is no Chromium on this machine"), .serialized)
struct HTMLReportBrowserTests {
    private let browser: Browser

    init() throws {
        browser = try Browser()
    }

    private static func page(of run: CaseResult) -> String {
        HTMLReport.render(SuiteResult(cases: [CaseReport(runs: [run])], wall: .zero), sources: Samples.sources)
    }

    @Test("Durations and times on the page are readable")
    func valuesHaveUnits() throws {
        try browser.openDrawn(Self.page(of: Samples.passing))
        #expect(try browser.value(of: "brief(1767225602002, 'timestamp')") == "2026-01-01 00:00:02.002")
        #expect(try browser.value(of: "brief(10001000000, 'mean_reconnect')") == "10.0 s")
    }

    // MARK: - Safety

    @Test("The browser shows hostile strings as text and loads nothing because of them")
    func hostileTextsAreShownAndNothingElse() throws {
        let page = HTMLReport.render(
            Samples.hostileSuite,
            sources: Samples.hostileSources,
            title: Samples.hostile,
            command: Samples.hostile
        ) { _ in Samples.hostile }
        let address = try browser.openDrawn(page)
        #expect(try browser.value(of: "document.querySelector('.case .name').textContent").mentions("<img src="))
        #expect(try browser.value(of: "document.title").mentions("The worlds differ"))

        try browser.go(to: "#/run/0")
        try browser.pressDrawn("f")
        #expect(try browser.value(of: "document.querySelector('h1').textContent").mentions(Samples.hostile))
        #expect(try browser.value(of: "document.title").mentions("<img src="))
        // Select every event, so that the inspector displays each of them once.
        try browser.value(of: "for (const event of view.run.events) view.select(event.place)")
        let odd = "view.run.events.find((event) => Object.hasOwn(event.value ?? {}, 'constructor'))"
        try browser.value(of: "view.select(\(odd).place)")
        let fields = try browser.value(of: "document.querySelector('.inspector .json').textContent")
        #expect(fields.mentions("\"__proto__\": "))
        #expect(fields.mentions("9007199254740993"))
        try browser.value(of: "view.zoom(); view.find('img'); view.run.issue.length")

        let loadingElements =
            "document.querySelectorAll('img, iframe, object, embed, link, base, form, script[src], [onerror]')"
        #expect(try browser.value(of: "\(loadingElements).length") == 0)
        #expect(try browser.value(of: "document.scripts.length") == 4)
        let traceLink = try browser.value(of: "document.querySelector('a[download]').href")
        #expect(traceLink.stringValue?.hasPrefix("file:///") == true)
        #expect(browser.complaints == [])
        #expect(browser.requests == [address])
    }

    /// The content security policy is the second line of defence: it stops an injected script.
    @Test("The content security policy blocks an injected script and an injected image")
    func thePolicyStopsWhatGotIn() throws {
        let page = Self.page(of: Samples.passing).replacing(
            "<main id=\"page\"></main>",
            with: "<main id=\"page\"></main><script>window.owned = true</script><img src=\"http://squall.invalid/x\">"
        )
        _ = try browser.openDrawn(page)
        #expect(try browser.value(of: "'owned' in window") == false)
        #expect(browser.refusals == 1, "the image")
        #expect(
            try browser.value(of: "try { document.body.innerHTML = '<b>x</b>'; 'parsed' } catch { 'refused' }")
                == "refused"
        )
        #expect(!browser.complaints.isEmpty)
    }

    // MARK: - Usability

    @Test("In a narrow pane, all labels are to the right of the lanes, with room for their text")
    func narrowLanes() throws {
        try browser.openDrawn(Self.page(of: Samples.halfOpen))
        try browser.pressDrawn("f")
        let cut = """
            [...document.querySelectorAll('.row.event .label')]
              .filter((label) => label.scrollWidth > label.clientWidth && label.clientWidth < 200).length
            """
        try browser.value(of: "view.lanes.element.style.width = '400px'; view.lanes.draw()")
        #expect(try browser.value(of: "view.lanes.element.classList.contains('narrow')") == true)
        #expect(try browser.value(of: cut) == 0)
        let initial = "(head) => getComputedStyle(head, '::after').content"
        let heads = "[...document.querySelectorAll('.heads .head')].map(\(initial))"
        #expect(try browser.value(of: heads) == ["\"U\"", "\"C\"", "\"N\"", "\"S\""])
        try browser.value(of: "view.lanes.element.style.width = '900px'; view.lanes.draw()")
        #expect(try browser.value(of: "view.lanes.element.classList.contains('narrow')") == false)
        #expect(browser.complaints == [])
    }

    @Test("The report of a failing run opens scrolled to the divergence")
    func aFailingRunOpensAtTheDivergence() throws {
        let address = try browser.openDrawn(Self.page(of: Samples.halfOpen))
        #expect(try browser.value(of: "location.hash").stringValue?.hasPrefix("#/run/0") == true)
        let inView = """
            (() => { const row = document.querySelector('.row.due').getBoundingClientRect();
              const pane = document.querySelector('.lanes').getBoundingClientRect();
              return row.top > pane.top && row.bottom < pane.bottom })()
            """
        #expect(try browser.value(of: inView) == true)
        let overdue = try browser.value(of: "document.querySelector('.row.due').textContent")
        #expect(overdue.mentions("47.400") && overdue.mentions("connection.state reconnecting within 35s"))
        #expect(try browser.value(of: "document.querySelector('.source .lit').dataset.line") == "19")
        #expect(try browser.value(of: "document.querySelectorAll('.wire.cross:not(.lit)').length") == 1)
        #expect(try browser.value(of: "document.querySelector('.band') !== null") == true)
        #expect(
            try browser.value(of: "[...document.querySelectorAll('.row.idle')].map((row) => row.textContent)").mentions(
                "16.0 s idle"
            )
        )
        let top = try browser.value(of: "document.querySelector('.run-head').textContent")
        #expect(top.mentions("connection.state was connected from 12.400 to 47.400"))
        #expect(top.mentions("pong at 12.391, 35.0 s before"))
        #expect(top.mentions("--world sim --seed 42 --defect ignores_missing_pong"))
        #expect(browser.complaints == [])
        #expect(browser.requests == [address])
    }

    @Test("Keyboard shortcuts move between events and between runs")
    func keysMoveThroughEventsAndRuns() throws {
        let page = HTMLReport.render(Samples.suite, sources: Samples.sources)
        _ = try browser.openDrawn(page)
        let selected = "Number(document.querySelector('.row.selected').dataset.place)"
        try browser.pressDrawn("f")
        #expect(try browser.value(of: "location.hash").stringValue?.hasPrefix("#/run/4/") == true)
        let start = try #require(try browser.value(of: selected).intValue)
        try browser.pressDrawn("j")
        try browser.pressDrawn("j")
        #expect(try browser.value(of: selected) == .integer(start + 2))
        try browser.pressDrawn("k")
        #expect(try browser.value(of: selected) == .integer(start + 1))
        try browser.pressDrawn("f")
        #expect(try browser.value(of: selected) == .integer(start))
        try browser.pressDrawn("n")
        #expect(try browser.value(of: "location.hash").stringValue?.hasPrefix("#/run/5") == true)
        try browser.pressDrawn("Escape")
        #expect(try browser.value(of: "location.hash") == "#/")
        let first = try browser.value(of: "document.querySelector('.case').textContent")
        #expect(first.mentions("half-open"), "failures are listed first")
        #expect(browser.complaints == [])
    }

    @Test("The search matches words in any order, invariants and catalogue rows, and is kept in the URL")
    func theListFindsWordsInAnyOrder() throws {
        var other = Samples.halfOpen
        other.file = "Scenarios/other.yaml"
        other.expectations = other.expectations.filter(\.isInvariant)
        let suite = SuiteResult(cases: [Samples.halfOpen, other].map { CaseReport(runs: [$0]) }, wall: .zero)
        let address = try browser.openDrawn(HTMLReport.render(suite, sources: [:]))
        let shown = "document.querySelectorAll('.case:not([hidden])').length"
        for (text, count) in [("sent while half-open", 2), ("honest_ui", 1), ("ux-2.2h", 1), ("never seen", 0)] {
            try browser.value(of: "document.getElementById('find').value = '\(text)'")
            try browser.value(of: "document.getElementById('find').dispatchEvent(new Event('input'))")
            #expect(try browser.value(of: shown) == .integer(Int64(count)), "\(text)")
        }
        try browser.go(to: "#/?find=honest_ui&verdict=fail")
        #expect(try browser.value(of: "shown.text + shown.verdict") == "honest_uifail")
        #expect(try browser.value(of: shown) == 1)
        #expect(browser.complaints == [])
        #expect(browser.requests == [address])
    }

    @Test("The text copied for an issue has the event that decided the verdict and the scenario's actions")
    func theCopyForAnIssueHasTheCause() throws {
        var run = Samples.halfOpen
        var trace = TraceSketch()
        trace.connect()
        let fault = trace.happened("fault.began", "cut", ["fault": "drop"], of: nil)
        for number in Int64(0)..<60 { trace.shows("metrics.attempts", nil, .integer(number)) }
        let guilty = trace.happened("client.sent.send", "guilty", ["conversation": "stukov"])
        for number in Int64(60)..<120 { trace.shows("metrics.attempts", nil, .integer(number)) }
        run.recording = Recording(header: run.recording.header, events: trace.recorder.events, end: trace.now)
        run.expectations = [run.expectations[0]]
        run.expectations[0].evidence = [fault, guilty]
        run.expectations[0].expectedBy = nil
        _ = try browser.openDrawn(Self.page(of: run))
        let text = try browser.value(of: "view.run.issue")
        #expect(text.mentions("send[guilty]") && text.mentions("fault.began[cut]"))
        let lines = text.stringValue?.split(separator: "\n").count { $0.contains("metrics.attempts") } ?? 0
        #expect(lines < 40, "of 120 measurements, the most are left out")
    }

    @Test("Two worlds with the same verdict share one cause in the list; worlds that differ have one each")
    func worldsThatAgreeShareOneCause() throws {
        var live = Samples.halfOpen
        live.world = .live
        live.expectations[0].why = "the same at another time"
        let causes = "document.querySelectorAll('.case .cause').length"
        for (parity, told) in [(WorldComparison.equal, 1), (.scheduleDependent("two timers at one instant"), 2)] {
            let report = CaseReport(runs: [Samples.halfOpen, live], parity: parity)
            let suite = SuiteResult(cases: [report, CaseReport(runs: [Samples.passing])], wall: .zero)
            _ = try browser.openDrawn(HTMLReport.render(suite, sources: [:]))
            #expect(try browser.value(of: causes) == .integer(Int64(told)))
        }
    }

    @Test("The report of a passing suite lists skipped runs with the reason")
    func aPassingSuiteShowsItsSkippedRuns() throws {
        var skipped = Samples.passing
        skipped.verdict = .skipped
        skipped.expectations[0].verdict = .skipped
        skipped.expectations[0].why = "for sim only"
        let suite = SuiteResult(cases: [Samples.passing, skipped].map { CaseReport(runs: [$0]) }, wall: .zero)
        _ = try browser.openDrawn(HTMLReport.render(suite, sources: [:]))
        #expect(try browser.value(of: "document.querySelector('h1').textContent").mentions("1 of 2 runs passed"))
        #expect(try browser.value(of: "document.querySelector('.cause').textContent") == "for sim only")
    }

    @Test("Selecting an event highlights the events with the same key in every lane")
    func selectingLightsTheSameKeyInEveryLane() throws {
        _ = try browser.openDrawn(Self.page(of: Samples.halfOpen))
        try browser.value(of: "document.querySelector('[data-key=hello].lane3').click()")
        #expect(
            try browser.value(of: "[...new Set([...document.querySelectorAll('.kin')].map((row) => row.dataset.key))]")
                == ["hello"]
        )
        let lanes = "[0, 1, 2, 3].map((lane) => document.querySelectorAll(`.kin.lane${lane}`).length > 0)"
        #expect(try browser.value(of: lanes) == [true, true, false, true])
        #expect(try browser.value(of: "document.querySelectorAll('.wire.lit').length > 0") == true)
        #expect(
            try browser.value(of: "document.querySelector('.inspector .json').textContent").mentions(
                "\"conversation\": \"stukov\""
            )
        )
    }

    /// An arrow begins in its sender's lane. It ends in its receiver's lane or, if the frame is lost, in the network's
    /// lane.
    @Test("Every arrow leads from its sender's lane to its receiver's lane, or half-way if the frame is lost")
    func arrowsGoFromLaneToLane() throws {
        _ = try browser.openDrawn(Self.page(of: Samples.halfOpen))
        let frames = [
            ("client.sent.send", "hello", from: 1, to: 3), ("server.sent.confirm", "hello", from: 3, to: 1),
            ("client.sent.send", "second", from: 1, to: 2), ("server.sent.message", "m43", from: 3, to: 2),
        ]
        for (name, key, from, to) in frames {
            let ends = """
                (() => { const event = view.run.events.find(({ name, key }) => name === '\(name)' && key === '\(key)');
                  const [, path] = view.lanes.arrow(view.run.partner.get(event.place))[0];
                  const [, from, to] = /^M(\\d+) \\d+L(\\d+) /.exec(path);
                  const lane = (x) => view.lanes.x.findIndex((place) => Math.abs(place - x) <= 7);
                  return [lane(Number(from)), lane(Number(to))] })()
                """
            #expect(try browser.value(of: ends) == [.integer(Int64(from)), .integer(Int64(to))], "\(name)[\(key)]")
        }
    }

    @Test("The initial values of a run are folded into one row, which a click opens")
    func theBurstOfFirstValuesIsOneRowUntilAskedFor() throws {
        var trace = TraceSketch()
        for number in 0..<9 { trace.shows("observable.\(number)", nil, "first") }
        trace.shows("observable.3", nil, "second")
        _ = try browser.openDrawn(Self.page(of: Samples.result(trace.recording(file: "x.yaml"))))
        let rows = "[...document.querySelectorAll('.row.event, .row.first')].map((row) => row.textContent)"
        let folded = try browser.value(of: rows)
        #expect(folded.arrayValue?.count == 2)
        #expect(folded[0]?.mentions("9 first values") == true)
        try browser.value(of: "document.querySelector('.row.first').click()")
        #expect(try browser.value(of: rows).arrayValue?.count == 10)
    }

    @Test("The HTML report states how many events it does not draw")
    func thePageCountsEventsThatItDoesNotDraw() throws {
        let run = Samples.long(messages: 1_200, verdict: .fail)
        _ = try browser.openDrawn(Self.page(of: run))
        #expect(try browser.value(of: "document.querySelectorAll('.row.event').length") == 10_000)
        #expect(
            try browser.value(of: "document.querySelector('.toolbar .note').textContent").mentions(
                "10,000 of 13,228 events drawn"
            )
        )
        #expect(browser.complaints == [])
    }

    @Test("The HTML report has a dark style, a light style and a print style")
    func darkLightAndPaper() throws {
        _ = try browser.openDrawn(Self.page(of: Samples.halfOpen))
        let ground = "getComputedStyle(document.documentElement).backgroundColor"
        func emulate(_ media: String, _ scheme: String) throws {
            let feature: JSON = ["name": "prefers-color-scheme", "value": .string(scheme)]
            try browser.command("Emulation.setEmulatedMedia", ["media": .string(media), "features": [feature]])
        }
        try emulate("screen", "light")
        let light = try browser.value(of: ground)
        try emulate("screen", "dark")
        #expect(try browser.value(of: ground) != light)
        // In print, no pane may cut off content, and the background must be white.
        try emulate("print", "dark")
        let isWhole = "document.querySelector('.lanes').clientHeight >= document.querySelector('.rows').offsetHeight"
        #expect(try browser.value(of: isWhole) == true)
        #expect(
            try browser.value(of: "getComputedStyle(document.querySelector('.run-head')).backgroundColor")
                == "rgb(255, 255, 255)"
        )
    }
}
