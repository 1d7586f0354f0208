import Foundation
import SquallCore
import TestSupport
import Testing

/// Tests `squall serve --panel` in a browser.
@Suite(.ownThread, .enabled(if: Browser.path != nil, "there is no Chromium on this machine"), .serialized)
struct ServedPanelTests {
    private static func open(_ arguments: String...) throws -> (served: Serving, browser: Browser, url: String) {
        let served = try Serving(["--format", "json", "--panel"] + arguments)
        let line = try #require(served.line(with: "panel_url"))
        let url = try #require(try JSON.decode(line)["panel_url"]?.stringValue)
        let browser = try Browser()
        try browser.open(address: url)
        try browser.wait(until: "document.querySelector('.status').textContent === 'live'")
        return (served, browser, url)
    }

    @Test("A panel button starts a fault, the panel lists it with its step, and its key heals it")
    func faultByButton() throws {
        let (served, browser, url) = try Self.open()
        try browser.value(of: "document.querySelector('[data-action=\"network.stall\"]').click()")
        try browser.wait(until: "document.querySelector('.form .step')?.textContent === 'network: stall'")
        try browser.press("Enter")
        try browser.wait(until: "document.querySelector('[data-heal=\"stall\"]')")
        try browser.wait(until: "document.querySelector('.steps code')?.textContent === 'network: stall'")
        #expect(served.line(with: "fault.began")?.contains("stall") == true)
        try browser.press("Escape")
        try browser.press("1")
        try browser.wait(until: "!document.querySelector('[data-heal]')")
        #expect(served.line(with: "fault.ended")?.contains("stall") == true)
        // The page sends requests only to Squall, and its content security policy blocks none of them.
        #expect(browser.requests.allSatisfy { $0.hasPrefix(url) })
        #expect(browser.refusals == 0)
        #expect(browser.complaints == [])
    }

    @Test("The panel lists a rate limit, which its key undoes, and healing all also restores logins")
    func changesAreUndone() throws {
        let (served, browser, _) = try Self.open()
        served.type("server: { limit: { count: 2, per: 10s } }")
        try browser.wait(until: "document.querySelector('[data-undo=\"server.limit\"]')")
        try browser.press("1")
        try browser.wait(until: "!document.querySelector('[data-undo]')")
        served.type("server: { auth: { accept: false } }")
        served.type("network: refuse")
        try browser.wait(until: "document.querySelector('[data-undo=\"server.auth\"]')")
        try browser.wait(until: "document.querySelector('[data-heal=\"refuse\"]')")
        try browser.press("0")
        try browser.wait(until: "!document.querySelector('[data-undo], [data-heal]')")
        #expect(browser.complaints == [])
        served.type("quit")
        #expect(served.ending().status == 0)
    }

    @Test("Every button of the panel has a key of its own or gets one from F")
    func everyButtonHasAKey() throws {
        let (served, browser, _) = try Self.open()
        for key in ["s", "p"] { try browser.press(key) }
        try browser.wait(until: "document.querySelector('.form .step')?.textContent === 'server: { post: stukov }'")
        try browser.press("Enter")
        try browser.wait(until: "document.querySelectorAll('.steps code').length === 1")
        try browser.press("F")
        let without = try browser.value(
            of: """
                (() => {
                  const hinted = new Set(hints.buttons.values());
                  return [...document.querySelectorAll('button, summary')]
                    .filter((button) => !hinted.has(button) && KeyHints.needsHint(button)).map((button) => button.outerHTML);
                })()
                """
        )
        #expect(without == [])
        let key = try browser.value(
            of: """
                window.chosen = [...hints.buttons].find(([, button]) => button.localName === 'summary');
                window.wasOpen = chosen[1].parentElement.open;
                chosen[0]
                """
        )
        for letter in try #require(key.stringValue) { try browser.press(String(letter)) }
        try browser.wait(until: "chosen[1].parentElement.open !== wasOpen")
        #expect(try browser.value(of: "hints.isShown || document.querySelectorAll('.hints').length > 0") == false)
        try browser.press("F")
        try browser.press("Escape")
        #expect(try browser.value(of: "hints.isShown") == false)
        served.type("quit")
        #expect(served.ending().status == 0)
    }

    @Test("The panel refuses an invalid step with the same message as the terminal")
    func mistake() throws {
        let (served, browser, _) = try Self.open()
        try browser.value(
            of: """
                document.querySelector('[data-action="network.latency"]').click();
                const field = document.querySelector('.form input');
                field.value = 'soon';
                field.dispatchEvent(new Event('input', { bubbles: true }));
                """
        )
        try browser.wait(until: "document.querySelector('.form .refusal').textContent.includes('soon')")
        let shown = try browser.value(of: "document.querySelector('.form .refusal').textContent").stringValue ?? ""
        #expect(!shown.contains("step:1") && !shown.contains("|"), "the form shows the place: \(shown)")
        served.type("quit")
        #expect(served.ending().status == 0)
    }

    @Test("A form can be performed whatever its fields are called, such as contains")
    func fieldNames() throws {
        let (served, browser, _) = try Self.open()
        try browser.value(of: "document.querySelector('[data-action=\"network.frames\"]').click()")
        try browser.wait(until: "document.querySelector('.form [data-field=contains]')")
        try browser.wait(until: "document.querySelector('.form .step')?.textContent.startsWith('network: { frames')")
        try browser.press("Enter")
        try browser.wait(until: "document.querySelectorAll('.steps code').length === 1")
        #expect(browser.complaints == [])
        served.type("quit")
        #expect(served.ending().status == 0)
    }

    @Test("After Enter has performed a form, the next keys are the panel's, and the space bar pauses")
    func keysAfterEnter() throws {
        let (served, browser, _) = try Self.open()
        for key in ["s", "p"] { try browser.press(key) }
        try browser.wait(until: "document.querySelector('.form .step')?.textContent === 'server: { post: stukov }'")
        try browser.press("Enter")
        try browser.wait(until: "document.querySelectorAll('.steps code').length === 1")
        try browser.press("d")
        try browser.wait(until: "document.querySelector('.form .step')?.textContent === 'network: drop'")
        try browser.press("Enter")
        try browser.wait(until: "document.querySelectorAll('.steps code').length === 2")
        try browser.press(" ")
        try browser.wait(until: "document.querySelector('.status').textContent === 'held'")
        #expect(try browser.value(of: "document.querySelectorAll('.steps code').length").intValue == 2)
        served.type("quit")
        #expect(served.ending().status == 0)
    }

    @Test("The keys z and x perform the last step again and copy the step of the form")
    func againAndCopy() throws {
        let (served, browser, _) = try Self.open()
        try browser.value(of: "window.copied = []; copy = (text) => { window.copied.push(text); return true; }; 0")
        for key in ["X", "s", "p"] { try browser.press(key) }
        try browser.wait(until: "document.querySelector('.form .step')?.textContent === 'server: { post: stukov }'")
        try browser.press("Enter")
        try browser.wait(until: "document.querySelectorAll('.steps code').length === 1")
        for key in ["z", "x"] { try browser.press(key) }
        try browser.wait(until: "document.querySelectorAll('.steps code').length === 2")
        try browser.press("X")
        let line = "server: { post: stukov }"
        let copied = try browser.value(of: "window.copied")
        #expect(copied == [.string(line), .string("  - \(line)\n  - \(line)\n")], "\(copied)")
        served.type("quit")
        #expect(served.ending().status == 0)
    }

    @Test("In the panel the space bar holds and releases the run, and n steps to the next event")
    func hold() throws {
        let (served, browser, _) = try Self.open()
        try browser.press("n")
        try browser.wait(until: "document.querySelector('.complaint').textContent.includes('not held')")
        try browser.press(" ")
        #expect(served.line(with: "run.hold_began") != nil)
        try browser.wait(until: "document.querySelector('.status').textContent === 'held'")
        let before = try browser.value(of: "view.run.end")
        try browser.wait(until: "view.run.advance() || view.run.end === \(before.intValue ?? 0)")
        try browser.press("n")
        #expect(served.line(with: "run.hold_ended") != nil)
        try browser.wait(until: "document.querySelector('.status').textContent === 'step: goes on to the next event'")
        served.type("server: { post: stukov }")
        #expect(served.line(with: "run.hold_began") != nil)
        try browser.wait(until: "document.querySelector('.status').textContent === 'held'")
        try browser.press(" ")
        #expect(served.line(with: "run.hold_ended") != nil)
        try browser.wait(until: "document.querySelector('.status').textContent === 'live'")
    }

    @Test("The panel offers the trace while Squall runs, and shows when Squall has ended")
    func end() throws {
        let (served, browser, _) = try Self.open()
        let trace = try browser.value(of: "fetch('record').then((answer) => answer.text())")
        #expect(trace.stringValue?.contains("server.started") == true)
        served.type("quit")
        #expect(served.ending().status == 0)
        try browser.wait(until: "document.querySelector('.status').textContent.startsWith('nothing to judge')")
    }

    @Test(
        "Panel options that contradict each other are refused",
        arguments: [
            (["--panel-port", "80"], "--panel-port and --panel-host need --panel"),
            (["--panel", "--panel-port", "70000"], "--panel-port must be 0 to 65535, not 70000"),
            (["--panel", "--panel-host", "here"], "--panel-host must be an IPv4 address of this machine, not 'here'"),
            (["--panel", "--echo"], "--echo has no panel"),
        ]
    )
    func options(_ arguments: [String], _ sentence: String) throws {
        let ending = try Command(["serve"] + arguments).ending()
        #expect(ending.status == 64)
        #expect(ending.errors.contains(sentence), "\(ending.errors)")
    }

    @Test("A panel port in use is reported")
    func takenPort() throws {
        let listener = try Listener()
        defer { close(listener.socket) }
        let ending = try Command.run("serve", "--panel", "--panel-port", "\(listener.port)")
        #expect(ending.status == 70)
        #expect(ending.errors.contains("--panel: "), "\(ending.errors)")
        let served = try Command.run("serve", "--port", "\(listener.port)")
        #expect(served.status == 70)
        #expect(served.errors.contains("choose another port"), "\(served.errors)")
        #expect(!served.errors.contains("firewall"), "\(served.errors)")
    }
}
