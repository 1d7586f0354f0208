import Foundation
import TestSupport
import Testing

/// What becomes of a connection behind its first end.
@Suite(.ownThread, .timeLimit(.minutes(5)))
struct LateEndTests {
    /// A server that has closed answers what still comes with a reset; through the proxy its client hears that, too.
    @Test func aResetBehindAnEndIsPassedOn() throws {
        try ToxicTests.Pair.with { pair in
            pair.server.send("bye")
            pair.server.close()
            #expect(pair.client.receiveAll().end == .fin)
            let limit = Date().addingTimeInterval(10)
            while pair.client.send("more"), Date() < limit { usleep(1000) }
            #expect(Date() < limit)
        }
    }

    /// The same where the client has ended and is gone, and the server still speaks.
    @Test func aClientThatIsGoneIsToldOf() throws {
        try ToxicTests.Pair.with { pair in
            pair.client.end()
            #expect(pair.server.receiveAll().end == .fin)
            pair.client.close()
            let limit = Date().addingTimeInterval(10)
            while pair.server.send("news"), Date() < limit { usleep(1000) }
            #expect(Date() < limit)
        }
    }

    /// So many bytes, then the end: also for a client that takes its time.
    @Test func whatWasLetThroughWaitsForASlowReader() throws {
        try Bench.with { bench in
            let upstream = try Upstream()
            let port = try bench.proxy(to: upstream.port)
            let limit = 12_000_000
            try bench.toxic("limit_data", #"{"bytes":\#(limit)}"#)
            let client = try Peer(connectingTo: port, receiveBuffer: 65_536)
            let server = try #require(upstream.accept())
            let sender = beside { server.send([UInt8](repeating: 7, count: limit)) }
            // Longer than a connection that a fault has ended lingers with nothing to write.
            Thread.sleep(forTimeInterval: 2.5)
            let (bytes, end) = client.receiveAll(within: 30)
            #expect(bytes.count == limit)
            #expect(end == .fin)
            sender.wait()
        }
    }

    /// Answered in the server's place and ended: a client that does not end keeps nothing.
    @Test func whoeverWasEndedInTheServersPlaceIsClosedOn() throws {
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
