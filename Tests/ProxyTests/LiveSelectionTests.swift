import Foundation
import Proxy
import SquallCore
import TLSLink
import TestSupport
import Testing

/// Tests adding, changing and removing toxics that select hosts or requests while connections are open.
@Suite(.ownThread, .timeLimit(.minutes(20)))
struct LiveSelectionTests {
    private struct Link {
        let client: Peer
        let server: Peer

        /// Connects, sends these bytes and waits until all of them have arrived.
        init(_ port: Int, _ upstream: Upstream, saying parts: [UInt8]...) throws {
            client = try Peer(connectingTo: port)
            for part in parts { client.send(part) }
            server = try #require(upstream.accept())
            let whole = parts.flatMap { $0 }
            #expect(server.receive(whole.count).bytes == whole)
        }

        /// Sends one byte from the server to the client, and returns whether a toxic changed it.
        func isHit() -> Bool {
            server.send("a")
            return client.text(1) != "a"
        }
    }

    private static func request(_ path: String, _ header: String = "X-A: b") -> [UInt8] {
        Array("GET \(path) HTTP/1.1\r\nHost: a\r\n\(header)\r\n\r\n".utf8)
    }

    private func corrupt(_ only: String, on bench: Bench) throws {
        let body = #"{"name":"c","type":"corrupt","attributes":{"one_in":1},"only":\#(only)}"#
        #expect(try bench.call("POST", "/proxies/p/toxics", body).status == 200)
    }

    private func change(toxicity: Int, on bench: Bench) throws {
        #expect(try bench.call("PATCH", "/proxies/p/toxics/c", #"{"toxicity":\#(toxicity)}"#).status == 200)
    }

    private func remove(on bench: Bench) throws {
        #expect(try bench.call("DELETE", "/proxies/p/toxics/c").status == 204)
    }

    @Test("A toxic selects open connections by a request that was sent before the toxic was added", arguments: [1, 3])
    func openConnections(threads: Int) throws {
        var options = ProxyServer.Options()
        options.threads = threads
        try Bench.with(options) { bench in
            let upstream = try Upstream()
            let port = try bench.proxy(to: upstream.port)
            let meant = try Link(port, upstream, saying: Self.request("/ws/1?a=b", "X-Client: very bad"))
            let inParts = try Link(port, upstream, saying: Array("GE".utf8), Array(Self.request("/ws")[2...]))
            let other = try Link(port, upstream, saying: Self.request("/other", "X-Client: good"))
            let hello = try Link(port, upstream, saying: ServerNameTests.hello("chat.test"))
            let none = try Link(port, upstream, saying: Array("no HTTP\r\n\r\n".utf8))
            let links = [meant, inParts, other, hello, none]
            for (only, hit) in [
                (#"{"path":"/ws*"}"#, [true, true, false, false, false]),
                (#"{"path":"/other"}"#, [false, false, true, false, false]),
                (#"{"header":{"name":"x-client","contains":"bad"}}"#, [true, false, false, false, false]),
                (#"{"path":"/ws*","header":{"name":"X-A"}}"#, [false, true, false, false, false]),
                (#"{"server_name":"chat.test"}"#, [false, false, false, true, false]),
                (#"{"server_name":"*.test","path":"/ws*"}"#, [false, false, false, false, false]),
            ] {
                try corrupt(only, on: bench)
                #expect(links.map { $0.isHit() } == hit, "\(only)")
                try change(toxicity: 0, on: bench)
                #expect(!links.contains { $0.isHit() }, "\(only)")
                try change(toxicity: 1, on: bench)
                #expect(links.map { $0.isHit() } == hit, "\(only)")
                try remove(on: bench)
                #expect(!links.contains { $0.isHit() }, "\(only)")
            }
        }
    }

    /// The proxy inspects the first bytes before it forwards them.
    @Test(
        "A toxic selects an open connection without earlier bytes by its first bytes",
        arguments: [#"{"path":"/ws"}"#, #"{"server_name":"chat.test"}"#]
    )
    func silentConnections(_ only: String) throws {
        try Bench.with { bench in
            let upstream = try Upstream()
            let port = try bench.proxy(to: upstream.port)
            let links = try (0..<2).map { _ in try Link(port, upstream) }
            let reset = #"{"type":"reset_peer","only":\#(only)}"#
            #expect(try bench.call("POST", "/proxies/p/toxics", reset).status == 200)
            let isPath = only.contains("path")
            links[0].client.send(isPath ? Self.request("/ws") : ServerNameTests.hello("chat.test"))
            let seen = links[0].server.receiveAll()
            #expect(seen.bytes == [] && seen.end == .rst)
            #expect(links[0].client.receiveAll().end == .rst)
            let others = isPath ? Self.request("/other") : ServerNameTests.hello("other.test")
            links[1].client.send(others)
            #expect(links[1].server.receive(others.count).bytes == others)
            links[1].server.send("fine")
            #expect(links[1].client.text(4) == "fine")
            #expect(bench.event(isPath ? "link.requested" : "link.hello") { $0["link"] == 2 } != nil)
        }
    }

    @Test("A request is recognised even if a toxic selects by TLS server name") func requestBehindHello() throws {
        try Bench.with { bench in
            let upstream = try Upstream()
            let toxics = #"[{"type":"noop","only":{"server_name":"chat.test"}}]"#
            let port = try bench.proxy(to: upstream.port, toxics: toxics)
            let link = try Link(port, upstream, saying: Array("GET /w".utf8), Array("s HTTP/1.1\r\n\r\n".utf8))
            try corrupt(#"{"path":"/ws"}"#, on: bench)
            #expect(link.isHit())
        }
    }

    /// The proxy buffers at most as many bytes as a request head may contain.
    @Test("A request head larger than the limit is not recognised as a request")
    func aHeadWithoutEndIsNoRequest() throws {
        try Bench.with { bench in
            let upstream = try Upstream()
            let port = try bench.proxy(to: upstream.port)
            let header = "X-A: " + String(repeating: "b", count: 17_000)
            let link = try Link(port, upstream, saying: Self.request("/ws", header))
            try corrupt(#"{"path":"/ws"}"#, on: bench)
            #expect(!link.isHit())
        }
    }

    @Test(
        "With terminated TLS a toxic can select by host name and by request",
        .enabled(if: TLS.isBuilt, "this build has no TLS: swift test --traits TLS")
    )
    func terminatedTLS() throws {
        try Bench.with { bench in
            let upstream = try Upstream()
            let request =
                #"{"name":"p","listen":"127.0.0.1:0","upstream":"127.0.0.1:\#(upstream.port)","tls":{"mode":"terminate"}}"#
            let listen = try #require(try bench.call("POST", "/proxies", request)["listen"].stringValue)
            let port = try #require(Int(listen.split(separator: ":").last ?? ""))
            let trust = TLSTrust.certificates(Array(try bench.call("GET", "/tls/ca.pem").body.utf8))
            let client = try SecuredPeer(connectingTo: port, name: "chat.test", trusting: trust)
            let server = try #require(upstream.accept())
            client.send("GET /ws HTTP/1.1\r\n\r\n")
            #expect(server.text(20) == "GET /ws HTTP/1.1\r\n\r\n")
            for (number, (only, isHit)) in [
                (#"{"server_name":"other.test"}"#, false), (#"{"server_name":"chat.test","path":"/other"}"#, false),
                (#"{"server_name":"chat.test","path":"/ws"}"#, true), (#"{"path":"/ws"}"#, true),
            ].enumerated() {
                try corrupt(only, on: bench)
                server.send("a")
                try remove(on: bench)
                server.send("<\(number)>")
                #expect(client.hears("<\(number)>"))
                #expect(client.text.hasSuffix("a<\(number)>") != isHit, "\(only)")
            }
        }
    }
}
