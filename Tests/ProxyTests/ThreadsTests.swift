import Foundation
import Sockets
import SquallCore
import Synchronization
import TestSupport
import Testing

@testable import Proxy

/// Tests that connections behave the same on several threads as on one.
@Suite(.ownThread, .timeLimit(.minutes(20)))
struct ThreadsTests {
    private static func threads(_ count: Int, seed: UInt64 = 1) -> ProxyServer.Options {
        var options = ProxyServer.Options()
        options.threads = count
        options.seed = Seed(seed)
        return options
    }

    @Test("A connection is assigned to the thread with the fewest connections") func leastLoadedConnections() throws {
        let clock = MonotonicClock()
        let home = try Reactor(clock: clock)
        let collector = EventCollector(clock, to: home.mailbox)
        let workers = try (2...3).map { try WorkerThread($0, clock, collector, lookUp: Endpoint.resolve) }
        let pool = WorkerPool(workers)
        #expect((0..<6).map { _ in pool.leastLoaded() } == [0, 1, 2, 0, 1, 2])
        workers[1].load.remove()
        workers[1].load.remove()
        pool.localLoad.remove()
        #expect((0..<4).map { _ in pool.leastLoaded() } == [2, 0, 2, 0])
        for worker in workers { worker.stop() }
    }

    /// Each UDP port is served by a single thread, but different ports may be served by different threads.
    @Test("A UDP port is assigned to the thread with the lowest load") func leastLoadedPorts() throws {
        let clock = MonotonicClock()
        let home = try Reactor(clock: clock)
        let collector = EventCollector(clock, to: home.mailbox)
        let workers = try (2...3).map { try WorkerThread($0, clock, collector, lookUp: Endpoint.resolve) }
        let pool = WorkerPool(workers)
        var loads: [Int] { ([pool.localLoad] + workers.map(\.load)).map(\.count) }
        let proxies = try (0..<4).map { number in
            let settings = ProxyWorker.Settings(
                name: "\(number)",
                seed: Seed(1),
                certificates: Certificates(in: nil),
                upstream: "udp:127.0.0.1:1"
            )
            let proxy = RunningProxy(settings, listen: "udp:127.0.0.1:0", pool: pool, on: home) { _, _ in }
            try proxy.start()
            return proxy
        }
        #expect(loads == [2, 1, 1])
        for proxy in proxies { proxy.remove() }
        for worker in workers { worker.stop() }
        #expect(loads == [0, 0, 0])
    }

    /// The seed and the connection's number alone determine which connections and bytes are affected.
    @Test("The same seed gives the same bytes on any number of threads") func seed() throws {
        func arrived(_ threads: Int, seed: UInt64) throws -> [[UInt8]] {
            var arrived: [[UInt8]] = []
            try Bench.with(Self.threads(threads, seed: seed)) { bench in
                let upstream = try Upstream()
                let toxics = #"[{"type":"corrupt","toxicity":0.5,"attributes":{"one_in":40}}]"#
                let port = try bench.proxy(to: upstream.port, toxics: toxics)
                var pairs: [(client: Peer, server: Peer)] = []
                for _ in 0..<12 {
                    let client = try Peer(connectingTo: port)
                    pairs.append((client, try #require(upstream.accept())))
                }
                for pair in pairs { pair.server.send([UInt8](repeating: 0x61, count: 1000)) }
                for pair in pairs { arrived.append(pair.client.receive(1000).bytes) }
            }
            return arrived
        }
        let alone = try arrived(1, seed: 7)
        #expect(try arrived(3, seed: 7) == alone)
        #expect(try arrived(3, seed: 8) != alone)
        let clean = [UInt8](repeating: 0x61, count: 1000)
        #expect(alone.contains(clean) && alone.contains { $0 != clean })
    }

    @Test("A change made through the API is in effect on every thread when the API answers")
    func aChangeIsMadeOnEveryThreadWhenItIsAnswered() throws {
        try Bench.with(Self.threads(4)) { bench in
            let upstream = try Upstream()
            let port = try bench.proxy(to: upstream.port)
            var pairs: [(client: Peer, server: Peer)] = []
            for _ in 0..<8 {
                let client = try Peer(connectingTo: port)
                pairs.append((client, try #require(upstream.accept())))
            }
            for _ in 0..<20 {
                try bench.toxic("corrupt", #"{"one_in":1}"#)
                for pair in pairs { pair.server.send("a") }
                #expect(pairs.filter { $0.client.text(1) != "a" }.count == pairs.count)
                #expect(try bench.call("DELETE", "/proxies/p/toxics/corrupt").status == 204)
                for pair in pairs { pair.server.send("a") }
                #expect(pairs.filter { $0.client.text(1) == "a" }.count == pairs.count)
            }
            #expect(try bench.call("POST", "/proxies/p", #"{"enabled":false}"#).status == 200)
            for pair in pairs { #expect(pair.client.receiveAll().end == .fin) }
        }
    }

    @Test("The events of all threads are reported in time order")
    func eventsOfAllThreadsAreInTheOrderOfTheirTimes() throws {
        try Bench.with(Self.threads(4)) { bench in
            let upstream = try Upstream()
            let port = try bench.proxy(to: upstream.port)
            let count = 60
            for _ in 0..<count / 6 {
                let clients = try (0..<6).map { _ in try Peer(connectingTo: port) }
                let servers = try clients.map { _ in try #require(upstream.accept()) }
                clients.forEach { $0.close() }
                for server in servers {
                    #expect(server.receiveAll().end == .fin)
                    server.close()
                }
            }
            for link in 1...Int64(count) {
                #expect(bench.event("link.over") { $0["link"]?.intValue == link } != nil)
            }
            let events = try bench.call("GET", "/events").body.split(separator: "\n")
                .compactMap { try? JSON.decode(String($0)) }
            #expect(events.compactMap { $0["n"]?.intValue } == Array(1...Int64(events.count)))
            let times = events.compactMap { $0["t_ns"]?.intValue }
            #expect(times == times.sorted())
            for link in 1...Int64(count) {
                let names = events.filter { $0["link"]?.intValue == link }.compactMap { $0["event"]?.stringValue }
                #expect(names == ["link.accepted", "link.closed", "link.over"])
            }
        }
    }

    @Test("Metrics are the sums of the counts of all threads") func countsAreOfAllThreads() throws {
        var options = Self.threads(3)
        options.proxyMetrics = true
        try Bench.with(options) { bench in
            let upstream = try Upstream()
            let port = try bench.proxy(to: upstream.port)
            for _ in 0..<6 {
                let client = try Peer(connectingTo: port)
                client.send("12345")
                #expect(upstream.accept()?.text(5) == "12345")
                client.close()
            }
            let text = try bench.call("GET", "/metrics").body
            let line = text.split(separator: "\n").first {
                $0.hasPrefix("toxiproxy_proxy_received_bytes_total{direction=\"upstream\"")
            }
            #expect(line?.hasSuffix(" 30") == true)
            #expect(text.contains("squall_proxy_connections_total{") && text.contains(" 6\n"))
        }
    }

    @Test("Stopping the proxy ends the connections on all threads") func itsEndIsTheEndOfAllItsThreads() throws {
        var clients: [Peer] = []
        var ended: Bench?
        let upstream = try Upstream()
        try Bench.with(Self.threads(3)) { bench in
            ended = bench
            let port = try bench.proxy(to: upstream.port)
            for _ in 0..<6 {
                clients.append(try Peer(connectingTo: port))
                _ = try #require(upstream.accept())
            }
        }
        for client in clients { #expect(client.receiveAll().end == .fin) }
        // The list also includes connections whose peers have not sent a FIN.
        let over = ended?.events.filter { $0["event"]?.stringValue == "link.over" }.compactMap { $0["link"]?.intValue }
        #expect(over?.sorted() == [1, 2, 3, 4, 5, 6])
    }
}
