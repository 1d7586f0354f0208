import Foundation
import SquallCore
import TestSupport
import Testing

/// Tests `squall serve` with typed commands, using a plain socket in place of the app.
@Suite(.ownThread, .timeLimit(.minutes(20))) struct ServeTests {
    private static func serving(_ arguments: String...) throws -> Serving {
        try Serving(["--format", "json"] + arguments)
    }

    /// Reads the next client's addresses from the output and returns their port.
    private static func port(of served: Serving) throws -> String {
        let place = try JSON.decode(try #require(served.line(with: "ws_urls")))
        #expect(place["key"] == "key-1")
        let url = try #require(place["http_urls"]?.arrayValue?.first?.stringValue)
        return try #require(url.split(separator: ":").last.map(String.init))
    }

    private static let upgrade =
        #"GET /ws HTTP/1.1\r\nHost: chat.test\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"#
        + #"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"#

    /// Starts a process that connects to the port, requests a WebSocket and exits when the connection ends.
    private static func connect(to port: String) throws -> Process {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["bash", "-c", "exec 3<>/dev/tcp/127.0.0.1/\(port); printf '\(upgrade)' >&3; exec cat <&3"]
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        return process
    }

    @Test("A step typed into squall serve is performed, and its events are printed")
    func typedStepsAreDone() throws {
        let served = try Self.serving()
        let app = try Self.connect(to: try Self.port(of: served))
        #expect(served.line(with: "network.accepted") != nil)
        served.type("netwrok: drop")
        served.type("drop")
        #expect(served.line(with: "fault.hit") != nil)
        app.waitUntilExit()
        served.type("server: { post: stukov }")
        #expect(served.line(with: "server.stored")?.contains("stukov") == true)
        served.type("quit")
        let ending = served.ending()
        #expect(ending.status == 0)
        #expect(ending.errors.contains("did you mean 'network'?"))
    }

    @Test("'status' shows the connections and the active faults, each fault with the step that heals it")
    func statusShowsWhatIsActive() throws {
        let served = try Self.serving("--client", "anna", "--client", "ben")
        _ = try Self.port(of: served)
        let app = try Self.connect(to: try Self.port(of: served))
        #expect(served.line(with: "network.accepted") != nil)
        served.type("{ network: { blackhole: { clients: [ben] } }, as: tunnel }")
        served.type("status")
        let state = try #require(served.complaint(upTo: "network: { heal: tunnel }"))
        #expect(state.contains("anna: 0 open connections"), "\(state)")
        #expect(state.contains("ben: 1 open connection\n"), "\(state)")
        #expect(state.contains("blackhole on the link of ben, active for 0s"), "\(state)")
        #expect(!state.contains("no active fault"), "\(state)")
        served.type("network: { heal: tunnel }")
        served.type("server: { limit: { count: 2, per: 10s } }")
        served.type("status")
        #expect(served.complaint(upTo: "no active fault") != nil)
        let limit = "server: { limit: { count: 2, per: 10s } } is in force; undo it with  server: { limit: { count: "
        #expect(served.complaint(upTo: limit) != nil)
        served.type("quit")
        #expect(served.ending().status == 0)
        app.waitUntilExit()
    }

    @Test("'status' does not count a connection that the app abandoned in a blackhole")
    func statusLeavesOutDeadConnections() throws {
        let served = try Self.serving()
        let port = try Self.port(of: served)
        let first = try Self.connect(to: port)
        #expect(served.line(with: "server.answered.ws") != nil)
        served.type("{ network: blackhole, as: tunnel }")
        served.type("network: { heal: tunnel }")
        #expect(served.line(with: "fault.ended") != nil)
        let second = try Self.connect(to: port)
        #expect(served.line(with: "server.answered.ws") != nil)
        served.type("status")
        let state = try #require(served.complaint(upTo: "no active fault"))
        #expect(state.contains(": 1 open connection\n"), "\(state)")
        served.type("quit")
        #expect(served.ending().status == 0)
        for app in [first, second] {
            app.terminate()
            app.waitUntilExit()
        }
    }

    @Test("'quit' reports how many invariants held, or that no app connected")
    func verdicts() throws {
        for (connects, verdict) in [(false, "nothing to judge: no app has connected"), (true, "invariants held")] {
            let served = try Serving(["--verbose"])
            let place = try #require(served.line(with: "ws://"))
            let port = try #require(place.firstMatch(of: /127\.0\.0\.1:(\d+)/)).1
            let app = connects ? try Self.connect(to: String(port)) : nil
            if connects { #expect(served.line(with: "server.answered.ws") != nil) }
            served.type("quit")
            let ending = served.ending()
            #expect(ending.status == 0)
            #expect(ending.errors.contains(verdict), "\(ending.errors)")
            app?.waitUntilExit()
        }
    }

    @Test("While held, serve accepts and reads nothing and its clock stops; the input is handled after the release")
    func held() throws {
        let served = try Self.serving()
        let port = try Self.port(of: served)
        served.type("hold")
        let began = try JSON.decode(try #require(served.line(with: "run.hold_began")))
        // While the run is held, the app's connection is accepted only by the kernel.
        let app = try Self.connect(to: port)
        served.type("server: { post: stukov }")
        served.type("status")
        #expect(served.complaint(upTo: "open connections")?.contains("s, held") == true)
        served.type("release")
        var names: [String] = []
        var ended: JSON?
        while let line = served.line(with: "{") {
            let event = try JSON.decode(line)
            names.append(event["name"]?.stringValue ?? "")
            if names.last == "run.hold_ended" { ended = event }
            if names.last == "server.accepted" { break }
        }
        // The typed step is performed at the instant of the hold, but data from the app is processed only after the
        // release.
        #expect(names.prefix { $0 != "run.hold_ended" }.allSatisfy { !$0.hasPrefix("network.") }, "\(names)")
        #expect(names.prefix { $0 != "run.hold_ended" }.contains("server.stored"), "\(names)")
        #expect(ended?["time"] == began["time"])
        served.type("quit")
        #expect(served.ending().status == 0)
        app.waitUntilExit()
    }

    /// Error messages must quote steps as they were typed, and a step that cannot have any effect must be an error.
    @Test("A step that is not allowed in squall serve is refused with a reason")
    func impossibleStepsAreRefused() throws {
        let served = try Self.serving()
        for line in ["wait: 1s", "user: { send: hi }", "network: { certificate: expired }", "network: handshake"] {
            served.type(line)
        }
        served.type("quit")
        let ending = served.ending()
        #expect(ending.status == 0)
        for part in [
            "step:1:1: error: 'wait' is only allowed in a script; a typed step runs at once",
            "the client is your app: do 'send' there",
            "step:1:1: error: this alters a TLS handshake, and the links of this run carry no TLS",
            "= help: squall serve --tls, to which clients connect by wss and https",
        ] { #expect(ending.errors.contains(part), "\(ending.errors)") }
        #expect(ending.errors.components(separatedBy: "this alters a TLS handshake").count == 3, "\(ending.errors)")
    }

    /// A client that leaves too many connections open exhausts Squall's descriptors.
    @Test("The error for a client that opens too many connections names the client")
    func aClientThatOpensTooManyConnectionsIsNamed() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let file = try scratch.write(
            "squall: 1\nname: many\nscript:\n  - wait: 60s\nexpect:\n  - never: client.connected\n",
            to: "many.yaml"
        )
        let client = try scratch.write(
            #"""
            #!/bin/bash
            address=${SQUALL_WS_URL#ws://}; address=${address%/ws}
            for ((i = 10; i < 400; i++)); do eval "exec $i<>/dev/tcp/${address%:*}/${address#*:}" || break; done
            sleep 60
            """#,
            to: "many.sh"
        )
        let run = "ulimit -Sn 200; ulimit -Hn 200; exec '\(Command.binary.path)' run \(file) --wire-only --client"
        let ending = Tool.run("bash", "-c", "\(run) 'bash \(client)'")
        #expect(ending.status == 1, "\(ending)")
        let said = String(decoding: ending.bytes, as: UTF8.self)
        #expect(said.contains("connections open, and Squall, which may have 200"), "\(said)")
    }

    @Test("Every client of squall serve has its own port")
    func everyClientHasAPortByWhichItIsKnown() throws {
        let served = try Self.serving("--client", "anna", "--client", "ben")
        let ports = [try Self.port(of: served), try Self.port(of: served)]
        #expect(Set(ports).count == 2)
        let app = try Self.connect(to: ports[1])
        #expect(served.line(with: "network.accepted")?.contains(#""client":"ben""#) == true)
        served.type("network: { reset_peer: { clients: [ben] } }")
        #expect(served.line(with: "fault.hit")?.contains("ben") == true)
        app.waitUntilExit()
        #expect(served.end(SIGINT) == 130)
    }

    /// Returns a server after a client has reconnected to it twelve times with no delay at all.
    private static func servingABrokenClient() throws -> Serving {
        let served = try serving()
        let port = try port(of: served)
        for _ in 0..<12 {
            let app = try connect(to: port)
            #expect(served.line(with: "client.attempt.began") != nil)
            served.type("network: reset_peer")
            app.waitUntilExit()
        }
        return served
    }

    @Test("'quit' judges the invariants and reports the broken ones")
    func quitJudgesWhatWasSeen() throws {
        let served = try Self.servingABrokenClient()
        served.type("quit")
        let ending = served.ending()
        #expect(ending.status == 1)
        #expect(ending.errors.contains("FAIL  invariant backoff_envelope"), "\(ending.errors)")
    }

    @Test(
        "A broken invariant is a failure after SIGTERM too, and ctrl-C keeps its own status",
        arguments: [(SIGTERM, Int32(1)), (SIGINT, Int32(130))]
    )
    func aSignalDoesNotHideABrokenInvariant(_ signal: Int32, _ status: Int32) throws {
        #expect(try Self.servingABrokenClient().end(signal) == status)
    }

    @Test("'quit' without a connected app reports that there was nothing to judge")
    func quitTellsThatNothingWasJudged() throws {
        let served = try Serving([])
        #expect(served.line(with: "ws://") != nil)
        served.type("quit")
        let ending = served.ending()
        #expect(ending.status == 0)
        #expect(ending.errors.contains("nothing to judge"), "\(ending.errors)")
    }

    @Test("squall serve exits with status 70 for a port in use and with status 64 for invalid arguments")
    func aPortInUseEndsWith70() throws {
        let served = try Self.serving()
        let port = try Self.port(of: served)
        let taken = try Command.run("serve", "--port", port)
        #expect(taken.status == 70)
        #expect(taken.errors.contains("127.0.0.1"), "\(taken.errors)")
        for (arguments, part) in [
            (["--host", "nowhere"], "IPv4"), (["--port", "70000"], "65535"),
            (["--port", "9223372036854775807", "--client", "a", "--client", "b"], "65535"),
            (["--port=-1", "--client", "a", "--client", "b"], "65535"), (["--echo", "--client", "a"], "echo"),
            (["--name", "x"], "--tls"),
        ] {
            let ending = try Command(["serve"] + arguments).ending()
            #expect(ending.status == 64 && ending.errors.contains(part), "\(arguments): \(ending.errors)")
        }
        let wrong = try Command.run("serve", "--profile", "chatux")
        #expect(wrong.status != 0 && wrong.errors.contains("chat-ux"), "\(wrong.errors)")
        let listening = try Command.run("run", "Scenarios", "--listen", "127.0.0.1:9")
        #expect(listening.status == 64 && listening.errors.contains("--listen needs --client http or external"))
    }
}
