import Foundation
import SquallCore
import TLSLink
import TestSupport
import Testing

/// Tests scenarios over TLS. They require a `squall` built with TLS.
@Suite(.ownThread, .timeLimit(.minutes(20)))
struct SecureRunTests {
    static let scenario = """
        squall: 1
        name: By TLS
        server: { tls: true }
        script:
          - wait: { connection.state: connected }
        expect:
          - eventually: { connection.state: connected, within: 5s }
        """

    @Test(
        "A scenario with TLS passes in both worlds with equal results",
        .enabled(if: TLS.isBuilt, "this build has no TLS")
    )
    func bothWorlds() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let file = try scratch.write(Self.scenario, to: "tls.yaml")
        let ending = try Command(["run", file, "--format", "json"]).ending()
        #expect(ending.status == 0, "\(ending.output)\(ending.errors)")
        let json = try JSON.decode(ending.output)
        let runs = try #require(json["scenarios"]?.arrayValue)
        #expect(runs.compactMap { $0["verdict"]?.stringValue } == ["pass", "pass"])
        #expect(json["parity"]?["equal"]?.intValue == 1, "\(ending.output)")
    }

    @Test("A TLS handshake fault in a scenario without TLS is an error")
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
