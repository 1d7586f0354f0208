import Faults
import Foundation
import Proxy
import SquallCore
import TLSLink
import TestSupport
import Testing

/// Tests Squall's TLS against other implementations: Python's `ssl` (OpenSSL) and curl.
@Suite(
    .ownThread,
    .timeLimit(.minutes(20)),
    .enabled(if: TLS.isBuilt, "this build has no TLS: swift test --traits TLS")
)
struct ForeignTLSTests {
    private static let script = Tool.package.appendingPathComponent("Fixtures/tls/peer.py").path

    private static let hasPython = Tool.run("python3", "-c", "import ssl").status == 0
    private static let hasCurl = Tool.run("curl", "--version").output.contains("https")
    private static let hasOpenSSL = Tool.run("openssl", "version").status == 0

    /// Passes a temporary folder to `body`, and removes it afterwards.
    private func withFolder(_ body: (String) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("squall-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(folder.path)
    }

    /// Starts a TLS-terminating proxy and passes it to `body`, along with its port and the path of its CA certificate.
    /// The upstream answers each request and closes the connection.
    private func withProxy(_ toxics: String = "[]", _ body: (Bench, Int, String) throws -> Void) throws {
        let upstream = try Upstream()
        let answering = Thread {
            while let peer = upstream.accept(within: 30) {
                // Read the request head, which ends with these four bytes.
                var head: [UInt8] = []
                while !head.suffix(4).elementsEqual([13, 10, 13, 10]) {
                    let (bytes, end) = peer.receive(1)
                    guard end == nil else { break }
                    head += bytes
                }
                peer.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello")
                peer.end()
                _ = peer.receiveAll()
                peer.close()
            }
        }
        answering.start()
        try withFolder { folder in
            var options = ProxyServer.Options()
            options.authorityFolder = "\(folder)/ca"
            try Bench.with(options) { bench in
                let request =
                    #"{"name":"p","listen":"127.0.0.1:0","upstream":"127.0.0.1:\#(upstream.port)","#
                    + #""tls":{"mode":"terminate"},"toxics":\#(toxics)}"#
                let reply = try bench.call("POST", "/proxies", request)
                let listen = try #require(reply["listen"].stringValue, "\(reply.body)")
                let port = try #require(Int(listen.split(separator: ":").last ?? ""))
                try body(bench, port, "\(folder)/ca/squall-ca.pem")
            }
        }
        upstream.close()
    }

    /// OpenSSL's error codes for invalid certificates (`x509_vfy.h`).
    private static let codes: [CertificateKind: Int64] = [
        .expired: 10, .notYetValid: 9, .wrongHost: 62, .selfSigned: 18, .untrusted: 19, .portal: 62,
    ]

    @Test(
        "A Python client reports the specific fault of each bad certificate",
        .enabled(if: hasPython, "no python3 with ssl here"),
        arguments: CertificateKind.allCases
    )
    func pythonSeesWhatIsWrong(_ kind: CertificateKind) throws {
        try withProxy(#"[{"type":"certificate","attributes":{"kind":"\#(kind.rawValue)"}}]"#) { bench, port, file in
            let request = #"GET / HTTP/1.1\r\nHost: chat.test\r\n\r\n"#
            let seen = Tool.run("python3", Self.script, "\(port)", "chat.test", file, request).output
            let json = try JSON.decode(seen)
            #expect(json["verify"]?.intValue == Self.codes[kind], "\(seen)")
            #expect(json["error"] == .null, "\(seen)")
            if kind == .valid {
                #expect(json["version"] == "TLSv1.3")
                #expect(json["received"]?.stringValue?.hasSuffix("\r\n\r\nhello") == true)
            }
        }
    }

    @Test("A Python client reports a refused TLS handshake", .enabled(if: hasPython, "no python3 with ssl here"))
    func pythonIsRefused() throws {
        try withProxy(#"[{"type":"handshake"}]"#) { _, port, file in
            let seen = Tool.run("python3", Self.script, "\(port)", "chat.test", file).output
            let error = try JSON.decode(seen)["error"]?.stringValue
            #expect(error?.contains("HANDSHAKE_FAILURE") == true, "\(seen)")
        }
    }

    private static func curl(_ authority: String, _ words: String...) -> Tool.Ending {
        Tool.run(["curl", "-sS", "--noproxy", "*", "--max-time", "20", "--cacert", authority] + words)
    }

    @Test(
        "curl accepts a valid certificate and rejects every other kind",
        .enabled(if: hasCurl, "no curl with https here"),
        arguments: CertificateKind.allCases
    )
    func curlTakesTheGoodOneAlone(_ kind: CertificateKind) throws {
        try withProxy(#"[{"type":"certificate","attributes":{"kind":"\#(kind.rawValue)"}}]"#) { _, port, file in
            let seen = Self.curl(file, "--resolve", "chat.test:\(port):127.0.0.1", "https://chat.test:\(port)/")
            // Exit status 60 means that curl could not verify the peer's certificate.
            #expect(seen.status == (kind.isAcceptable ? 0 : 60))
            #expect(seen.output == (kind.isAcceptable ? "hello" : ""))
        }
    }

    @Test("The proxy's certificate is also valid for its IP address", .enabled(if: hasCurl, "no curl with https here"))
    func anAddressIsANameToo() throws {
        try withProxy { _, port, file in
            let seen = Self.curl(file, "https://127.0.0.1:\(port)/")
            #expect(seen.status == 0 && seen.output == "hello")
        }
    }

    @Test(
        "A Python TLS server is reached with TLS mode originate and with TLS mode pass",
        .enabled(if: hasPython && hasOpenSSL, "no python3 with ssl, or no openssl, here")
    )
    func aServerOfPythonsIsReachedAndPassedThrough() throws {
        try withFolder { folder in
            let (certificate, key) = ("\(folder)/cert.pem", "\(folder)/key.pem")
            let made = Tool.run(
                "openssl",
                "req",
                "-x509",
                "-newkey",
                "rsa:2048",
                "-nodes",
                "-days",
                "2",
                "-subj",
                "/CN=backend.test",
                "-addext",
                "subjectAltName=DNS:backend.test",
                "-keyout",
                key,
                "-out",
                certificate
            )
            try #require(made.status == 0)
            let server = Process()
            server.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            server.arguments = ["python3", Self.script, "serve", certificate, key]
            let pipe = Pipe()
            server.standardOutput = pipe
            server.standardError = FileHandle.nullDevice
            try server.run()
            defer {
                kill(server.processIdentifier, SIGKILL)
                server.waitUntilExit()
            }
            let told = String(decoding: pipe.fileHandleForReading.availableData, as: UTF8.self)
            let port = try #require(Int(told.trimmingCharacters(in: .whitespacesAndNewlines)))
            try Bench.with { bench in
                func proxy(_ name: String, _ tls: String) throws -> Int {
                    let request =
                        #"{"name":"\#(name)","listen":"127.0.0.1:0","upstream":"127.0.0.1:\#(port)","tls":\#(tls)}"#
                    let reply = try bench.call("POST", "/proxies", request)
                    return try #require(
                        reply["listen"].stringValue.flatMap { Int($0.split(separator: ":").last ?? "") }
                    )
                }
                let checked = #"{"mode":"originate","server_name":"backend.test","ca":"\#(certificate)"}"#
                let client = try Peer(connectingTo: try proxy("checked", checked))
                client.send("echo")
                #expect(client.text(4) == "echo")
                client.end()
                #expect(client.receiveAll().end == .fin)
                let wrong = #"{"mode":"originate","server_name":"other.test","ca":"\#(certificate)"}"#
                let refused = try Peer(connectingTo: try proxy("wrong", wrong))
                #expect(refused.receiveAll().end == .rst)
                // Through a proxy that merely forwards TLS, a client sees the server's own certificate.
                let trust = TLSTrust.certificates(try Array(Data(contentsOf: URL(fileURLWithPath: certificate))))
                let through = try SecuredPeer(
                    connectingTo: try proxy("pass", #"{"mode":"pass"}"#),
                    name: "backend.test",
                    trusting: trust
                )
                through.send("untouched")
                #expect(through.hears("untouched"))
            }
        }
    }
}
