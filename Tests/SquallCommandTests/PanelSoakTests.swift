import Foundation
import SquallCore
import TestSupport
import Testing

/// Tests, in a browser, a panel that receives events at a high rate. With `SQUALL_SOAK=1` it runs for ten minutes or
/// for `SQUALL_SOAK_MINUTES`.
@Suite(
    .ownThread,
    .enabled(if: soakMinutes > 0, "SQUALL_SOAK=1 runs it, for ten minutes"),
    .enabled(if: Browser.path != nil, "there is no Chromium on this machine"),
    .serialized
)
struct PanelSoakTests {
    private static let eventsPerMinute = 10_000

    /// A script that measures how long the page's scripts block the browser, and the longest interval between ticks of
    /// a 50 ms timer.
    private static let watch = """
        window.longest = 0; window.busy = 0; window.gap = 0; window.last = performance.now();
        new PerformanceObserver((list) => list.getEntries().forEach((entry) => {
          window.longest = Math.max(window.longest, entry.duration);
          window.busy += entry.duration;
        })).observe({ type: 'longtask', buffered: true });
        setInterval(() => {
          const now = performance.now();
          window.gap = Math.max(window.gap, now - window.last);
          window.last = now;
        }, 50);
        0
        """

    @Test("A panel page receives every one of 10,000 events a minute without a pause of two seconds")
    func keepsUp() throws {
        let seconds = soakMinutes * 60
        let served = try Serving(["--format", "json", "--panel"], within: seconds + 120)
        let line = try #require(served.line(with: "panel_url"))
        let url = try #require(try JSON.decode(line)["panel_url"]?.stringValue)
        let browser = try Browser(patience: Int32(seconds) + 120)
        try browser.open(address: url)
        try browser.wait(until: "document.querySelector('.status').textContent === 'live'")
        try browser.value(of: Self.watch)
        // Every message sent adds an event to the panel. The latency fault stays active, so that the page has to draw
        // it too.
        let count = soakMinutes * Self.eventsPerMinute
        let interval = seconds * 1_000_000 / count
        served.type("network: { latency: 200ms }")
        served.type("server: { post: { to: stukov, count: \(count), every: \(interval)us } }")
        // The output must be read, because Squall would otherwise block when the pipe is full.
        while let event = served.line(with: "server.stored") {
            if event.contains("\"sequence\":\(count),") { break }
        }
        try browser.wait(until: "view.run.received === view.run.count && view.run.count >= \(count)")
        let found = try browser.value(
            of: """
                ({ received: view.run.received, count: view.run.count, lost: view.run.lost, dropped: view.run.dropped,
                  longest: window.longest, gap: window.gap, busy: window.busy, rows: view.lanes.rows.length,
                  nodes: document.querySelectorAll('*').length, heap: performance.memory?.usedJSHeapSize ?? 0 })
                """
        )
        print("panel: \(found) in \(soakMinutes) min")
        #expect(found["lost"] == 0)
        #expect(found["dropped"] == 0)
        #expect(found["received"] == found["count"])
        #expect((found["gap"]?.doubleValue ?? .infinity) < 2_000)
        // Tasks longer than 50 ms, which a user could notice, must add up to less than a tenth of the time.
        #expect((found["busy"]?.doubleValue ?? .infinity) < Double(seconds) * 100)
        #expect(browser.complaints == [])
        served.type("quit")
        #expect(served.ending().status == 0)
    }
}

/// The duration of a soak run in minutes; 0 if none is requested.
private let soakMinutes: Int = {
    let variables = ProcessInfo.processInfo.environment
    guard variables["SQUALL_SOAK"] == "1" else { return 0 }
    return variables["SQUALL_SOAK_MINUTES"].flatMap { Int($0) } ?? 10
}()
