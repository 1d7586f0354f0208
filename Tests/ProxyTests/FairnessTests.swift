import Foundation
import Sockets
import SquallCore
import TestSupport
import Testing

@testable import Proxy

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#endif

/// Tests that no connection can keep the proxy from serving the others.
@Suite(.ownThread, .timeLimit(.minutes(20)))
struct FairnessTests {
    /// The proxy drains an ended connection until the peer sends a FIN, but only a few reads at a time.
    @Test("A client that keeps sending after the proxy has ended its connection is read a few reads at a time")
    func endedConnection()
        throws
    {
        let reactor = try Reactor(readSize: 1024)
        let settings = ProxyWorker.Settings(
            name: "p",
            seed: Seed(1),
            certificates: Certificates(in: nil),
            upstream: "127.0.0.1:1"
        )
        let proxy = ProxyWorker(settings, on: reactor, traffic: Traffic(), load: Load(), onEvent: { _, _ in })
        let (own, peer) = try SystemSocket.pair()
        own.setNonBlocking()
        defer { peer.close() }
        let sent = [UInt8](repeating: 1, count: 64 * 1024)
        #expect(write(peer.descriptor, sent, sent.count) == sent.count)
        let address = SystemAddress(family: AF_UNIX, bytes: [])
        let proxyConnection = ProxyConnection(own, from: address, number: 1, of: proxy, on: reactor)
        proxyConnection.shut()
        var left: Int32 = 0
        #expect(ioctl(own.descriptor, SystemSocket.countingWaitingBytes, &left) == 0)
        #expect(Int(left) == sent.count - 1024 * ProxyConnection.turns)
        proxyConnection.close()
    }

    /// The clients send thousands of requests at once and do not read the responses.
    @Test("The API stops reading from a client that does not read its answers") func unreadAnswers() throws {
        // The time limit is long, because the clients may read late on a busy machine.
        var options = ProxyServer.Options()
        options.timeouts.answer = .seconds(600)
        try Bench.with(options) { bench in
            let upstream = try Upstream()
            _ = try bench.proxy(to: upstream.port)
            for _ in 0..<150 {
                try bench.toxic("noop")
                try bench.call("DELETE", "/proxies/p/toxics/noop")
            }
            let crowd = try Peer(connectingTo: bench.port, receiveBuffer: 4096)
            let request = "GET /events HTTP/1.1\r\nHost: a\r\n\r\n"
            let count = 5000
            crowd.send(String(repeating: request, count: count))
            #expect(try bench.call("GET", "/version", within: 5).status == 200)
            // A client that starts reading late still receives all responses in order.
            let (bytes, end) = crowd.receive(20_000_000, within: 30)
            #expect(end == nil)
            #expect(bytes.starts(with: Array("HTTP/1.1 200 OK".utf8)))
            #expect(try bench.call("GET", "/version", within: 5).status == 200)
            crowd.close()
        }
    }

    @Test("An incomplete request and an idle client are each closed after their time limit")
    func endlessRequest() throws {
        var options = ProxyServer.Options()
        options.timeouts.request = .milliseconds(200)
        options.timeouts.idle = .milliseconds(300)
        try Bench.with(options) { bench in
            let silent = try Peer(connectingTo: bench.port)
            let slow = try Peer(connectingTo: bench.port)
            let idle = try Peer(connectingTo: bench.port)
            idle.send("GET /version HTTP/1.1\r\nHost: a\r\n\r\n")
            let answer = idle.receiveAll(within: 10)
            #expect(String(decoding: answer.bytes, as: UTF8.self).hasSuffix("}\n") && answer.end == .fin)
            #expect(silent.receiveAll(within: 10).end == .fin)
            // Occasionally sending a byte must not extend the time limit.
            var end = Peer.End.silence
            for _ in 0..<400 where end == .silence {
                slow.send("x")
                end = slow.receiveAll(within: 0.05).end
            }
            #expect(end != .silence)
        }
    }

    @Test("An API client that does not read its answers is disconnected after a time limit")
    func unreadAnswerLimit() throws {
        var options = ProxyServer.Options()
        options.timeouts.answer = .milliseconds(200)
        try Bench.with(options) { bench in
            let upstream = try Upstream()
            _ = try bench.proxy(to: upstream.port)
            for _ in 0..<20 {
                try bench.toxic("noop")
                try bench.call("DELETE", "/proxies/p/toxics/noop")
            }
            let stalled = try Peer(connectingTo: bench.port, receiveBuffer: 4096)
            stalled.send(String(repeating: "GET /events HTTP/1.1\r\nHost: a\r\n\r\n", count: 5000))
            // The client's requests have not been read, so closing the socket at the time limit sends an RST.
            #expect(stalled.becomesBroken(within: 20))
        }
    }
}
