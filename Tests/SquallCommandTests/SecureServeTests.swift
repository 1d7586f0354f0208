import Foundation
import SquallCore
import TLSLink
import TestSupport
import Testing

/// Tests `squall serve --tls`, with Python's `ssl` in place of a phone.
@Suite(.ownThread, .timeLimit(.minutes(20)))
struct SecureServeTests {
    private static let peer = Command.package.appendingPathComponent("Fixtures/tls/peer.py").path

    private static let hasPython = Tool.run("python3", "-c", "import ssl").status == 0

    /// Returns the URL that the server prints.
    private static func url(of served: Serving) -> URLComponents? {
        let line = served.line(with: "://") ?? ""
        return URLComponents(string: line.split(whereSeparator: \.isWhitespace).first.map(String.init) ?? "")
    }

    /// An upgrade request that is immediately followed by a masked close frame.
    private static let upgrade =
        #"GET / HTTP/1.1\r\nHost: chat.test\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"#
        + #"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n\x88\x80\x00\x00\x00\x00"#

    @Test(
        "squall serve --echo --tls serves a client that trusts the authority",
        .enabled(if: TLS.isBuilt, "this build has no TLS"),
        .enabled(if: hasPython, "no python3 with ssl here")
    )
    func aClientThatTrustsItIsServed() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let folder = scratch.folder.appendingPathComponent("ca").path
        let served = try Serving(["--echo", "--tls", "--tls-ca", folder, "--name", "phone.test"])
        let url = try #require(Self.url(of: served))
        #expect(url.scheme == "wss" && url.host == "phone.test")
        let port = try #require(url.port)
        let told = try #require(served.complaint(upTo: "remove the certificate from devices"))
        let offer = try #require(
            told.split(whereSeparator: \.isWhitespace).first { $0.hasPrefix("http://") }.map(String.init)
        )
        for name in ["phone.test", "127.0.0.1", "other.test"] {
            let seen = Tool.run("python3", Self.peer, "\(port)", name, "\(folder)/squall-ca.pem", Self.upgrade).bytes
            let json = try JSON.decode(String(decoding: seen, as: UTF8.self))
            #expect(json["received"]?.stringValue?.hasPrefix("HTTP/1.1 101") == true, "\(name): \(json)")
            #expect(json["received"]?.stringValue?.contains("s3pPLMBiTxaQ9kYGzzhZRbK+xOo=") == true)
        }
        let fetch =
            "import sys, urllib.request as u; sys.stdout.buffer.write(u.urlopen(sys.argv[1], timeout=20).read())"
        let offered = Tool.run("python3", "-c", fetch, offer).bytes
        let kept = try String(contentsOfFile: "\(folder)/squall-ca.pem", encoding: .utf8)
        let body = kept.split(separator: "\n").dropFirst().dropLast().joined()
        #expect(offered == Data(base64Encoded: body))
        #expect(served.end(SIGINT) == 130)
    }

    /// An echo server with TLS takes the place of the user's own server.
    @Test(
        "A scenario with a TLS upstream passes only with the upstream's certificate authority",
        .enabled(if: TLS.isBuilt, "this build has no TLS"),
        arguments: [true, false]
    )
    func aScenarioReachesAnUpstreamThatItBelieves(_ believes: Bool) throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let folder = scratch.folder.appendingPathComponent("ca").path
        let served = try Serving(["--echo", "--tls", "--tls-ca", folder])
        let url = try #require(Self.url(of: served)?.string)
        let authority = believes ? ", upstream_ca: \(folder)/squall-ca.pem" : ""
        let file = try scratch.write(
            """
            squall: 1
            name: By TLS to a server of one's own
            server: { upstream: "\(url)"\(authority) }
            script:
              - wait: 1s
            expect:
              - never: network.upstream.failed
            """,
            to: "upstream.yaml"
        )
        let ending = try Command.run("run", file)
        #expect(ending.status == (believes ? 0 : 1), "\(ending.output)\(ending.errors)")
        #expect(served.end(SIGTERM) == 0)
    }

    @Test(
        "An upstream authority not in PEM format is refused before the run, with a command to convert it",
        .enabled(if: TLS.isBuilt, "this build has no TLS")
    )
    func anAuthorityInDER() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        try Data([0x30, 0x82, 1, 2]).write(to: scratch.folder.appendingPathComponent("ca.crt"))
        try scratch.write("server.upstream_ca: ca.crt\n", to: "mine.yaml")
        let arguments = ["record", "a.yaml", "--upstream", "wss://127.0.0.1:9", "--profile", "mine.yaml"]
        let ending = try Command(arguments, in: scratch.folder).ending()
        #expect(ending.status == 70)
        #expect(
            ending.errors.contains("ca.crt: no PEM certificates found: convert it with openssl"),
            "\(ending.errors)"
        )
    }

    @Test(
        "squall serve --tls exits with status 70 if its port is in use",
        .enabled(if: TLS.isBuilt, "this build has no TLS")
    )
    func aTakenPortEndsIt() throws {
        let served = try Serving(["--echo", "--tls"])
        let port = try #require(Self.url(of: served)?.port)
        let second = try Command.run("serve", "--echo", "--tls", "--port", "\(port)")
        #expect(second.status == 70)
        #expect(second.errors.contains("127.0.0.1:\(port)"), "\(second.errors)")
        #expect(served.end(SIGTERM) == 0)
    }

    @Test(
        "The error of squall serve --tls names a folder that cannot be created",
        .enabled(if: TLS.isBuilt, "this build has no TLS")
    )
    func aFolderThatCannotBeIsNamed() throws {
        let ending = try Command.run("serve", "--echo", "--tls", "--tls-ca", "/dev/null/ca")
        #expect(ending.status == 70)
        #expect(ending.errors.contains("/dev/null/ca"), "\(ending.errors)")
    }

    @Test(
        "squall serve --tls offers the chat server over TLS",
        .enabled(if: TLS.isBuilt, "this build has no TLS"),
        .enabled(if: hasPython, "no python3 with ssl here")
    )
    func theChatServerIsServedTheSameWay() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let folder = scratch.folder.appendingPathComponent("ca").path
        let served = try Serving(["--tls", "--tls-ca", folder])
        let url = try #require(Self.url(of: served))
        #expect(url.scheme == "wss" && url.path.hasPrefix("/ws"))
        let port = try #require(url.port)
        let upgrade = Self.upgrade.replacing("GET / ", with: "GET /ws ")
        let seen = Tool.run("python3", Self.peer, "\(port)", "127.0.0.1", "\(folder)/squall-ca.pem", upgrade).bytes
        let json = try JSON.decode(String(decoding: seen, as: UTF8.self))
        #expect(json["received"]?.stringValue?.contains(#""type":"hello""#) == true, "\(json)")
        #expect(served.end(SIGTERM) == 0)
    }

    @Test(
        "A certificate fault of squall serve --tls makes a client refuse the connection until it is healed",
        .enabled(if: TLS.isBuilt, "this build has no TLS"),
        .enabled(if: hasPython, "no python3 with ssl here"),
        arguments: [
            "network: { certificate: expired }", "network: { certificate: wrong_host }", "network: captive_portal",
            "network: handshake",
        ]
    )
    func handshakeFaults(step: String) throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let folder = scratch.folder.appendingPathComponent("ca").path
        let file = scratch.folder.appendingPathComponent("recorded.yaml").path
        let served = try Serving(["--tls", "--tls-ca", folder])
        let port = try #require(Self.url(of: served)?.port)
        let upgrade = Self.upgrade.replacing("GET / ", with: "GET /ws ")
        func received() throws -> String? {
            let seen = Tool.run("python3", Self.peer, "\(port)", "127.0.0.1", "\(folder)/squall-ca.pem", upgrade).bytes
            return try JSON.decode(String(decoding: seen, as: UTF8.self))["received"]?.stringValue
        }
        #expect(try received()?.contains("hello") == true)
        served.type(step)
        #expect(served.line(with: "fault.began") != nil)
        #expect(try received()?.contains("hello") != true)
        #expect(served.line(with: "network.handshake.failed") != nil)
        served.type("network: heal_all")
        #expect(served.line(with: "fault.ended") != nil)
        #expect(try received()?.contains("hello") == true)
        served.type("record \(file)")
        #expect(served.complaint(upTo: "recorded.yaml: ") != nil)
        #expect(try String(contentsOfFile: file, encoding: .utf8).contains("server.tls: true"))
        served.type("quit")
        #expect([0, 1].contains(served.ending().status))
    }

    @Test(
        "Without --tls, squall serve refuses a certificate fault and says how to get TLS",
        .enabled(if: TLS.isBuilt, "this build has no TLS")
    )
    func handshakeFaultsWithoutTLS() throws {
        let served = try Serving([])
        #expect(Self.url(of: served) != nil)
        served.type("network: { certificate: expired }")
        served.type("quit")
        let ending = served.ending()
        #expect(ending.errors.contains("squall serve --tls"), "\(ending.errors)")
    }

    @Test(
        "Each client of squall serve --tls has its own port",
        .enabled(if: TLS.isBuilt, "this build has no TLS")
    )
    func severalClients() throws {
        let served = try Serving(["--tls", "--client", "anna", "--client", "ben"])
        #expect(served.line(with: "anna") != nil && served.line(with: "ben") != nil)
        served.type("quit")
        #expect(served.ending().status == 0)
    }

    @Test("squall serve --host without --tls is refused")
    func hostNeedsTLS() throws {
        let ending = try Command.run("serve", "--echo", "--host", "0.0.0.0")
        #expect(ending.status == 64)
        #expect(ending.errors.contains("--host needs --tls"))
    }
}
