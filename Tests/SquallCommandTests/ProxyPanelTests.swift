import Foundation
import SquallCore
import TestSupport
import Testing

/// Tests `squall proxy --panel` in a browser.
@Suite(.ownThread, .enabled(if: Browser.path != nil, "there is no Chromium on this machine"), .serialized)
struct ProxyPanelTests {
    /// Starts a proxy named redis whose upstream port is closed, and opens its panel.
    private static func open() throws -> (served: Serving, browser: Browser, url: String) {
        let served = try Serving(["--port", "0", "--panel", "--events", "-"], of: "proxy")
        let text = try #require(served.complaint(upTo: "the panel is at "))
        let line = try #require(served.complaint(upTo: "/\n")).split(separator: " ").last
        let url = try #require(line.map { $0.trimmingCharacters(in: .newlines) }, "\(text)")
        let browser = try Browser()
        try browser.open(address: url)
        try browser.wait(until: "document.querySelector('.status').textContent === 'live'")
        try browser.value(of: send("{ action: 'proxy.create', fields: { name: 'redis', upstream: '127.0.0.1:9' } }"))
        #expect(served.line(with: "proxy.listening") != nil)
        try browser.wait(until: "document.querySelector('[data-proxy=redis]')?.textContent === 'Disable'")
        return (served, browser, url)
    }

    private static func send(_ form: String) -> String { "view.actions.send(\(form))" }

    @Test("A button adds a toxic, the panel shows its API call and attributes, and its key removes it")
    func toxicByButton() throws {
        let (served, browser, url) = try Self.open()
        try browser.value(
            of: """
                document.querySelector('[data-action="toxic.add.latency"]').click();
                const field = document.querySelector('.form [data-field=latency]');
                if (field.value !== '200') throw new Error(`the form opens with ${field.value}`);
                field.value = '300';
                field.dispatchEvent(new Event('input', { bubbles: true }));
                """
        )
        try browser.wait(until: "document.querySelector('.form .step').textContent.endsWith('{\"latency\":300}}\\'')")
        try browser.press("Enter")
        try browser.wait(until: "document.querySelector('[data-heal=latency_downstream]')")
        #expect(served.line(with: "toxic.added") != nil)
        try browser.wait(until: "document.querySelector('.values').textContent === 'latency 300, jitter 0'")
        try browser.wait(until: "document.querySelector('.steps code').textContent.startsWith('curl -X POST http://')")
        try browser.press("Escape")
        try browser.press("1")
        #expect(served.line(with: "toxic.removed") != nil)
        try browser.wait(until: "!document.querySelector('[data-heal]')")
        #expect(browser.requests.allSatisfy { $0.hasPrefix(url) })
        #expect(browser.refusals == 0)
        #expect(browser.complaints == [])
    }

    @Test("The proxy's panel disables and enables a proxy, draws its connections and offers the events")
    func proxies() throws {
        let (served, browser, _) = try Self.open()
        try browser.wait(until: "view.run.board.proxies.length > 0")
        let listen = try browser.value(of: "view.run.board.proxies[0].listen").stringValue ?? ""
        let port = try #require(listen.split(separator: ":").last)
        #expect(Tool.run("bash", "-c", "exec 3<>/dev/tcp/127.0.0.1/\(port); cat <&3 >/dev/null; true").status == 0)
        #expect(served.line(with: "link.over") != nil)
        try browser.wait(until: "view.run.ribbons.some((ribbon) => ribbon.name === 'connection' && ribbon.key === '1')")
        try browser.value(of: "document.querySelector('[data-proxy=redis]').click()")
        #expect(served.line(with: "proxy.stopped") != nil)
        try browser.wait(until: "document.querySelector('[data-proxy=redis]').textContent === 'Enable'")
        try browser.value(of: "document.querySelector('[data-proxy=redis]').click()")
        #expect(served.line(with: "proxy.listening") != nil)
        let events = try browser.value(of: "fetch('record').then((answer) => answer.text())").stringValue ?? ""
        #expect(events.split(separator: "\n").count >= 5, "\(events)")
        #expect(try events.split(separator: "\n").allSatisfy { try JSON.decode(Array($0.utf8))["event"] != nil })
    }

    @Test("The proxy's panel shows the API's error for an invalid value, and ctrl-C ends proxy and panel")
    func mistake() throws {
        let (served, browser, _) = try Self.open()
        let answer = try browser.value(
            of: Self.send("{ action: 'toxic.add.corrupt', client: 'nothing', fields: {} }") + ".then((a) => a.refusal)"
        )
        #expect(answer == "proxy not found")
        let alone = try browser.value(
            of: Self.send("{ action: 'toxic.add.corrupt', fields: {} }") + ".then((a) => a.refusal)"
        )
        #expect(alone == "choose a proxy; if there is none, create it first")
        #expect(served.end(SIGINT) == 130)
        try browser.wait(until: "document.querySelector('.status').textContent === 'the proxy has ended'")
    }

    @Test("If the panel port is in use, the proxy exits before it listens")
    func takenPort() throws {
        let listener = try Listener()
        defer { close(listener.socket) }
        let ending = try Command.run("proxy", "--port", "0", "--panel", "--panel-port", "\(listener.port)")
        #expect(ending.status == 70)
        #expect(ending.errors.contains("--panel: "), "\(ending.errors)")
        let usage = try Command.run("proxy", "--panel-port", "9000")
        #expect(usage.status == 64)
    }
}
