import Faults
import Foundation
import Proxy
import SquallCore
import TLSLink
import TestSupport
import Testing

/// Tests proxies that terminate or originate TLS.
@Suite(
    .ownThread,
    .timeLimit(.minutes(20)),
    .enabled(if: TLS.isBuilt, "this build has no TLS: swift test --traits TLS")
)
struct SecurityTests {
    /// Starts a TLS-terminating proxy `p`, and passes its port, its upstream and the clients' trust anchors to `body`.
    private func withProxy(
        _ tls: String = #"{"mode":"terminate"}"#,
        toxics: String = "[]",
        more: String = "",
        _ body: (Bench, Int, Upstream, TLSTrust) throws -> Void
    ) throws {
        let upstream = try Upstream()
        try Bench.with { bench in
            let request =
                #"{"name":"p","listen":"127.0.0.1:0","upstream":"127.0.0.1:\#(upstream.port)","#
                + #""tls":\#(tls),"toxics":\#(toxics)\#(more)}"#
            let reply = try bench.call("POST", "/proxies", request)
            let listen = try #require(reply["listen"].stringValue, "\(reply.body)")
            let port = try #require(Int(listen.split(separator: ":").last ?? ""))
            let authority = try bench.call("GET", "/tls/ca.pem").body
            try body(bench, port, upstream, .certificates(Array(authority.utf8)))
        }
    }

    @Test("Plaintext passes a terminating proxy in both directions") func plaintextPasses() throws {
        try withProxy { bench, port, upstream, trust in
            let client = try SecuredPeer(connectingTo: port, trusting: trust)
            #expect(client.isSecured)
            let server = try #require(upstream.accept())
            client.send("hello")
            #expect(server.text(5) == "hello")
            server.send("and back")
            #expect(client.hears("and back"))
            let secured = try #require(bench.event("link.secured"))
            #expect(secured["side"] == "client" && secured["server_name"] == "chat.test")
        }
    }

    @Test("A TLS proxy forwards a half-close in both directions") func aHalfCloseIsPassedOnBothWays() throws {
        try withProxy { _, port, upstream, trust in
            let client = try SecuredPeer(connectingTo: port, trusting: trust)
            let server = try #require(upstream.accept())
            client.send("last words")
            client.sendCloseNotify()
            let (bytes, end) = server.receiveAll()
            #expect(String(decoding: bytes, as: UTF8.self) == "last words" && end == .fin)
            server.send("an answer")
            server.end()
            #expect(client.hears("an answer"))
            #expect(client.hearsGoodbye())
            #expect(client.peer.receiveAll().end == .fin)
        }
    }

    @Test("An end of stream without close_notify is passed on as a reset")
    func anEndWithoutGoodbyeArrivesAsAReset() throws {
        try withProxy { bench, port, upstream, trust in
            let client = try SecuredPeer(connectingTo: port, trusting: trust)
            let server = try #require(upstream.accept())
            client.peer.end()
            #expect(server.receiveAll().end == .rst)
            #expect(bench.event("link.truncated")?["side"] == "client")
        }
    }

    @Test("A reset by the upstream is passed on as a reset to the client")
    func aResetOfTheUpstreamIsOneForTheClient() throws {
        try withProxy { _, port, upstream, trust in
            let client = try SecuredPeer(connectingTo: port, trusting: trust)
            let server = try #require(upstream.accept())
            server.reset()
            #expect(client.peer.receiveAll().end == .rst)
        }
    }

    @Test("Disabling a proxy sends close_notify") func disablingItSaysGoodbye() throws {
        try withProxy { bench, port, upstream, trust in
            let client = try SecuredPeer(connectingTo: port, trusting: trust)
            let server = try #require(upstream.accept())
            try bench.call("POST", "/proxies/p", #"{"enabled":false}"#)
            #expect(client.hearsGoodbye())
            #expect(server.receiveAll().end == .fin)
        }
    }

    @Test("Many bytes pass a terminating proxy unchanged") func manyBytesPassWholeBothWays() throws {
        try withProxy { _, port, upstream, trust in
            let client = try SecuredPeer(connectingTo: port, trusting: trust)
            let server = try #require(upstream.accept())
            let text = String(repeating: "0123456789", count: 30_000)
            client.send(text)
            #expect(server.text(text.count) == text)
        }
    }

    // MARK: - Handshakes

    @Test("The toxic 'certificate' determines whether a client trusts the proxy", arguments: CertificateKind.allCases)
    func clientsAreShownTheCertificate(_ kind: CertificateKind) throws {
        let toxic = #"[{"type":"certificate","attributes":{"kind":"\#(kind.rawValue)"}}]"#
        try withProxy(toxics: toxic) { bench, port, upstream, trust in
            let client = try SecuredPeer(connectingTo: port, trusting: trust)
            #expect(client.isSecured == kind.isAcceptable)
            if kind.isAcceptable {
                #expect(upstream.accept() != nil)
            } else {
                client.peer.close()
                // A client that rejects the host name closes the connection only after the handshake is complete, so
                // all that the proxy sees is a truncated connection.
                let isNameWrong = kind == .wrongHost || kind == .portal
                #expect(bench.event(isNameWrong ? "link.truncated" : "link.handshake_failed") != nil)
                if !isNameWrong { #expect(upstream.accept(within: 0) == nil) }
            }
            try bench.call("DELETE", "/proxies/p/toxics/certificate_downstream")
            let next = try SecuredPeer(connectingTo: port, trusting: trust)
            #expect(next.isSecured)
        }
    }

    @Test("The toxic 'handshake' refuses connections with a TLS alert") func aHandshakeIsRefusedByAnAlert() throws {
        try withProxy(toxics: #"[{"type":"handshake"}]"#) { bench, port, upstream, trust in
            let client = try SecuredPeer(connectingTo: port, trusting: trust)
            #expect(client.failure?.reason == "alert_handshake_failure")
            #expect(client.peer.receiveAll().end == .fin)
            #expect(bench.event("link.handshake_failed")?["why"] == "refused")
            #expect(upstream.accept(within: 0) == nil)
        }
    }

    @Test("The toxic 'handshake' can stall the TLS handshake") func aHandshakeIsNeverAnswered() throws {
        let toxic = #"[{"type":"handshake","attributes":{"outcome":"stall"}}]"#
        try withProxy(toxics: toxic) { bench, port, upstream, trust in
            let client = try SecuredPeer(connectingTo: port, trusting: trust, within: 0.3)
            #expect(!client.isSecured && client.failure == nil)
            #expect(bench.event("link.handshake_failed")?["why"] == "stalled")
            #expect(upstream.accept(within: 0) == nil)
        }
    }

    @Test("The toxic 'certificate' can be limited to selected connections") func someConnections() throws {
        let toxic = #"[{"type":"certificate","attributes":{"kind":"expired"},"only":{"connections":[2]}}]"#
        try withProxy(toxics: toxic) { _, port, _, trust in
            let secured = try (1...3).map { _ in try SecuredPeer(connectingTo: port, trusting: trust).isSecured }
            #expect(secured == [true, false, true])
        }
    }

    @Test("A captive portal presents its own certificate") func aPortalAnswersWithItsOwnCertificate() throws {
        try withProxy(toxics: #"[{"type":"captive_portal"}]"#) { _, port, upstream, trust in
            let careful = try SecuredPeer(connectingTo: port, trusting: trust)
            #expect(!careful.isSecured)
            let careless = try SecuredPeer(connectingTo: port, trusting: .anyCertificate)
            careless.send("GET / HTTP/1.1\r\nHost: chat.test\r\n\r\n")
            #expect(careless.hears("HTTP/1.1 302") && careless.hears("http://portal.test/login"))
            #expect(upstream.accept(within: 0) == nil)
        }
    }

    @Test("Bytes that are not TLS end the connection and do not reach the upstream") func notTLS() throws {
        try withProxy { bench, port, upstream, trust in
            var generator = Seed(11).stream("noise", for: .only)
            for round in 0..<100 {
                let noise = try Peer(connectingTo: port)
                let count = Int(generator.next() % 600)
                // Every second connection starts with bytes that look like a TLS handshake.
                let start: [UInt8] = round % 2 == 0 ? [22, 3, 1, 0, UInt8(count % 200)] : []
                noise.send(start + (0..<count).map { _ in UInt8(truncatingIfNeeded: generator.next()) })
                noise.end()
                #expect(noise.receiveAll().end != .silence)
                noise.close()
            }
            let plain = try Peer(connectingTo: port)
            plain.send("GET / HTTP/1.1\r\n\r\n")
            #expect(plain.receiveAll().end == .fin)
            #expect(bench.event("link.handshake_failed") { $0["why"] == "not_tls" } != nil)
            #expect(upstream.accept(within: 0) == nil)
            let next = try SecuredPeer(connectingTo: port, trusting: trust)
            #expect(next.isSecured)
        }
    }

    // MARK: - Toxics within TLS

    @Test("Toxics of a terminating proxy see the plaintext") func faultsSeePlaintext() throws {
        let toxics = #"[{"type":"upgrade_status","attributes":{"status":429}}]"#
        try withProxy(toxics: toxics, more: #","protocol":"http""#) { bench, port, _, trust in
            let client = try SecuredPeer(connectingTo: port, trusting: trust)
            client.send("GET /ws HTTP/1.1\r\nHost: chat.test\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n")
            #expect(client.hears("HTTP/1.1 429"))
            #expect(bench.event("link.requested")?["target"] == "/ws")
        }
    }

    @Test("'cut' counts bytes of the plaintext on a terminating proxy") func aCutFallsAtTheByteOfThePlaintext() throws {
        let toxics = #"[{"type":"cut","stream":"upstream","attributes":{"at_byte":3}}]"#
        try withProxy(toxics: toxics) { _, port, upstream, trust in
            let client = try SecuredPeer(connectingTo: port, trusting: trust)
            let server = try #require(upstream.accept())
            client.send("abcdef")
            let (bytes, end) = server.receiveAll()
            #expect(String(decoding: bytes, as: UTF8.self) == "abc" && end == .fin)
        }
    }

    // MARK: - TLS to the upstream

    /// Starts a TLS-terminating proxy `p` and a proxy `q` that originates TLS to `p`, and passes the port of `q` to
    /// `body`.
    private func withOriginator(_ more: String, _ body: (Bench, Int, Upstream) throws -> Void) throws {
        try withProxy { bench, port, upstream, trust in
            guard case .certificates(let pem) = trust else { return }
            let path = FileManager.default.temporaryDirectory.appendingPathComponent("ca-\(UUID().uuidString).pem").path
            #expect(FileManager.default.createFile(atPath: path, contents: Data(pem)))
            defer { try? FileManager.default.removeItem(atPath: path) }
            let tls = #"{"mode":"originate"\#(more.replacingOccurrences(of: "CA", with: path))}"#
            let request = #"{"name":"q","listen":"127.0.0.1:0","upstream":"127.0.0.1:\#(port)","tls":\#(tls)}"#
            let reply = try bench.call("POST", "/proxies", request)
            let listen = try #require(reply["listen"].stringValue, "\(reply.body)")
            try body(bench, try #require(Int(listen.split(separator: ":").last ?? "")), upstream)
        }
    }

    @Test(
        "A plaintext client reaches a TLS server through an originating proxy",
        arguments: [#","ca":"CA""#, #","ca":"CA","server_name":"chat.test""#, #","verify":false"#]
    )
    func aPlainClientReachesATLSServer(_ more: String) throws {
        try withOriginator(more) { bench, port, upstream in
            let client = try Peer(connectingTo: port)
            client.send("hello")
            let server = try #require(upstream.accept())
            #expect(server.text(5) == "hello")
            server.send("back")
            server.end()
            let (bytes, end) = client.receiveAll()
            #expect(String(decoding: bytes, as: UTF8.self) == "back" && end == .fin)
            #expect(bench.event("link.secured") { $0["side"] == "server" } != nil)
        }
    }

    @Test("An untrusted TLS upstream receives no data, and the client is reset") func untrustedUpstream() throws {
        try withOriginator("") { bench, port, upstream in
            let client = try Peer(connectingTo: port)
            // If the reset arrives before the write, the write fails and the reset is not reported a second time.
            #expect(!client.send("secret") || client.receiveAll().end == .rst)
            let failed = try #require(bench.event("link.handshake_failed") { $0["proxy"] == "q" })
            #expect(failed["side"] == "server" && failed["why"] == "certificate_verify_failed")
            #expect(bench.event("link.upstream_failed")?["why"] == "tls")
            #expect(upstream.accept(within: 0) == nil)
        }
    }

    @Test("An upstream that does not speak TLS causes a reset of the client") func upstreamWithoutTLS() throws {
        let upstream = try Upstream()
        try Bench.with { bench in
            let tls = #"{"mode":"originate","verify":false}"#
            let request =
                #"{"name":"q","listen":"127.0.0.1:0","upstream":"127.0.0.1:\#(upstream.port)","tls":\#(tls)}"#
            let listen = try #require(try bench.call("POST", "/proxies", request)["listen"].stringValue)
            for answer in ["HTTP/1.1 400 Bad Request\r\n\r\n", ""] {
                let client = try Peer(connectingTo: try #require(Int(listen.split(separator: ":").last ?? "")))
                let server = try #require(upstream.accept())
                server.send(answer)
                server.end()
                #expect(client.receiveAll().end == .rst)
            }
        }
    }

    // MARK: - Forwarded TLS

    @Test("TLS passes unchanged through a proxy with TLS mode pass") func passedTLS() throws {
        let upstream = try Upstream()
        try Bench.with { bench in
            let request =
                #"{"name":"p","listen":"127.0.0.1:0","upstream":"127.0.0.1:\#(upstream.port)","tls":{"mode":"pass"}}"#
            let reply = try bench.call("POST", "/proxies", request)
            #expect(reply["tls"] == .null)
            let listen = try #require(reply["listen"].stringValue)
            let client = try Peer(connectingTo: try #require(Int(listen.split(separator: ":").last ?? "")))
            let hello = try TLS.client(of: "chat.test", trusting: .anyCertificate).start().flatMap { output in
                if case .wire(let bytes) = output { bytes } else { [UInt8]() }
            }
            client.send(hello)
            let server = try #require(upstream.accept())
            #expect(server.receive(hello.count).bytes == hello)
        }
    }

    // MARK: - Settings

    @Test(
        "Invalid TLS settings are refused with the reason",
        arguments: [
            (#"{"mode":"melt"}"#, "tls.mode: expected one of pass, terminate, originate, found melt"),
            (#"{"mod":"pass"}"#, "tls: unknown key 'mod'"),
            (
                #"{"mode":"originate","upstream":"plain"}"#,
                "tls.upstream: expected tls or plain, and tls with mode originate"
            ),
            (#"{"mode":"terminate","ca":"/x"}"#, "tls.ca: not allowed with this mode and upstream"),
            (#"{"mode":"originate","ca":"/no/such.pem"}"#, "tls.ca: /no/such.pem: No such file"),
            (#"{"mode":"originate","ca":"/dev/null"}"#, "no PEM certificates found"),
            (#"{"mode":"terminate","hosts":[7]}"#, "tls.hosts: expected a non-empty list of names or addresses"),
            (#"7"#, "tls: expected an object, found number"),
        ]
    )
    func invalidSettings(_ tls: String, _ words: String) throws {
        try Bench.with { bench in
            let request = #"{"name":"p","listen":"127.0.0.1:0","upstream":"127.0.0.1:1","tls":\#(tls)}"#
            let reply = try bench.call("POST", "/proxies", request)
            #expect(reply.status == 400)
            #expect(reply["error"].stringValue?.contains(words) == true, "\(reply.body)")
        }
    }

    @Test("A proxy reports its TLS settings, and repeating the same settings does not replace it")
    func unchangedSettings() throws {
        try withProxy { bench, port, upstream, _ in
            let told = try bench.call("GET", "/proxies/p")
            #expect(told["tls"] == ["mode": "terminate"])
            func populate(_ tls: String) throws -> String? {
                let entry =
                    #"[{"name":"p","listen":"127.0.0.1:\#(port)","upstream":"127.0.0.1:\#(upstream.port)"\#(tls)}]"#
                return try bench.call("POST", "/populate", entry)["proxies"].arrayValue?.first?["listen"]?.stringValue
            }
            let same = try populate(#","tls":{"mode":"terminate"}"#)
            #expect(same == "127.0.0.1:\(port)")
            let other = try populate("")
            #expect(other == "127.0.0.1:\(port)")
            #expect(bench.event("proxy.removed", within: 0) == nil)
            let changed = try bench.call("GET", "/proxies/p")
            #expect(changed["tls"] == .null)
        }
    }
}
