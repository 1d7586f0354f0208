import Foundation
import Proxy
import SquallCore
import TestSupport
import Testing

/// Tests that this proxy is free of some known bugs in Toxiproxy.
@Suite(.ownThread, .timeLimit(.minutes(20)))
struct RightByDefaultTests {
    /// In Toxiproxy, a client that stopped reading could block the API while a toxic had many bytes buffered.
    @Test("A client that stops reading does not block the API") func aStalledReaderDoesNotHoldUpTheAPI() throws {
        try Bench.with { bench in
            let upstream = try Upstream()
            let port = try bench.proxy(
                to: upstream.port,
                toxics: #"[{"name":"latency","type":"latency","attributes":{"latency":200}}]"#
            )
            let client = try Peer(connectingTo: port, receiveBuffer: 4096)
            let server = try #require(upstream.accept())
            #expect(server.fill(for: 1) > 1_000_000)
            #expect(try bench.call("DELETE", "/proxies/p/toxics/latency", within: 2).status == 204)
            #expect(try bench.call("GET", "/proxies", within: 2).status == 200)
            let other = try Peer(connectingTo: port)
            let otherServer = try #require(upstream.accept(within: 2))
            otherServer.send("hello")
            #expect(other.text(5, within: 2) == "hello")
            #expect(try bench.call("POST", "/reset", within: 2).status == 204)
            client.close()
        }
    }

    /// The connections of a removed proxy linger for a second and do not affect others.
    @Test("Removing a proxy ends its open connections") func aProxyIsRemovedUnderItsConnections() throws {
        try Bench.with { bench in
            let upstream = try Upstream()
            let client = try Peer(connectingTo: try bench.proxy(to: upstream.port))
            let server = try #require(upstream.accept())
            client.send("x")
            #expect(server.text(1) == "x")
            #expect(try bench.call("DELETE", "/proxies/p").status == 204)
            #expect(bench.event("link.over") != nil)
            #expect(try bench.call("GET", "/proxies").json == [:])
        }
    }

    @Test("The same seed selects the same connections for a toxic") func theSameSeedHitsTheSameConnections() throws {
        func hits(_ seed: UInt64) throws -> [Bool] {
            var options = ProxyServer.Options()
            options.seed = Seed(seed)
            var hits: [Bool] = []
            try Bench.with(options) { bench in
                let upstream = try Upstream()
                let toxics = #"[{"name":"half","type":"limit_data","toxicity":0.5,"attributes":{"bytes":1}}]"#
                let port = try bench.proxy(to: upstream.port, toxics: toxics)
                for _ in 0..<24 {
                    let client = try Peer(connectingTo: port)
                    let server = try #require(upstream.accept())
                    server.send("ab")
                    hits.append(client.receive(2).end == .fin)
                    client.close()
                }
            }
            return hits
        }
        let first = try hits(42)
        #expect(try hits(42) == first)
        #expect(try hits(43) != first)
        #expect(first.contains(true) && first.contains(false))
    }

    @Test("reset_peer with toxicity 0 does not affect how a connection ends") func resetPeerWithoutToxicity() throws {
        try Bench.with { bench in
            let upstream = try Upstream()
            let port = try bench.proxy(to: upstream.port, toxics: #"[{"name":"r","type":"reset_peer","toxicity":0}]"#)
            let client = try Peer(connectingTo: port)
            let server = try #require(upstream.accept())
            server.send("bye")
            server.close()
            let seen = client.receiveAll()
            #expect(String(decoding: seen.bytes, as: UTF8.self) == "bye")
            #expect(seen.end == .fin)
        }
    }

    @Test("reset_peer resets open connections even if they are idle") func resetPeerResetsIdleConnections() throws {
        try Bench.with { bench in
            let upstream = try Upstream()
            let port = try bench.proxy(to: upstream.port)
            let client = try Peer(connectingTo: port)
            let server = try #require(upstream.accept())
            try bench.toxic("reset_peer")
            #expect(client.receiveAll().end == .rst)
            #expect(server.receiveAll().end == .rst)
        }
    }

    @Test("The answer to a half-closed client passes through the proxy")
    func oneDirectionMayEndBeforeTheOther() throws {
        try Bench.with { bench in
            let upstream = try Upstream()
            let port = try bench.proxy(to: upstream.port)
            let client = try Peer(connectingTo: port)
            let server = try #require(upstream.accept())
            client.send("one two three")
            client.end()
            let asked = server.receiveAll()
            #expect(asked.end == .fin)
            server.send("got \(asked.bytes.count)")
            server.close()
            let answer = client.receiveAll()
            #expect(String(decoding: answer.bytes, as: UTF8.self) == "got 13")
            #expect(answer.end == .fin)
        }
    }

    @Test("The proxy passes a reset from either side on as a reset", arguments: [true, false])
    func aResetArrivesAsAReset(fromServer: Bool) throws {
        try Bench.with { bench in
            let upstream = try Upstream()
            let port = try bench.proxy(to: upstream.port)
            let client = try Peer(connectingTo: port)
            let server = try #require(upstream.accept())
            let (breaker, other) = fromServer ? (server, client) : (client, server)
            breaker.send("last")
            #expect(other.text(4) == "last")
            breaker.reset()
            #expect(other.receiveAll().end == .rst)
        }
    }

    @Test("Metrics count the bytes of connections that are still open")
    func metricsCountWhileTheConnectionLives() throws {
        var options = ProxyServer.Options()
        options.proxyMetrics = true
        try Bench.with(options) { bench in
            let upstream = try Upstream()
            let port = try bench.proxy(to: upstream.port)
            let client = try Peer(connectingTo: port)
            let server = try #require(upstream.accept())
            client.send("12345")
            #expect(server.text(5) == "12345")
            let metrics = try bench.call("GET", "/metrics").body
            let labels =
                #"{direction="upstream",listener="127.0.0.1:\#(port)",proxy="p",upstream="127.0.0.1:\#(upstream.port)"}"#
            #expect(metrics.contains("toxiproxy_proxy_received_bytes_total\(labels) 5\n"))
            #expect(metrics.contains("toxiproxy_proxy_sent_bytes_total\(labels) 5\n"))
        }
    }

    /// Once the proxy has accepted a connection, a reset is the closest thing to a refusal; a FIN would look like a
    /// clean end.
    @Test("If the upstream refuses the connection, the client is reset") func refusedUpstream() throws {
        try Bench.with { bench in
            let upstream = try Upstream()
            let port = try bench.proxy(to: upstream.port)
            upstream.close()
            let client = try Peer(connectingTo: port)
            #expect(client.receiveAll().end == .rst)
            #expect(bench.event("link.upstream_failed")?["why"]?.stringValue == "refused")
        }
    }

    @Test("The toxic 'refuse' rejects connections until it is removed") func refuseRefuses() throws {
        try Bench.with { bench in
            let upstream = try Upstream()
            let port = try bench.proxy(to: upstream.port)
            try bench.toxic("refuse")
            let failure = #expect(throws: Peer.Failure.self) { try Peer(connectingTo: port) }
            #expect(failure?.code == ECONNREFUSED)
            try bench.call("DELETE", "/proxies/p/toxics/refuse")
            let client = try Peer(connectingTo: port)
            let server = try #require(upstream.accept())
            server.send("x")
            #expect(client.text(1) == "x")
        }
    }

    @Test("'timeout' closes a connection even if bytes keep arriving") func timeoutComesDespiteATrickle() throws {
        try Bench.with { bench in
            let upstream = try Upstream()
            let port = try bench.proxy(to: upstream.port)
            let client = try Peer(connectingTo: port)
            _ = try #require(upstream.accept())
            try bench.toxic("timeout", #"{"timeout":300}"#, stream: "upstream")
            let began = Date()
            var end = Peer.End.silence
            while end == .silence, Date().timeIntervalSince(began) < 5 {
                client.send("x")
                end = client.receiveAll(within: 0.05).end
            }
            #expect(end != .silence)
            #expect(0.25...2 ~= Date().timeIntervalSince(began))
        }
    }

    @Test("A change of the listen address to a port in use leaves the proxy unchanged") func portInUse() throws {
        try Bench.with { bench in
            let (upstream, busy) = (try Upstream(), try Upstream())
            let port = try bench.proxy(to: upstream.port)
            let client = try Peer(connectingTo: port)
            let server = try #require(upstream.accept())
            let reply = try bench.call("POST", "/proxies/p", #"{"listen":"127.0.0.1:\#(busy.port)"}"#)
            #expect(reply.status == 500)
            #expect(reply["error"].stringValue == "listen tcp 127.0.0.1:\(busy.port): bind: address already in use")
            #expect(try bench.call("GET", "/proxies/p")["listen"].stringValue == "127.0.0.1:\(port)")
            server.send("still")
            #expect(client.text(5) == "still")
        }
    }

    @Test("A config file may contain toxics, and misspelt keys are refused") func toxicsInFile() throws {
        let upstream = try Upstream()
        func file(_ key: String) -> String {
            #"[{"name":"p","upstream":"127.0.0.1:\#(upstream.port)","\#(key)":[{"type":"limit_data","attributes":{"bytes":2}}]}]"#
        }
        try Bench.with(file: file("toxics")) { bench in
            let listen = try bench.call("GET", "/proxies/p")["listen"].stringValue ?? ""
            let client = try Peer(connectingTo: Int(listen.split(separator: ":").last ?? "") ?? 0)
            try #require(upstream.accept()).send("abc")
            #expect(String(decoding: client.receiveAll().bytes, as: UTF8.self) == "ab")
        }
        let mistake = #expect(throws: ProxyFile.Mistake.self) { try ProxyFile(Array(file("toxic").utf8)) }
        #expect(mistake?.description.contains("unknown key 'toxic'") == true)
    }
}
