import Foundation
import SquallCore
import TestSupport
import Testing

/// Tests that the listener still accepts other connections during an outage that affects only some.
@Suite(.ownThread, .timeLimit(.minutes(20)))
struct ChosenOutageTests {
    @Test(
        "An outage toxic for one selected connection does not affect the other connections",
        arguments: [
            (#"{"type":"blackhole","only":{"connections":[2]}}"#, Peer.End.silence),
            (#"{"type":"refuse","only":{"connections":[2]}}"#, .rst),
            (#"{"type":"flap","attributes":{"up":60000,"down":60000},"only":{"connections":[2]}}"#, .silence),
            (
                #"{"type":"flap","attributes":{"up":60000,"down":60000,"outage":"refuse"},"only":{"connections":[2]}}"#,
                .rst
            ),
        ]
    )
    func theOthersAreServed(toxic: String, end: Peer.End) throws {
        try Bench.with { bench in
            let upstream = try Upstream()
            let port = try bench.proxy(to: upstream.port)
            #expect(try bench.call("POST", "/proxies/p/toxics", toxic).status == 200)
            try expectEcho(through: port, at: upstream)
            let chosen = try Peer(connectingTo: port)
            chosen.send("hello")
            #expect(chosen.receiveAll(within: end == .silence ? 0.3 : 10).end == end)
            try expectEcho(through: port, at: upstream)
        }
    }

    @Test("An outage with toxicity 0.5 affects about half of the connections", arguments: ["blackhole", "refuse"])
    func halfOfTheConnectionsAreServed(type: String) throws {
        try Bench.with { bench in
            let upstream = try Upstream()
            let port = try bench.proxy(to: upstream.port)
            let toxic = #"{"type":"\#(type)","toxicity":0.5}"#
            #expect(try bench.call("POST", "/proxies/p/toxics", toxic).status == 200)
            let clients = try (0..<40).map { _ in try Peer(connectingTo: port) }
            #expect(bench.event("link.accepted") { $0["link"] == 40 } != nil)
            var served = 0
            while upstream.accept(within: 1) != nil { served += 1 }
            #expect(8...32 ~= served)
            clients.forEach { $0.close() }
        }
    }

    @Test("An outage with toxicity 0 affects no connection") func noToxicity() throws {
        try Bench.with { bench in
            let upstream = try Upstream()
            let port = try bench.proxy(to: upstream.port)
            let toxic = #"{"type":"flap","attributes":{"up":60000,"down":60000},"toxicity":0}"#
            #expect(try bench.call("POST", "/proxies/p/toxics", toxic).status == 200)
            try expectEcho(through: port, at: upstream)
        }
    }

    private func expectEcho(through port: Int, at upstream: Upstream) throws {
        let client = try Peer(connectingTo: port)
        client.send("hello")
        let server = try #require(upstream.accept())
        #expect(server.text(5) == "hello")
        server.send("there")
        #expect(client.text(5) == "there")
    }
}
