import Foundation
import TestSupport
import Testing

/// Tests half-closed connections, on which one side has already sent a FIN.
@Suite(.ownThread, .timeLimit(.minutes(20)))
struct LateEndTests {
    /// A server that has closed its socket answers further bytes with a reset, which must reach the client.
    @Test("A server's reset after its FIN reaches the client") func aResetBehindAnEndIsPassedOn() throws {
        try ToxicTests.Pair.with { pair in
            pair.server.send("bye")
            pair.server.close()
            #expect(pair.client.receiveAll().end == .fin)
            let limit = Date().addingTimeInterval(10)
            while pair.client.send("more"), Date() < limit { usleep(1000) }
            #expect(Date() < limit)
        }
    }

    /// The server keeps sending after the client has closed its socket.
    @Test("A client's reset after its FIN reaches the server") func closedClient() throws {
        try ToxicTests.Pair.with { pair in
            pair.client.end()
            #expect(pair.server.receiveAll().end == .fin)
            pair.client.close()
            let limit = Date().addingTimeInterval(10)
            while pair.server.send("news"), Date() < limit { usleep(1000) }
            #expect(Date() < limit)
        }
    }

    @Test("All bytes below the limit of limit_data reach a slow reader") func slowReader() throws {
        try Bench.with { bench in
            let upstream = try Upstream()
            let port = try bench.proxy(to: upstream.port)
            let limit = 12_000_000
            try bench.toxic("limit_data", #"{"bytes":\#(limit)}"#)
            let client = try Peer(connectingTo: port, receiveBuffer: 65_536)
            let server = try #require(upstream.accept())
            let sender = beside { server.send([UInt8](repeating: 7, count: limit)) }
            // The pause exceeds the time for which an ended connection without pending bytes lingers.
            Thread.sleep(forTimeInterval: 2.5)
            let (bytes, end) = client.receiveAll(within: 30)
            #expect(bytes.count == limit)
            #expect(end == .fin)
            sender.wait()
        }
    }

    /// The client never closes its side.
    @Test("A connection ended by accept_then_close is removed although the client stays open")
    func acceptThenCloseLingers() throws {
        try Bench.with { bench in
            let upstream = try Upstream()
            let port = try bench.proxy(to: upstream.port)
            try bench.toxic("accept_then_close", "{}")
            let client = try Peer(connectingTo: port)
            #expect(client.receiveAll().end == .fin)
            #expect(bench.event("link.over") != nil)
        }
    }
}
