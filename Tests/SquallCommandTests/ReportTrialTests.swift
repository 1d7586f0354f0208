import Foundation
import SquallCore
import TestSupport
import Testing

/// Tests, in a browser, how a user explores the report of a failed suite.
@Suite(.enabled(if: Browser.path != nil, "there is no Chromium on this machine"), .serialized)
struct ReportTrialTests {
    /// Runs scenarios with a planted defect and opens the report's page.
    private static func page(of defect: String, in folder: String, below scratch: Scratch) throws -> Browser {
        let report = scratch.folder.appendingPathComponent("report")
        let run = ["run", folder, "--world", "sim", "--defect", defect, "--report", report.path]
        let ending = try Command(run).ending()
        #expect(ending.status == 1, "\(ending.errors)")
        let browser = try Browser()
        try browser.open(address: report.appendingPathComponent("index.html").absoluteString)
        try browser.value(of: "drawn")
        return browser
    }

    @Test(
        "One click in the list shows the cause of a planted defect with the deciding event in view",
        .ownThread,
        arguments: [
            ("noIdempotencyKey", "Scenarios/silence", "invariant accepted_never_lost"),
            ("noHeartbeat", "Scenarios/silence", "invariant honest_ui"),
        ]
    )
    func oneClickToTheCause(_ defect: String, _ folder: String, _ cause: String) throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let browser = try Self.page(of: defect, in: folder, below: scratch)
        #expect(try browser.value(of: "document.querySelector('.causes .name').textContent").stringValue == cause)
        try browser.value(of: "document.querySelector('.causes .name').click()")
        try browser.wait(until: "view !== null")
        let inView = """
            [...document.querySelectorAll('.row.decides, .row.due')].some((row) => {
              const place = row.getBoundingClientRect();
              const pane = document.querySelector('.lanes').getBoundingClientRect();
              return place.top >= pane.top && place.bottom <= pane.bottom && place.bottom <= innerHeight;
            })
            """
        try browser.wait(until: inView)
        let head = try browser.value(of: "document.querySelector('.run-head').textContent").stringValue ?? ""
        #expect(head.contains("--defect \(defect)"), "\(head)")
        // Pressing Escape returns from a run to the list of runs.
        try browser.press("Escape")
        try browser.wait(until: "view === null")
        #expect(browser.complaints == [])
    }

    @Test("The report shows the values an observable had instead of the awaited value, with its ribbon", .ownThread)
    func whatWasShownIsInView() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let file = try scratch.write(
            """
            squall: 1
            name: The banner in the elevator
            script:
              - user: { open: stukov }
              - wait: { connection.state: connected }
              - network: { blackhole: { for: 60s } }
            expect:
              - eventually: { banner.text: "No internet connection", within: 80s }

            """,
            to: "elevator.yaml"
        )
        let browser = try Self.page(of: "deletesUnasked", in: file, below: scratch)
        try browser.value(of: "drawn")
        let ribbons = "[...document.querySelectorAll('.ribbon-name')].map((name) => name.textContent)"
        #expect(try browser.value(of: ribbons).arrayValue?.contains("banner.text") == true)
        let head = try browser.value(of: "document.querySelector('.run-head .seen').textContent").stringValue ?? ""
        #expect(head.hasPrefix("banner.text was null from 0.000") && head.contains("(nearest)"), "\(head)")
        let selected = try browser.value(of: "document.querySelector('.inspector h3').textContent")
        #expect(selected == "banner.text")
        #expect(browser.complaints == [])
    }
}
