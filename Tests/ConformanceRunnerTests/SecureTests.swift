import Adapter
import Conformance
import ConformanceRunner
import Foundation
import SquallCore
import Synchronization
import TLSLink
import TestSupport
import Testing
import WebSocketWire

/// Runs conformance cases over TLS, against a third-party server and a third-party client.
@Suite(
    .ownThread,
    .serialized,
    .enabled(if: TLS.isBuilt, "TLS is a trait of the package: swift test --traits TLS"),
    .enabled(if: PythonPeers.python != nil, "needs Python 3 and its package index, for peers to judge"),
    .timeLimit(.minutes(20))
)
struct SecureTests {
    /// Returns some cases of each kind, including cases in which the TCP connection ends abruptly.
    private static func cases(_ role: WebSocketRole) -> [ConformanceCase] {
        ConformanceCatalogue.cases().filter { testCase in
            testCase.testedRoles.contains(role)
                && ["1", "5.1", "6.4", "7", "M", "T"].contains { testCase.id.matches($0) }
        }
    }

    /// The cases that websockets 17.4 fails with or without TLS: it mishandles a close frame between fragments.
    private static let faults = ["7.1.5", "T.8"]

    @Test(
        "A server behind TLS fails only its known case and ends TLS before TCP",
        .enabled(if: SecureFiles.hasOpenSSL, "no openssl here, which makes the server's certificate")
    )
    func server() async throws {
        let authority = try SecureFiles()
        defer { authority.remove() }
        let server = try PythonServer(
            "websockets_server",
            python: try #require(PythonPeers.python),
            arguments: [authority.selfSigned, authority.key]
        )
        defer { server.end() }
        let cases = Self.cases(.server)
        let target = try ServerTarget("wss://localhost:\(server.port)")
        let trust = TLSTrust.certificates(Array(try Data(contentsOf: URL(fileURLWithPath: authority.selfSigned))))
        let results = try await ServerTester.play(cases, against: target, trusting: trust, agent: "tls", jobs: 8)
        #expect(results.map(\.id) == cases.map(\.id))
        #expect(results.filter(\.isFailure).map(\.id.description) == Self.faults)
        // The server closes the TCP connection only after the client has answered its close_notify. No case may
        // therefore report that the client had to close the connection.
        #expect(results.filter { $0.closeBehavior == .failedByClient }.map(\.id.description) == [])
        // By default, only the system's certificate authorities are trusted, and none of them has signed this
        // certificate.
        await #expect(throws: ServerTester.Failure.insecure("\(target): TLS: certificate verify failed")) {
            try await ServerTester.play(cases, against: target, agent: "tls", jobs: 8)
        }
        let anybody = try await ServerTester.play(
            Array(cases.prefix(3)),
            against: target,
            trusting: .anyCertificate,
            agent: "tls",
            jobs: 1
        )
        #expect(anybody.map(\.behavior) == [.ok, .ok, .ok])
    }

    @Test("A client behind an adapter receives the CA file and trusts the server")
    func adapter() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("squall-ca-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let authority = try TLS.authority(in: folder.path, at: TLS.now)
        let acceptor = ListenerSecurity(authority, certificate: "\(folder.path)/squall-ca.pem") { _ in }
        let script = PythonPeers.example("python-websockets/adapter.py")
        let command = "exec '\(try #require(PythonPeers.python))' '\(script)'"
        #expect(try await AdapterTester.probe(command).supportsTLS)
        let chat = ChatTarget()
        let cases =
            ConformanceCatalogue.published().filter { $0.id.matches("7.7") }.map { AdapterCase.webSocket($0) }
            + ChatCatalogue.cases(chat).filter { $0.summary.id.matches("Q.1") }.map { AdapterCase.chat($0) }
        let results = try await AdapterTester.play(
            cases,
            of: chat,
            command: command,
            agent: "example",
            jobs: 4,
            security: acceptor
        )
        #expect(results.map(\.id) == cases.map(\.id))
        #expect(results.filter(\.isFailure).map { "\($0.id): \($0.why)" } == [])
    }

    @Test("A server without TLS is reported, and no case is played")
    func noTLS() async throws {
        try await EchoEndpoint.with { port in
            let target = try ServerTarget("wss://127.0.0.1:\(port)")
            await #expect(throws: ServerTester.Failure.insecure("\(target): TLS: wrong version number")) {
                try await ServerTester.play(Self.cases(.server), against: target, agent: "plain", jobs: 1)
            }
        }
    }

    @Test("A client that trusts the authority plays all cases; a client without that trust is reported")
    func client() async throws {
        let python = try #require(PythonPeers.python)
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("squall-ca-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let authority = try TLS.authority(in: folder.path, at: TLS.now)
        let troubles = Mutex<[String]>([])
        let acceptor = ListenerSecurity(authority, certificate: "\(folder.path)/squall-ca.pem") { trouble in
            troubles.withLock { $0.append(trouble) }
        }
        let cases = Self.cases(.client)
        let script = PythonPeers.script("websockets_client")
        let outcome = try await ClientSession.play(
            cases,
            port: 0,
            security: acceptor,
            command: "exec '\(python)' '\(script)' \"$SQUALL_URL\" tls \"$SQUALL_CA_FILE\"",
            onReady: { _ in }
        )
        #expect(outcome.results.map(\.id) == cases.map(\.id))
        #expect(outcome.results.filter(\.isFailure).map(\.id.description) == Self.faults)
        #expect(troubles.withLock(\.self) == [])

        let stranger = try await ClientSession.play(
            cases,
            port: 0,
            security: acceptor,
            command: "exec '\(python)' '\(script)' \"$SQUALL_URL\" tls '' 2>/dev/null",
            onReady: { _ in }
        )
        #expect(stranger.results.isEmpty)
        #expect(stranger.commandEnd != .status(0))
        // Before the client closes the connection it may send an alert, so the middle of the error message varies.
        let told = troubles.withLock(\.self)
        #expect(told.first?.hasPrefix("TLS handshake with a client failed: ") == true, "\(told)")
        #expect(told.first?.hasSuffix("; does the client trust \(folder.path)/squall-ca.pem?") == true, "\(told)")
    }
}

/// A self-signed certificate for localhost, created by openssl.
private struct SecureFiles {
    private let folder: URL
    var selfSigned: String { folder.appendingPathComponent("server.pem").path }
    var key: String { folder.appendingPathComponent("server.key").path }

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("squall-tls-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let status = Tool.run([
            "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
            "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-keyout", key, "-out", selfSigned,
        ]).status
        try #require(status == 0)
    }

    static let hasOpenSSL = Tool.run("openssl", "version").status == 0

    func remove() { try? FileManager.default.removeItem(at: folder) }
}
