import Adapter
import Conformance
import ConformanceRunner
import SquallCore
import Synchronization
import TestSupport
import Testing
import WebSocketWire

/// Runs Squall's conformance testers against Squall's own endpoints, over loopback sockets.
@Suite(.ownThread, .serialized, .timeLimit(.minutes(20))) struct SocketTests {
    static let quick = ConformanceCatalogue.published().filter { !["9", "12", "13"].contains($0.id.category) }

    @Test("Squall's echo server passes the quick cases of the published suite and Squall's own cases")
    func ownServer() async throws {
        let some = ConformanceCatalogue.published().filter { $0.id.matches("13.*.1") || $0.id.matches("9.7") }
        let all = PythonPeers.isSoak ? ConformanceCatalogue.cases() : Self.quick + ConformanceCatalogue.own + some
        let cases = all.filter { $0.testedRoles.contains(.server) }
        try await EchoEndpoint.with { port in
            let target = try ServerTarget("ws://127.0.0.1:\(port)")
            let results = try await ServerTester.play(cases, against: target, agent: "squall", jobs: 16)
            #expect(results.map(\.id) == cases.map(\.id))
            #expect(faults(in: results) == [])
        }
    }

    @Test("Squall's echo client passes when it is driven by the published suite's control URLs")
    func ownClient() async throws {
        let all = PythonPeers.isSoak ? ConformanceCatalogue.cases() : Self.quick + ConformanceCatalogue.own
        let cases = all.filter { $0.testedRoles.contains(.client) }
        let results = try await EchoDriver.judge(cases) { port in
            let info = try await EchoDriver.ask("/getCaseInfo?case=1", port: port)
            #expect(info == [#"{"id":"1.1.1","description":"A text of 0 bytes."}"#])
        }
        #expect(results.map(\.id) == cases.map(\.id))
        #expect(faults(in: results) == [])
    }

    @Test("A status request for a running case waits for the result; one for a case never requested returns at once")
    func caseStatus() async throws {
        let cases = ConformanceCatalogue.own.filter { ["T.3", "T.4"].contains($0.id.description) }
        _ = try await EchoDriver.judge(cases) { port in
            #expect(try await EchoDriver.ask("/getCaseStatus?case=2&agent=squall", port: port).isEmpty)
            async let playing = EchoDriver.ask("/runCase?case=1&agent=other", port: port, echoes: true)
            var status: [String] = []
            while status.isEmpty {
                status = try await EchoDriver.ask("/getCaseStatus?case=1&agent=other", port: port)
            }
            #expect(status == [#"{"behavior":"OK"}"#])
            _ = try await playing
        }
    }

    @Test("A malformed request is answered with an HTTP status and the reason")
    func statuses() async throws {
        _ = try await EchoDriver.judge([]) { port in
            for (request, line) in [
                ("GET / HTTP/2.0\r\n\r\n", "HTTP/1.1 505 HTTP Version Not Supported\r\n"),
                ("GET / HTTP/1.1\r\nX: \(String(repeating: "a", count: 20_000))\r\n\r\n", "HTTP/1.1 431 "),
                ("squall\r\n\r\n", "HTTP/1.1 400 Bad Request\r\n"),
                ("GET /elsewhere HTTP/1.1\r\nHost: a\r\n\r\n", "HTTP/1.1 404 Not Found\r\n"),
            ] {
                let said = try await EchoDriver.say(Array(request.utf8), port: port)
                #expect(said.hasPrefix(line), "\(said)")
            }
        }
    }

    @Test("After a server has stopped, the remaining cases fail and the earlier results are kept")
    func serverGoesDown() async throws {
        let cases = Self.quick.filter { $0.id.matches("1") || $0.id.matches("5.19") || $0.id.matches("7.7") }
        try await EchoEndpoint.with { port, endpoint in
            let results = try await ServerTester.play(
                cases,
                against: ServerTarget("ws://127.0.0.1:\(port)"),
                agent: "squall",
                jobs: 1,
                // Case 5.19 takes a second. The listener is closed meanwhile, so it accepts no further connections, but
                // the case continues.
                onResult: { if $0.id.description == "1.2.8" { endpoint.cancel() } }
            )
            #expect(results.map(\.id) == cases.map(\.id))
            let last = try #require(results.last)
            #expect(last.behavior == .failed)
            #expect(last.why == "the server is no longer reachable: connection refused")
            #expect(results.first?.behavior == .ok)
        }
    }

    @Test("Cancelling a run against a server stops the current case and returns the results so far")
    func interrupted() async throws {
        let slow = ConformanceCatalogue.own.filter { $0.id.description == "T.4" }
        let cases = Self.quick.filter { $0.id.matches("1") } + slow
        try await EchoEndpoint.with { port in
            let target = try ServerTarget("ws://127.0.0.1:\(port)")
            let done = AsyncStream.makeStream(of: Void.self)
            let judging = Task {
                try await ServerTester.play(cases, against: target, agent: "squall", jobs: 1) {
                    if $0.id.description == "1.2.8" { done.continuation.yield() }
                }
            }
            // Case T.4 takes two seconds and starts once case 1.2.8 has ended.
            for await _ in done.stream { break }
            judging.cancel()
            let results = try await judging.value
            #expect(results.map(\.id) == cases.dropLast().map(\.id))
        }
    }

    @Test("Cancelling a run of clients before a client connects returns no results")
    func noClient() async throws {
        let ready = AsyncStream.makeStream(of: Int.self)
        let judging = Task {
            try await ClientSession.play(Self.quick, port: 0, command: nil, onReady: { ready.continuation.yield($0) })
        }
        for await _ in ready.stream { break }
        judging.cancel()
        let outcome = try await judging.value
        #expect(outcome.results.isEmpty && outcome.commandEnd == nil)
    }

    @Test("A client command that requests no case is reported with its exit status")
    func commandEnds() async throws {
        let outcome = try await ClientSession.play(Self.quick, port: 0, command: "sh -c 'exit 3'", onReady: { _ in })
        #expect(outcome.results.isEmpty)
        #expect(outcome.commandEnd?.description == "exit status 3")
    }

    @Test("A server that cannot be reached is reported")
    func unreachable() async throws {
        // No program listens on port 1.
        let target = try ServerTarget("ws://127.0.0.1:1")
        await #expect(throws: ServerTester.Failure.self) {
            try await ServerTester.play(Self.quick, against: target, agent: "none", jobs: 4)
        }
    }

    @Test("A server that rejects the WebSocket handshake with status 404 is reported, and no case is played")
    func noWebSocket() async throws {
        let ready = AsyncStream.makeStream(of: Int.self)
        let judge = Task {
            try await ClientSession.play(Self.quick, port: 0, command: nil, onReady: { ready.continuation.yield($0) })
        }
        for await port in ready.stream {
            let target = try ServerTarget("ws://127.0.0.1:\(port)/elsewhere")
            await #expect(throws: ServerTester.Failure.noWebSocket("refused with status 404")) {
                try await ServerTester.play(Self.quick, against: target, agent: "no echo", jobs: 4)
            }
            break
        }
        judge.cancel()
        _ = try await judge.value
    }

    @Test("Cases that transfer megabytes are played last but reported in catalogue order")
    func heavyLast() async throws {
        let cases = ConformanceCatalogue.published().filter { ["9.7.1", "5.19", "10.1.1"].contains($0.id.description) }
        #expect(cases.map(\.id.description) == ["5.19", "9.7.1", "10.1.1"])
        let order = Mutex<[String]>([])
        try await EchoEndpoint.with { port in
            let results = try await ServerTester.play(
                cases,
                against: ServerTarget("ws://127.0.0.1:\(port)"),
                agent: "squall",
                jobs: 3,
                onResult: { result in order.withLock { $0.append(result.id.description) } }
            )
            #expect(results.map(\.id) == cases.map(\.id))
        }
        #expect(order.withLock(\.self) == ["10.1.1", "5.19", "9.7.1"])
    }

    @Test(
        "A WebSocket URL is parsed into host, port, path and scheme",
        arguments: [
            ("ws://host:9001/a?b", "host", 9001, "/a?b"), ("WS://host", "host", 80, "/"),
            ("ws://[::1]:8080", "::1", 8080, "/"),
            ("ws://h?x=1", "h", 80, "/?x=1"), ("wss://h", "h", 443, "/"), ("WSS://h:8443/x", "h", 8443, "/x"),
        ]
    )
    func urls(url: String, host: String, port: Int, path: String) throws {
        let target = try ServerTarget(url)
        #expect(target.host == host)
        #expect(target.port == port)
        #expect(target.path == path)
        #expect(target.isSecure == (url.prefix(4).lowercased() == "wss:"))
    }

    @Test(
        "A URL that is not a plain WebSocket URL is refused",
        arguments: [
            "host:9001", "https://host", "http://host", "ws://", "ws://host:0", "ws://host:port", "ws://:80",
            "ws://a/b c",
            "ws://a/#b", "ws://me:word@host/", "ws://hö/",
        ]
    )
    func wrongURLs(url: String) {
        #expect(throws: ServerTarget.Problem.self) { try ServerTarget(url) }
    }
}
