import Foundation
import Proxy
import SquallCore
import TestSupport
import Testing

/// Tests each of Toxiproxy's toxics on an open connection.
@Suite(.ownThread, .timeLimit(.minutes(20)))
struct ToxicTests {
    /// Both endpoints of a connection through a proxy named `p`.
    struct Pair {
        let bench: Bench
        let client: Peer
        let server: Peer

        /// Runs a test with an open connection. `toxics` are in place before the connection is opened.
        static func with(toxics: String = "[]", _ body: (Pair) throws -> Void) throws {
            try Bench.with { bench in
                let upstream = try Upstream()
                let port = try bench.proxy(to: upstream.port, toxics: toxics)
                let client = try Peer(connectingTo: port)
                let server = try #require(upstream.accept())
                try body(Pair(bench: bench, client: client, server: server))
            }
        }
    }

    private func seconds(_ body: () throws -> Void) rethrows -> Double {
        let began = DispatchTime.now().uptimeNanoseconds
        try body()
        return Double(DispatchTime.now().uptimeNanoseconds - began) / 1e9
    }

    @Test("latency delays only the given direction", arguments: ["upstream", "downstream"])
    func latencyDelaysOneDirection(stream: String) throws {
        try Pair.with { pair in
            try pair.bench.toxic("latency", #"{"latency":150}"#, stream: stream)
            let (from, to) = stream == "upstream" ? (pair.client, pair.server) : (pair.server, pair.client)
            from.send("x")
            let slow = seconds { #expect(to.text(1) == "x") }
            #expect(0.149...0.5 ~= slow)
            to.send("y")
            let fast = seconds { #expect(from.text(1) == "y") }
            #expect(fast < 0.1)
            // The toxic delays neither connecting nor the FIN.
            from.end()
            let end = seconds { #expect(to.receiveAll().end == .fin) }
            #expect(end < 0.1)
        }
    }

    @Test("bandwidth delivers bytes at the given rate") func bandwidthCarriesItsRateAndNoMore() throws {
        try Pair.with { pair in
            try pair.bench.toxic("bandwidth", #"{"rate":1000}"#)
            pair.server.send([UInt8](repeating: 1, count: 100_000))
            let first = seconds { #expect(pair.client.receive(10_000).bytes.count == 10_000) }
            let rest = seconds { #expect(pair.client.receive(90_000).bytes.count == 90_000) }
            #expect(0.005...0.5 ~= first)
            #expect(0.085...1 ~= first + rest)
        }
    }

    /// The bytes below the limit still pass through the slow toxic that comes after it.
    @Test("All bytes below the limit of limit_data arrive even through a slow bandwidth")
    func limitBehindBandwidth() throws {
        try Pair.with { pair in
            try pair.bench.toxic("limit_data", #"{"bytes":50000}"#)
            try pair.bench.toxic("bandwidth", #"{"rate":25}"#)
            pair.server.send([UInt8](repeating: 1, count: 200_000))
            #expect(pair.client.receiveAll().bytes.count == 50_000)
        }
    }

    @Test("A bandwidth of zero blocks all bytes until the rate is changed")
    func bandwidthOfNothingLetsNothingPass() throws {
        try Pair.with { pair in
            try pair.bench.toxic("bandwidth", #"{"rate":0}"#)
            pair.server.send("x")
            #expect(pair.client.receive(1, within: 0.3).end == .silence)
            try pair.bench.call("PATCH", "/proxies/p/toxics/bandwidth", #"{"attributes":{"rate":1000}}"#)
            #expect(pair.client.text(1) == "x")
        }
    }

    @Test("slow_close delays only the closing of the connection") func slowCloseDelaysOnlyTheEnd() throws {
        try Pair.with { pair in
            try pair.bench.toxic("slow_close", #"{"delay":300}"#)
            pair.server.send("x")
            pair.server.close()
            let first = seconds { #expect(pair.client.text(1) == "x") }
            #expect(first < 0.2)
            let end = seconds { #expect(pair.client.receiveAll().end == .fin) }
            #expect(0.2...1 ~= end)
        }
    }

    @Test("'timeout' discards bytes, and removing the toxic ends the connection")
    func removedTimeout() throws {
        try Pair.with { pair in
            try pair.bench.toxic("timeout", #"{"timeout":0}"#)
            pair.server.send("lost")
            #expect(pair.client.receive(1, within: 0.2).end == .silence)
            try pair.bench.call("DELETE", "/proxies/p/toxics/timeout")
            let seen = pair.client.receiveAll()
            #expect(seen.bytes.isEmpty && seen.end == .fin)
        }
    }

    @Test("limit_data ends the connection at its limit and keeps its count when it is updated")
    func limitDataEndsAfterItsBytesAndCountsOnThroughUpdates() throws {
        try Pair.with { pair in
            try pair.bench.toxic("limit_data", #"{"bytes":100}"#)
            pair.server.send([UInt8](repeating: 7, count: 60))
            #expect(pair.client.receive(60).bytes.count == 60)
            try pair.bench.call("POST", "/proxies/p/toxics/limit_data", #"{"attributes":{"bytes":80}}"#)
            pair.server.send([UInt8](repeating: 7, count: 60))
            let seen = pair.client.receiveAll()
            #expect(seen.bytes.count == 20 && seen.end == .fin)
        }
    }

    @Test("slicer splits the bytes into delayed parts") func slicerCutsIntoParts() throws {
        try Pair.with { pair in
            try pair.bench.toxic("slicer", #"{"average_size":10,"size_variation":0,"delay":20000}"#)
            pair.server.send("0123456789abcdefghijABCDEFGHIJ")
            let whole = seconds { #expect(pair.client.text(30) == "0123456789abcdefghijABCDEFGHIJ") }
            #expect(0.039...0.5 ~= whole)
        }
    }

    @Test("reset_peer resets the connection after the given time") func resetPeerWaitsItsTimeout() throws {
        try Pair.with { pair in
            try pair.bench.toxic("reset_peer", #"{"timeout":200}"#)
            pair.server.send("x")
            #expect(pair.client.text(1) == "x")
            let end = seconds { #expect(pair.client.receiveAll().end == .rst) }
            #expect(0.1...1 ~= end)
        }
    }

    @Test("Disabling a proxy ends its connections and refuses new ones")
    func disablingEndsConnectionsAndRefusesNewOnes() throws {
        try Pair.with { pair in
            let port = Int(
                try pair.bench.call("GET", "/proxies/p")["listen"].stringValue?.split(separator: ":").last ?? ""
            )
            try pair.bench.call("POST", "/proxies/p", #"{"enabled":false}"#)
            #expect(pair.client.receiveAll().end == .fin)
            #expect(pair.server.receiveAll().end == .fin)
            let failure = #expect(throws: Peer.Failure.self) { try Peer(connectingTo: port ?? 0) }
            #expect(failure?.code == ECONNREFUSED)
            try pair.bench.call("POST", "/reset")
            _ = try Peer(connectingTo: port ?? 0)
        }
    }

    /// Toxics of every kind are added, changed and removed during a transfer.
    @Test("Every byte arrives once and in order while toxics are added, changed and removed")
    func nothingIsLostOrReorderedWhileToxicsComeAndGo() throws {
        try Pair.with { pair in
            let count = 6_000_000
            var generator = SeededGenerator(state: 7)
            let sent = (0..<count).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
            let server = pair.server
            let writer = Thread { server.send(sent) }
            writer.start()
            var received = pair.client.receive(100_000).bytes
            let steps: [(String, String, String?)] = [
                ("POST", "toxics", #"{"name":"l","type":"latency","attributes":{"latency":20,"jitter":10}}"#),
                ("POST", "toxics", #"{"name":"b","type":"bandwidth","attributes":{"rate":4000}}"#),
                (
                    "POST", "toxics",
                    #"{"name":"s","type":"slicer","attributes":{"average_size":500,"size_variation":100}}"#
                ),
                ("PATCH", "toxics/l", #"{"attributes":{"latency":5}}"#),
                ("DELETE", "toxics/l", nil),
                ("PATCH", "toxics/b", #"{"attributes":{"rate":20000},"toxicity":0.5}"#),
                ("POST", "toxics", #"{"name":"st","type":"stall"}"#),
                ("DELETE", "toxics/st", nil),
                ("DELETE", "toxics/s", nil),
                ("DELETE", "toxics/b", nil),
            ]
            for (method, path, body) in steps {
                let reply = try pair.bench.call(method, "/proxies/p/\(path)", body)
                #expect([200, 204].contains(reply.status), "\(method) \(path): \(reply.body)")
                received += pair.client.receive(100_000, within: 0.1).bytes
            }
            received += pair.client.receive(count - received.count, within: 30).bytes
            #expect(received.count == count)
            #expect(received == sent)
        }
    }
}
