import Foundation
import Proxy
import SquallCore
import TestSupport
import Testing

/// Tests malformed requests, many connections and stalled readers.
@Suite(.ownThread, .timeLimit(.minutes(20)))
struct RobustnessTests {
    /// The duration of the longer tests in seconds; `make soak` increases it.
    private static let seconds = soak ?? 2
    /// The duration in seconds of a soak run; nil in other runs. A soak run executes this suite in its own process, so
    /// that other suites do not affect the measurements.
    private static let soak = ProcessInfo.processInfo.environment["SOAK_SECONDS"].flatMap { Double($0) }

    private static let requests = [
        "GET /version HTTP/1.1\r\nHost: a\r\n\r\n",
        "POST /proxies HTTP/1.1\r\nHost: a\r\nContent-Length: 46\r\n\r\n"
            + #"{"name":"x","upstream":"127.0.0.1:1","listen":"#,
        "POST /proxies/p/toxics HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1a\r\n" + #"{"type":"latency","stream":"#,
        "POST /populate HTTP/1.1\r\nContent-Length: 9999999999999\r\n\r\n[",
        "POST /schedules HTTP/1.1\r\nContent-Length: 20\r\n\r\n" + #"{"name":1,"steps":[]"#,
        "GET /proxies/%zz/toxics/%2 HTTP/1.0\r\n\r\n", "\u{16}\u{3}\u{1}", "GET", "\r\n\r\n\r\n",
    ]

    /// The input is a mix of truncated, altered and concatenated requests and random bytes.
    @Test("The API still works after malformed HTTP requests") func nonsenseAtTheAPI() throws {
        try Bench.with { bench in
            var generator = SeededGenerator(state: 11)
            let limit = Date().addingTimeInterval(Self.seconds)
            var rounds = 0
            while rounds < 300 || Date() < limit, rounds < 1_000_000 {
                rounds += 1
                var bytes: [UInt8] = []
                for _ in 0...Int(generator.below(3)) {
                    var part = Array(Self.requests[Int(generator.below(UInt64(Self.requests.count)))].utf8)
                    if generator.below(2) == 0 {
                        part = Array(part.prefix(Int(generator.below(UInt64(part.count + 1)))))
                    }
                    for _ in 0..<Int(generator.below(4)) where !part.isEmpty {
                        part[Int(generator.below(UInt64(part.count)))] = UInt8(truncatingIfNeeded: generator.next())
                    }
                    bytes += part
                }
                let peer = try Peer(connectingTo: bench.port)
                peer.send(bytes)
                peer.end()
                _ = peer.receiveAll(within: 5)
                peer.close()
            }
            #expect(try bench.call("GET", "/version").status == 200)
        }
    }

    /// Sends slightly invalid bodies to every endpoint that reads a body.
    @Test("A malformed request body is answered with an error status, and the API still works")
    func nonsenseInBodies() throws {
        let bodies = [
            #"{"name":"a","upstream":"127.0.0.1:1","listen":"127.0.0.1:0","toxics":[{"type":"latency"}],"enabled":false}"#,
            #"[{"name":"b","upstream":"localhost:1","listen":"unix:/nowhere/at/all"}]"#,
            #"{"type":"frames","stream":"both","toxicity":0.5,"attributes":{"nth":9,"action":"drop"},"only":{"path":"/"}}"#,
            #"{"name":"s","steps":[{"at":0,"add":{"proxy":"p","toxic":{"type":"flap","attributes":{"up":1,"down":1}}}}]}"#,
            #"{"type":"bandwidth","attributes":{"rate":9223372036854775807}}"#,
            #"{"type":"latency","attributes":{"latency":-9223372036854775808,"jitter":9223372036854775807}}"#,
        ]
        try Bench.with { bench in
            _ = try bench.proxy(to: 1)
            var generator = SeededGenerator(state: 12)
            for _ in 0..<300 {
                var body = Array(bodies[Int(generator.below(UInt64(bodies.count)))].utf8)
                for _ in 0..<Int(generator.below(3)) {
                    let index = Int(generator.below(UInt64(body.count)))
                    body[index] = [0x22, 0x7B, 0x5D, 0x30, 0x2D, 0x00, 0xFF][Int(generator.below(7))]
                }
                let paths = ["/proxies", "/populate", "/proxies/p/toxics", "/schedules", "/proxies/p"]
                let path = paths[Int(generator.below(UInt64(paths.count)))]
                let reply = try bench.call("POST", path, String(decoding: body, as: UTF8.self))
                #expect([200, 201, 400, 409, 500].contains(reply.status))
            }
            #expect(try bench.call("POST", "/reset").status == 204)
        }
    }

    /// The sender keeps writing even though the reader has stopped reading.
    @Test(
        "A reader that stops reading pauses the sender after a bounded number of bytes",
        arguments: [
            "[]", #"[{"type":"bandwidth","attributes":{"rate":1}}]"#,
            #"[{"type":"slicer","attributes":{"average_size":100}}]"#,
        ]
    )
    func aStalledReaderStopsTheSender(toxics: String) throws {
        try Bench.with { bench in
            let upstream = try Upstream()
            let client = try Peer(connectingTo: bench.proxy(to: upstream.port, toxics: toxics), receiveBuffer: 4096)
            let server = try #require(upstream.accept())
            let taken = server.fill(for: 0.5)
            // The limit allows for three pairs of kernel buffers and the buffer of one stage.
            #expect(taken < 40_000_000)
            client.close()
        }
    }

    /// Opens, uses and closes connections in every possible way.
    @Test("Many closed connections leave no descriptors and no memory in use") func churnLeavesNothingBehind() throws {
        var options = ProxyServer.Options()
        options.runtimeMetrics = true
        options.proxyMetrics = true
        try Bench.with(options, hears: false) { bench in
            let upstream = try Upstream()
            let port = try bench.proxy(
                to: upstream.port,
                toxics:
                    #"[{"type":"latency","toxicity":0.3,"attributes":{"latency":3}},{"name":"r","type":"reset_peer","toxicity":0.1,"attributes":{"timeout":5}}]"#
            )
            var generator = SeededGenerator(state: 13)
            func churn(_ rounds: Int) throws {
                for _ in 0..<rounds {
                    let client = try Peer(connectingTo: port)
                    guard let server = upstream.accept(within: 5) else {
                        client.close()
                        continue
                    }
                    client.send("ping")
                    if generator.below(2) == 0 { _ = server.receive(4, within: 5) }
                    switch generator.below(4) {
                    case 0: client.reset()
                    case 1: client.close()
                    case 2:
                        client.end()
                        _ = server.receiveAll(within: 5)
                        client.close()
                    default:
                        server.reset()
                        client.close()
                        continue
                    }
                    server.close()
                }
            }
            func settled() throws -> (links: Int, descriptors: Int, memory: Int) {
                let limit = Date().addingTimeInterval(15)
                while true {
                    let text = try bench.call("GET", "/metrics").body
                    func value(_ name: String) -> Int {
                        let line = text.split(separator: "\n").first { $0.hasPrefix(name) }
                        return line.flatMap { Int($0.split(separator: " ").last ?? "") } ?? -1
                    }
                    let links = value("squall_proxy_connections{")
                    if links == 0 || Date() > limit {
                        return (links, value("process_open_fds"), value("process_resident_memory_bytes"))
                    }
                }
            }
            try churn(300)
            let before = try settled()
            let limit = Date().addingTimeInterval(Self.seconds)
            repeat { try churn(200) } while Date() < limit
            let after = try settled()
            #expect(before.links == 0 && after.links == 0)
            guard Self.soak != nil else { return }
            #expect(after.memory - before.memory < 40_000_000)
            #expect(after.descriptors - before.descriptors < 20)
        }
    }
}
