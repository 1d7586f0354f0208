import Foundation
import Proxy
import SquallCore
import Synchronization
import TLSLink
import TestSupport
import Testing

/// Tests requests that change an existing proxy.
@Suite(.ownThread, .timeLimit(.minutes(20)))
struct UpdateTests {
    @Test("The host names of a disabled proxy are not resolved") func disabledProxy() throws {
        let asked = Asked()
        var options = ProxyServer.Options()
        options.lookUp = { endpoint in
            asked.add("\(endpoint)")
            return Result { () throws(AddressError) in try Endpoint("nowhere").resolve() }
        }
        try Bench.with(options) { bench in
            let body = #"{"name":"a","listen":"listen.test:0","upstream":"upstream.test:1","enabled":false}"#
            let created = try bench.call("POST", "/proxies", body)
            #expect(created.status == 201)
            #expect(try bench.call("POST", "/populate", "[\(body)]").status == 201)
            #expect(try bench.call("POST", "/proxies/a", #"{"enabled":false,"upstream":"other.test:1"}"#).status == 200)
            // The second proxy's addresses are irrelevant here.
            #expect(
                try bench.call("POST", "/proxies", #"{"name":"b","listen":"127.0.0.1:0","upstream":"x.test:1"}"#).status
                    == 201
            )
            #expect(try bench.call("POST", "/proxies/b", #"{"upstream":"y.test:1"}"#).status == 200)
            #expect(asked.all == [])
            #expect(try bench.call("POST", "/proxies/a", #"{"enabled":true}"#).status == 500)
            #expect(asked.all.contains { $0.contains("listen.test") })
            #expect(!asked.all.contains { $0.contains("other.test") || $0.contains("y.test") })
        }
    }

    /// A request to `/populate` can change the listening port or the upstream.
    @Test("A list of proxies with an address in use leaves all proxies unchanged") func failedList() throws {
        try Bench.with { bench in
            let upstream = try Upstream()
            let port = try bench.proxy(to: upstream.port, toxics: #"[{"type":"noop","name":"n"}]"#)
            let client = try Peer(connectingTo: port)
            let server = try #require(upstream.accept())
            let before = try bench.call("GET", "/proxies/p").json
            let taken = "127.0.0.1:\(upstream.port)"
            let reply = try bench.call(
                "POST",
                "/populate",
                #"[{"name":"p","listen":"\#(taken)","upstream":"127.0.0.1:1"}]"#
            )
            #expect(reply.status == 500)
            #expect(try bench.call("GET", "/proxies/p").json == before)
            client.send("still")
            #expect(server.text(5) == "still")

            let idle = #"{"name":"q","listen":"\#(taken)","upstream":"127.0.0.1:1","enabled":false}"#
            #expect(try bench.call("POST", "/proxies", idle).status == 201)
            let list = #"[{"name":"q","listen":"\#(taken)","upstream":"127.0.0.1:2"}]"#
            #expect(try bench.call("POST", "/populate", list).status == 500)
            #expect(try bench.call("GET", "/proxies/q")["upstream"] == "127.0.0.1:1")

            // A valid entry replaces all of its proxy's settings.
            let other = #"[{"name":"p","listen":"127.0.0.1:0","upstream":"127.0.0.1:1"}]"#
            #expect(try bench.call("POST", "/populate", other).status == 201)
            let after = try bench.call("GET", "/proxies/p")
            #expect(after["upstream"] == "127.0.0.1:1" && after["toxics"] == [] && after["enabled"] == true)
            #expect(client.receiveAll().end == .fin)
        }
    }

    @Test("A proxy can change its address and switch between TCP and UDP") func moves() throws {
        try Bench.with { bench in
            let body = #"{"name":"a","listen":"some.invalid:9000","upstream":"127.0.0.1:1","enabled":false}"#
            #expect(try bench.call("POST", "/proxies", body).status == 201)
            #expect(
                try bench.call("POST", "/proxies/a", #"{"listen":"other.invalid:9001"}"#)["listen"]
                    == "other.invalid:9001"
            )
            let upstream = try Upstream()
            let port = try bench.proxy(to: upstream.port)
            let (stream, datagrams) = ("127.0.0.1:\(port)", "udp:127.0.0.1:\(port)")
            let before = try Peer(connectingTo: port)
            for listen in [datagrams, stream, datagrams] {
                let reply = try bench.call("POST", "/proxies/p", #"{"listen":"\#(listen)"}"#)
                #expect(reply["listen"].stringValue == listen && reply["enabled"] == true, "\(reply.body)")
            }
            #expect(before.receiveAll().end == .fin)
            #expect(throws: Peer.Failure.self) { try Peer(connectingTo: port) }
            // The same address with a different transport protocol counts as a different listener, in `/populate` as
            // well.
            let entry = #"[{"name":"p","listen":"\#(stream)","upstream":"127.0.0.1:\#(upstream.port)"}]"#
            let populated = try bench.call("POST", "/populate", entry)
            #expect(populated["proxies"].arrayValue?.first?["listen"]?.stringValue == stream)
            let client = try Peer(connectingTo: port)
            // A failed update leaves the proxy unchanged.
            let taken = try bench.call("POST", "/proxies/p", #"{"listen":"udp:192.0.2.1:9"}"#)
            #expect(taken.status == 500)
            #expect(try bench.call("GET", "/proxies/p")["listen"].stringValue == stream)
            client.close()
            _ = try Peer(connectingTo: port)
        }
    }

    @Test("A proxy can be switched to protocol http and back") func protocolChange() throws {
        try Bench.with { bench in
            let upstream = try Upstream()
            let port = try bench.proxy(to: upstream.port)
            let before = try Peer(connectingTo: port)
            _ = try #require(upstream.accept())
            #expect(try bench.call("POST", "/proxies/p", #"{"protocol":"http"}"#)["protocol"] == "http")
            #expect(before.receiveAll().end == .fin)
            let client = try Peer(connectingTo: port)
            client.send("GET /here HTTP/1.1\r\nHost: a\r\n\r\n")
            _ = try #require(upstream.accept())
            #expect(bench.event("link.requested") { $0["target"] == "/here" } != nil)
            #expect(try bench.call("POST", "/proxies/p", #"{"enabled":true}"#)["protocol"] == "http")
            #expect(try bench.call("POST", "/proxies/p", #"{"protocol":"ftp"}"#).status == 400)
            #expect(try bench.call("POST", "/proxies/p", #"{"protocol":"tcp"}"#)["protocol"] == .null)
        }
    }

    @Test(
        "The TLS settings of a proxy can be changed, and invalid ones are refused",
        .enabled(if: TLS.isBuilt, "this build has no TLS: swift test --traits TLS")
    )
    func tlsChange() throws {
        try Bench.with { bench in
            let upstream = try Upstream()
            let port = try bench.proxy(to: upstream.port)
            let wrong = try bench.call("POST", "/proxies/p", #"{"tls":{"mode":"melt"}}"#)
            #expect(wrong.status == 400)
            #expect(
                wrong["error"].stringValue?.contains("tls.mode: expected one of pass, terminate, originate") == true
            )
            let reply = try bench.call("POST", "/proxies/p", #"{"tls":{"mode":"terminate"}}"#)
            #expect(reply["tls"]["mode"] == "terminate")
            let client = try Peer(connectingTo: port)
            client.send("this is no hello of TLS")
            #expect(bench.event("link.handshake_failed") { $0["why"] == "not_tls" } != nil)
            #expect(try bench.call("PATCH", "/proxies/p", #"{"tls":{"mode":"pass"}}"#)["tls"] == .null)
            let plain = try Peer(connectingTo: port)
            plain.send("plain")
            #expect(upstream.accept()?.text(5) == "plain")
        }
    }
}

/// The host names resolved so far, on any thread.
private final class Asked: Sendable {
    private let names = Mutex<[String]>([])
    var all: [String] { names.withLock { $0 } }
    func add(_ name: String) { names.withLock { $0.append(name) } }
}
