import Foundation
import SquallCore
import TestSupport
import Testing

/// Tests `squall run --client http` with apps that follow the protocol and apps that violate it.
@Suite(.ownThread, .timeLimit(.minutes(20)))
struct ControlPortTests {
    /// Two cases for an app that polls Squall but does not open a chat connection.
    private static let scenario = """
        squall: 1
        name: An app that polls
        with: [{ text: one, name: first }, { text: two, name: second }]
        script:
          - user: { open: stukov }
          - wait: { connection.state: connecting }
          - user: { send: "${text}", as: hello }
          - wait: { "message.status[hello]": queued }
        expect:
          - eventually: { "message.status[hello]": queued, within: 10s }

        """

    /// A scenario that never ends on its own.
    private static let endless = """
        squall: 1
        name: A wait for nothing
        script:
          - wait: { connection.state: connecting }
          - wait: { next: { connection.state: connected }, within: 100s }
        expect:
          - never: server.protocol_error

        """

    private static func runs(_ ending: Command.Ending) throws -> [JSON] {
        try #require(try JSON.decode(ending.output)["scenarios"]?.arrayValue, "\(ending.errors)")
    }

    // MARK: - Correct apps

    @Test("An app that supports reset plays several cases in turn and is reset between them")
    func reset() throws {
        let run = try AppRun(Self.scenario, "--format", "json")
        let app = try DemoApp(run.url, takes: "open,send,reset")
        let ending = try run.command.ending()
        #expect(ending.status == 0, "\(ending.output)\(ending.errors)")
        #expect(try Self.runs(ending).map { $0["client"] } == ["app-demo", "app-demo"])
        let types = app.commands.compactMap { $0["type"]?.stringValue }
        #expect(types == ["init", "init", "start", "open", "send", "reset", "init", "start", "open", "send"])
        #expect(app.commands.filter { $0["type"] == "init" }.allSatisfy { $0["fresh"] == true })
        #expect(!run.hasFile, "the file goes with the port")
    }

    @Test("An app that supports restart is a new instance for each case and keeps its stored data after a kill")
    func restart() throws {
        let scenario = """
            squall: 1
            name: An app that is killed
            script:
              - wait: { connection.state: connecting }
              - device: { kill: { down: 200ms } }
              - wait: { next: { connection.state: connecting }, within: 20s }
            expect:
              - count: { of: client.started, exactly: 2 }

            """
        let run = try AppRun(scenario, "--format", "json", "--repeat", "2")
        var app = try DemoApp(run.url, takes: "restart")
        var isFresh: [JSON?] = []
        let limit = ContinuousClock.now + .seconds(60)
        while run.command.process.isRunning, ContinuousClock.now < limit {
            usleep(5_000)
            guard !app.isRunning else { continue }
            isFresh += app.commands.filter { $0["type"] == "init" }.map { $0["fresh"] }
            app = try DemoApp(run.url, takes: "restart")
        }
        let ending = try run.command.ending()
        #expect(ending.status == 0, "\(ending.output)\(ending.errors)")
        // The first `init` only asks what the app reports; it is followed by another `init` for each run.
        #expect(isFresh.prefix(4) == [true, true, false, true])
    }

    @Test("A scenario with several clients or a suspended client is skipped for an app, with the reason")
    func skipped() throws {
        let two = "squall: 1\nname: Two\nclients: [anna, ben]\nscript:\n  - wait: 1s\n"
        let several = try AppRun(two, "--format", "json")
        let app = try DemoApp(several.url, takes: "reset")
        let ending = try several.command.ending()
        #expect(ending.status == 2)
        #expect(ending.output.contains("the scenario has 2 clients, and one app plays one"), "\(ending.output)")
        withExtendedLifetime(app) {}
        let actions = "[{ deed: { suspend: 1s }, name: frozen }, { deed: { kill: { down: 1s } }, name: killed }]"
        let frozen = try AppRun(
            "squall: 1\nname: Frozen\nwith: \(actions)\nscript:\n  - device: \"${deed}\"\n",
            "--format",
            "json"
        )
        let other = try DemoApp(frozen.url, takes: "reset")
        let output = try frozen.command.ending().output
        #expect(output.contains("this client is an app, which Squall cannot freeze"), "\(output)")
        #expect(output.contains("the app takes neither 'restart' nor 'kill', so it cannot be ended"), "\(output)")
        withExtendedLifetime(other) {}
    }

    // MARK: - Requests

    @Test("The control port answers preflight requests, a browser and malformed requests")
    func requests() throws {
        let run = try AppRun(Self.scenario)
        let preflight = run.ask("OPTIONS", "messages")
        #expect(preflight.status == 204)
        #expect(preflight.headers["access-control-allow-origin"] == "*")
        #expect(preflight.headers["access-control-allow-methods"] == "GET, POST")
        let about = run.ask("GET", "")
        #expect(about.status == 200 && about.text.contains("no app is connected"))
        let token = run.url.split(separator: "/").last.map(String.init) ?? ""
        let wrong = AppRun.ask("GET", run.url.replacingOccurrences(of: token, with: "wrong") + "next?app=a&after=0")
        #expect(wrong.status == 401 && wrong.text.contains("wrong token"))
        #expect(wrong.headers["access-control-allow-origin"] == "*", "the page can read why")
        #expect(run.ask("GET", "elsewhere").status == 404)
        #expect(run.ask("POST", "next?app=a&after=0", "{}").status == 405)
        #expect(run.ask("GET", "next?app=a").text.contains("the query needs after=NUMBER"))
        #expect(run.ask("GET", "next?app=%00&after=0").status == 400)
        #expect(run.ask("POST", "messages?app=a", "{").text.contains("the body is not JSON"))
        #expect(run.ask("POST", "messages?app=a", #"{"first":0,"messages":[]}"#).status == 400)
        #expect(run.ask("POST", "messages?app=a", #"{"first":1,"messages":[7]}"#).text.contains("not an object: 7"))
        #expect(run.ask("POST", "messages?app=a", #"{"first":3,"messages":[{}]}"#).status == 409)
        #expect(run.ask("POST", "messages?app=a", String(repeating: "x", count: 5 << 20)).status == 413)
    }

    // MARK: - Faulty apps

    private struct Misdeed: CustomTestStringConvertible {
        var name: String
        var expected: String
        /// An event that the app reports, if any.
        var event: String?
        /// The body of a request that another instance posts to the control port, if any.
        var body: String?

        var testDescription: String { name }
    }

    private static let misdeeds = [
        Misdeed(
            name: "posts garbage",
            expected: "a malformed request to the control port: the body is not JSON",
            body: "{oops"
        ),
        Misdeed(
            name: "posts too much",
            expected: "the body is larger than 4194304 bytes",
            body: String(repeating: "x", count: 5 << 20)
        ),
        Misdeed(
            name: "is started twice",
            expected: "the app connected to the control port again during the run",
            body: #"{"first":1,"messages":[]}"#
        ),
        Misdeed(
            name: "sends no event",
            expected: "the client wrote an object with neither type nor event",
            event: #"{"hello":"you"}"#
        ),
        Misdeed(
            name: "shows what cannot be",
            expected: "\"WEIRD\" is not one of idle, connecting",
            event: #"{"event":"state","value":"WEIRD"}"#
        ),
    ]

    @Test("An app that violates the adapter protocol fails the run with a reason", arguments: misdeeds)
    private func breaks(_ misdeed: Misdeed) throws {
        let run = try AppRun(Self.endless)
        let app = try DemoApp(run.url, takes: "reset", reporting: misdeed.event)
        if let body = misdeed.body {
            app.waits(for: "start")
            _ = run.ask("POST", "messages?app=other", body)
        }
        let ending = try run.command.ending()
        #expect(ending.status == 1, "\(ending.output)\(ending.errors)")
        #expect(ending.output.contains(misdeed.expected), "\(ending.output)")
    }

    @Test("An app that never connects ends the run at once, and the error names the URL to poll")
    func never() throws {
        let run = try AppRun(Self.scenario, "--control-wait", "300ms")
        let ending = try run.command.ending()
        #expect(ending.status == 64)
        #expect(ending.errors.contains("start the app now: it connects to \(run.url) (waiting for 300ms)"))
        #expect(ending.errors.contains("no app connected to \(run.url) within 300ms"), "\(ending.errors)")
        #expect(ending.output.isEmpty, "\(ending.output)")
        #expect(!run.hasFile)
    }

    @Test("Ctrl-C ends the run and closes the control port, both before and after the app has connected")
    func interrupted() async throws {
        for hasApp in [false, true] {
            let run = try AppRun(Self.endless)
            try await run.command.listens()
            let app = hasApp ? try DemoApp(run.url, takes: "reset") : nil
            app?.waits(for: "start")
            run.command.process.interrupt()
            #expect(try run.command.ending().status == 130)
            #expect(!run.hasFile)
            #expect(run.ask("GET", "").status == -1)
        }
    }

    @Test(
        "Options of the control port that contradict each other are refused",
        arguments: [
            (["--control-port", "80"], "--control-port needs --client http"),
            (["--client", "http", "--control-port", "70000"], "--control-port must be 0 to 65535, not 70000"),
            (["--client", "http", "--control-host", "here"], "must be an IPv4 address of this machine, not 'here'"),
            (["--client", "http", "--world", "sim"], "only Squall's own client runs in simulation"),
            (["--client", "http", "--wire-only"], "--wire-only needs a command"),
        ]
    )
    func options(_ arguments: [String], _ sentence: String) throws {
        let ending = try Command(["run", "Scenarios/order"] + arguments).ending()
        #expect(ending.status == 64)
        #expect(ending.errors.contains(sentence), "\(ending.errors)")
    }

    @Test("A control port in use and a file that cannot be written are reported")
    func taken() throws {
        let listener = try Listener()
        defer { close(listener.socket) }
        let scenario = "Scenarios/order/every-message-has-an-id.yaml"
        let port = try Command.run("run", scenario, "--client", "http", "--control-port", "\(listener.port)")
        #expect(port.status == 70)
        #expect(port.errors.contains("choose another port with --control-port"), "\(port.errors)")
        let file = try Command.run("run", scenario, "--client", "http", "--control-file", "/nowhere/control")
        #expect(file.status == 70)
        #expect(file.errors.contains("'/nowhere/control' cannot be written"), "\(file.errors)")
    }
}
