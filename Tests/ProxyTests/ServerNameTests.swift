import Foundation
import Proxy
import SquallCore
import TLSLink
import TestSupport
import Testing

/// Tests toxics that apply only to connections to certain hosts, with forwarded and with terminated TLS.
@Suite(.ownThread, .timeLimit(.minutes(20)))
struct ServerNameTests {
    /// Returns a ClientHello with the given host name, or with none.
    static func hello(_ host: String?) -> [UInt8] {
        func block(_ bytes: [UInt8], _ lengthBytes: Int) -> [UInt8] {
            (0..<lengthBytes).reversed().map { UInt8(truncatingIfNeeded: bytes.count >> (8 * $0)) } + bytes
        }
        let name = host.map { [0, 0] + block(block([0] + block(Array($0.utf8), 2), 2), 2) } ?? []
        let body =
            [3, 3] + [UInt8](repeating: 9, count: 32) + block([], 1) + block([0xC0, 0x2B], 2) + block([0], 1)
            + block([0, 23, 0, 0] + name, 2)
        return [22, 3, 1] + block([1] + block(body, 3), 2)
    }

    private static func toxics(_ name: String) -> String {
        #"[{"type":"limit_data","stream":"downstream","attributes":{"bytes":0},"only":{"server_name":"\#(name)"}}]"#
    }

    @Test(
        "only.server_name selects TLS connections by host name or wildcard",
        arguments: [
            ("chat.test", "chat.test", true), ("chat.test", "Chat.TEST", true), ("chat.test", "other.test", false),
            ("chat.test", "a.chat.test", false), ("*.chat.test", "a.chat.test", true),
            ("*.chat.test", "chat.test", false),
            ("*.chat.test", "achat.test", false), ("chat.test", nil, false),
        ]
    )
    func passedTLS(_ wanted: String, _ host: String?, _ isHit: Bool) throws {
        try Bench.with { bench in
            let upstream = try Upstream()
            let port = try bench.proxy(to: upstream.port, toxics: Self.toxics(wanted))
            let client = try Peer(connectingTo: port)
            let hello = Self.hello(host)
            let rest: [UInt8] = [20, 3, 3, 0, 1, 1]
            // The ClientHello arrives in two parts, and all bytes must pass unchanged.
            client.send(Array(hello[..<7]))
            client.send(Array(hello[7...]) + rest)
            let server = try #require(upstream.accept())
            #expect(server.receive(hello.count + rest.count).bytes == hello + rest)
            let event = bench.event("link.hello")
            #expect(event?["server_name"]?.stringValue == host?.lowercased())
            server.send("answer")
            if isHit {
                #expect(client.receiveAll().end == .fin)
            } else {
                #expect(client.text(6) == "answer")
            }
        }
    }

    @Test(
        "A connection without TLS is forwarded and not selected by server_name",
        arguments: ["no TLS at all", "\u{16}\u{2}", "GET /a HTTP/1.1\r\n\r\n"]
    )
    func notTLS(_ text: String) throws {
        try Bench.with { bench in
            let upstream = try Upstream()
            let port = try bench.proxy(to: upstream.port, toxics: Self.toxics("chat.test"))
            let client = try Peer(connectingTo: port)
            client.send(text)
            let server = try #require(upstream.accept())
            #expect(server.text(text.utf8.count) == text)
            server.send("answer")
            #expect(client.text(6) == "answer")
        }
    }

    /// A proxy may combine toxics that select hosts with toxics that select paths.
    @Test("A request is recognised on a proxy with toxics that select by server_name")
    func requestWithoutHello() throws {
        try Bench.with { bench in
            let upstream = try Upstream()
            let byPath = #"{"type":"reset_peer","only":{"path":"/bad"}}"#
            let toxics = "[\(Self.toxics("chat.test").dropFirst().dropLast()),\(byPath)]"
            let port = try bench.proxy(to: upstream.port, toxics: toxics)
            let client = try Peer(connectingTo: port)
            client.send("GET /bad HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(client.receiveAll().end == .rst)
            #expect(upstream.accept()?.receiveAll().end == .rst)
            let secret = try Peer(connectingTo: port)
            let hello = Self.hello("other.test")
            secret.send(hello)
            let server = try #require(upstream.accept())
            #expect(server.receive(hello.count).bytes == hello)
        }
    }

    @Test("An incomplete ClientHello and the FIN after it are forwarded") func halfAHelloIsPassedOnWithItsEnd() throws {
        try Bench.with { bench in
            let upstream = try Upstream()
            let port = try bench.proxy(to: upstream.port, toxics: Self.toxics("chat.test"))
            let client = try Peer(connectingTo: port)
            let part = Array(Self.hello("chat.test")[..<20])
            client.send(part)
            client.end()
            let server = try #require(upstream.accept())
            let seen = server.receiveAll()
            #expect(seen.bytes == part && seen.end == .fin)
        }
    }

    @Test("A server_name that is not a string is refused") func nameIsNotAString() throws {
        try Bench.with { bench in
            _ = try bench.proxy(to: 1)
            let reply = try bench.call(
                "POST",
                "/proxies/p/toxics",
                #"{"type":"noop","only":{"server_name":7}}"#
            )
            #expect(reply.status == 400)
            #expect(reply["error"].stringValue?.contains("only.server_name: expected a string") == true)
        }
    }
}
