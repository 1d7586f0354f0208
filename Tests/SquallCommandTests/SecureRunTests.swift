import Foundation
import SquallCore
import TLSLink
import TestSupport
import Testing

/// Scenarios with TLS, played by a build of squall with TLS and by one without.
@Suite(.ownThread, .timeLimit(.minutes(10)))
struct SecureRunTests {
    @Test("A live run with TLS is skipped by a build without TLS")
    func withoutTLSTheLiveRunIsSkippedAndSaysWhy() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let file = try scratch.write(
            """
            squall: 1
            name: By TLS
            server: { tls: true }
            script:
              - wait: { connection.state: connected }
            expect:
              - eventually: { connection.state: connected, within: 5s }
            """,
            to: "tls.yaml"
        )
        let ending = try Command(["run", file, "--format", "json"]).ending()
        #expect(ending.status == 0, "\(ending.output)\(ending.errors)")
        let json = try JSON.decode(ending.output)
        let runs = try #require(json["scenarios"]?.arrayValue)
        let verdicts = runs.compactMap { $0["verdict"]?.stringValue }
        #expect(verdicts == ["pass", TLS.isBuilt ? "pass" : "skipped"])
        let parity = json["parity"]?["equal"]?.intValue
        #expect(parity == (TLS.isBuilt ? 1 : 0), "\(ending.output)")
    }

    @Test("A fault of TLS handshakes needs a scenario with TLS")
    func aFaultOfHandshakesNeedsTLS() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let file = try scratch.write(
            """
            squall: 1
            name: No TLS
            script:
              - network: { certificate: expired }
              - wait: { connection.state: connected }
            expect:
              - eventually: { connection.state: connected, within: 5s }
            """,
            to: "plain.yaml"
        )
        let ending = try Command.run("check", file)
        #expect(ending.status == 65)
        #expect(ending.errors.contains("plain.yaml:4:"), "\(ending.errors)")
        #expect(ending.errors.contains("server: { tls: true }"), "\(ending.errors)")
    }
}
