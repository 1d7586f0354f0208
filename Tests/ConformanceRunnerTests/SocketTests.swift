import Conformance
import ConformanceRunner
import Foundations
import Synchronization
import Testing
import WebSocketWire

/// Says when something is to stop, or that it has happened.
final class Flag: Sendable {
    private let raised = Atomic(false)
    var isRaised: Bool { raised.load(ordering: .relaxed) }
    func raise() { raised.store(true, ordering: .relaxed) }
}

/// Squall's judges and Squall's endpoints, over sockets on loopback.
@Suite(.serialized, .timeLimit(.minutes(5))) struct SocketTests {
    static let quick = Catalogue.published().filter { !["9", "12", "13"].contains($0.id.category) }

    /// Squall's echo endpoint on a port while the body runs.
    private func withEchoService(_ body: (Int) async throws -> Void) async throws {
        let stop = Flag()
        let ready = AsyncStream.makeStream(of: Int.self)
        async let service: Void = EchoSession.serve(port: 0, isInterrupted: { stop.isRaised }) {
            ready.continuation.yield($0)
        }
        defer { stop.raise() }
        for await port in ready.stream {
            try await body(port)
            break
        }
        stop.raise()
        try await service
    }

    private func faults(in results: [ConformanceResult]) -> [String] {
        results.filter {
            ![.ok, .informational].contains($0.behavior) || ![.ok, .informational].contains($0.closeBehavior)
        }
        .map { "\($0.id) \($0.behavior.rawValue), \($0.closeBehavior.rawValue): \($0.why); \($0.closeWhy)" }
    }

    @Test("The judge of servers passes Squall's own, the published quick cases and all of Squall's")
    func ownServer() async throws {
        let cases =
            (Self.quick + Catalogue.own
            + Catalogue.published().filter { $0.id.matches("13.*.1") || $0.id.matches("9.7") })
            .filter { $0.judged.contains(.server) }
        try await withEchoService { port in
            let target = try ServerTarget("ws://127.0.0.1:\(port)")
            let results = try await ServerJudge.play(cases, against: target, agent: "squall", jobs: 16)
            #expect(results.map(\.id) == cases.map(\.id))
            #expect(faults(in: results) == [])
        }
    }

    @Test("The judge of clients passes Squall's own, driven by the published addresses")
    func ownClient() async throws {
        let cases = (Self.quick.filter { !$0.id.matches("6") } + Catalogue.own).filter { $0.judged.contains(.client) }
        let ready = AsyncStream.makeStream(of: Int.self)
        async let session = ClientSession.play(
            cases,
            port: 0,
            command: nil,
            isInterrupted: { false },
            onReady: { ready.continuation.yield($0) },
            onResult: { _ in },
            onUpdate: { _ in }
        )
        for await port in ready.stream {
            let info = try await EchoDriver.ask("/getCaseInfo?case=1", port: port)
            #expect(info == [#"{"id":"1.1.1","description":"A text of 0 bytes."}"#])
            try await EchoDriver.play(port: port, agent: "squall")
            break
        }
        let results = try await session
        #expect(results.map(\.id) == cases.map(\.id))
        #expect(faults(in: results) == [])
    }

    @Test("A server that goes down in the middle fails what it did not live to see, and the rest is told")
    func serverGoesDown() async throws {
        let stop = Flag()
        let ready = AsyncStream.makeStream(of: Int.self)
        async let service: Void = EchoSession.serve(port: 0, isInterrupted: { stop.isRaised }) {
            ready.continuation.yield($0)
        }
        let cases = Self.quick.filter { $0.id.matches("1") || $0.id.matches("5.19") || $0.id.matches("7.7") }
        for await port in ready.stream {
            let results = try await ServerJudge.play(
                cases,
                against: ServerTarget("ws://127.0.0.1:\(port)"),
                agent: "squall",
                jobs: 1,
                // 5.19 takes a second, in which the listener closes; it stops accepting, and the case goes on.
                onResult: { if $0.id.description == "1.2.8" { stop.raise() } }
            )
            #expect(results.map(\.id) == cases.map(\.id))
            let last = try #require(results.last)
            #expect(last.behavior == .failed)
            #expect(last.why == "the server cannot be reached any more: refused")
            #expect(results.first?.behavior == .ok)
            break
        }
        try? await service
    }

    @Test("Nobody at the address is told as such")
    func unreachable() async throws {
        // Bound and not listening: nobody else can have it meanwhile.
        let target = try ServerTarget("ws://127.0.0.1:1")
        await #expect(throws: ServerJudge.Failure.self) {
            try await ServerJudge.play(Self.quick, against: target, agent: "nobody", jobs: 4)
        }
    }

    @Test(arguments: [
        ("ws://host:9001/a?b", "host", 9001, "/a?b"), ("WS://host", "host", 80, "/"),
        ("ws://[::1]:8080", "::1", 8080, "/"),
        ("ws://h?x=1", "h", 80, "/?x=1"),
    ])
    func urls(url: String, host: String, port: Int, path: String) throws {
        let target = try ServerTarget(url)
        #expect(target.host == host)
        #expect(target.port == port)
        #expect(target.path == path)
    }

    @Test(arguments: ["host:9001", "wss://host", "http://host", "ws://", "ws://host:0", "ws://host:port", "ws://:80"])
    func wrongURLs(url: String) {
        #expect(throws: ServerTarget.Problem.self) { try ServerTarget(url) }
    }
}
