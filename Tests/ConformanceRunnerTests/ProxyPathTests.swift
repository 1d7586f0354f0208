import Conformance
import ConformanceRunner
import Foundation
import Proxy
import SquallCore
import Synchronization
import TestSupport
import Testing
import WebSocketWire

/// Runs `squall proxy` between two ports, on its own thread.
private enum ProxyPath {
    /// Starts a proxy to `upstream`, and returns the port that it listens on and a closure that stops it.
    static func open(to upstream: Int) throws -> (port: Int, close: @Sendable () -> Void) {
        let started = DispatchSemaphore(value: 0)
        let box = Box()
        Thread.detachNewThread {
            do {
                var options = ProxyServer.Options()
                (options.host, options.port) = ("127.0.0.1", 0)
                let server = try ProxyServer(options)
                let api = try server.listen()
                let mailbox = server.reactor.mailbox
                box.found.withLock { $0 = (Int(api.split(separator: ":").last ?? "") ?? 0, { mailbox.post(.stop) }) }
                started.signal()
                server.run()
            } catch {
                started.signal()
            }
        }
        started.wait()
        let (api, close) = try #require(box.found.withLock { $0 })
        return (try create(at: api, to: upstream), close)
    }

    private final class Box: Sendable {
        let found = Mutex<(api: Int, close: @Sendable () -> Void)?>(nil)
    }

    /// Creates a proxy through the HTTP API and returns its port.
    private static func create(at api: Int, to upstream: Int) throws -> Int {
        let body = #"{"name":"path","upstream":"127.0.0.1:\#(upstream)","listen":"127.0.0.1:0"}"#
        let answer = Tool.run("curl", "-s", "-d", body, "http://127.0.0.1:\(api)/proxies").bytes
        let listen = try JSON.decode(Array(answer))["listen"]?.stringValue ?? ""
        return try #require(Int(listen.split(separator: ":").last ?? ""))
    }
}

/// Tests that Squall's proxy changes neither the bytes nor the way connections end: a peer that passes a case without
/// the proxy also passes it through the proxy.
@Suite(.ownThread, .serialized, .timeLimit(.minutes(20))) struct ProxyPathTests {
    /// The fast cases and Squall's own cases, or all cases in a soak run.
    private static let cases =
        PythonPeers.isSoak ? ConformanceCatalogue.cases() : SocketTests.quick + ConformanceCatalogue.own

    @Test("Squall's echo server passes the conformance cases through the proxy")
    func server() async throws {
        let cases = Self.cases.filter { $0.testedRoles.contains(.server) }
        try await EchoEndpoint.with { port in
            let path = try ProxyPath.open(to: port)
            defer { path.close() }
            let target = try ServerTarget("ws://127.0.0.1:\(path.port)")
            let jobs = PythonPeers.isSoak ? 4 : 16
            let results = try await ServerTester.play(cases, against: target, agent: "squall", jobs: jobs)
            #expect(results.map(\.id) == cases.map(\.id))
            #expect(faults(in: results) == [])
        }
    }

    @Test("Squall's echo client passes the conformance cases through the proxy")
    func client() async throws {
        let cases = Self.cases.filter { $0.testedRoles.contains(.client) }
        let close = Mutex<(@Sendable () -> Void)?>(nil)
        defer { close.withLock { $0?() } }
        let results = try await EchoDriver.judge(
            cases,
            through: { port in
                let path = try ProxyPath.open(to: port)
                close.withLock { $0 = path.close }
                return path.port
            }
        )
        #expect(results.map(\.id) == cases.map(\.id))
        #expect(faults(in: results) == [])
    }
}
