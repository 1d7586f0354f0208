import Foundation
import SquallCore
import TLSLink
import TestSupport
import Testing

/// Tests foreign clients that connect over TLS.
@Suite(
    .ownThread,
    .timeLimit(.minutes(20)),
    .enabled(if: TLS.isBuilt, "this build has no TLS: swift test --traits TLS"),
    .enabled(if: PythonClient.shared != nil, "this needs python3 with venv, and PyPI")
)
struct SecureClientTests {
    private static let scenario = """
        squall: 1
        name: A client believes no bad certificate
        server: { tls: true }
        invariants: { waive: { backoff_envelope: "the library comes back when it likes" } }
        with:
          - { fault: { certificate: expired } }
          - { fault: { certificate: wrong_host } }
          - { fault: { certificate: untrusted } }
          - { fault: { handshake: fail } }
        script:
          - wait: { connection.state: connected }
          - network: "${fault}"
            as: bad
          - network: drop
          - wait: { next: network.handshake.failed, within: 10s }
          - network: { heal: bad }
          - wait: { next: { connection.state: connected }, within: 30s }
        expect:
          - count: { of: server.accepted, exactly: 0 }
            during: bad
        """

    private func run(_ client: String, _ options: String...) throws -> Command.Ending {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let file = try scratch.write(Self.scenario, to: "certificates.yaml")
        return try Command(["run", file, "--client", client] + options).ending()
    }

    /// Returns the command for a copy of the example's adapter in which one string in one file is replaced.
    private func changed(_ name: String, _ from: String, _ to: String, in scratch: Scratch) throws -> String {
        let python = try #require(PythonClient.shared).python
        for file in ["adapter.py", "chat.py", "virtual_time.py"] {
            let path = "\(Command.package.path)/Examples/python-websockets/\(file)"
            let text = try String(contentsOfFile: path, encoding: .utf8)
            #expect(file != name || text.contains(from))
            try scratch.write(file == name ? text.replacing(from, with: to) : text, to: file)
        }
        return "\(python) \(scratch.folder.path)/adapter.py"
    }

    @Test("A client that verifies certificates passes the TLS scenarios")
    func goodOnesPass() throws {
        let ending = try run(#require(PythonClient.shared).command)
        #expect(ending.status == 0, "\(ending.output)\(ending.errors)")
        #expect(ending.output.contains("4 runs: 4 pass"))
    }

    @Test("A client that accepts any certificate fails the TLS scenarios")
    func oneThatBelievesEverythingIsFoundOut() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let client = try changed(
            "chat.py",
            "ssl.create_default_context(cafile=authority)",
            "ssl._create_unverified_context()",
            in: scratch
        )
        let ending = try run(client)
        #expect(ending.status == 1, "\(ending.errors)")
        // The client stops as soon as a TLS handshake fails, even if it was the server that ended the handshake with an
        // alert.
        #expect(ending.output.contains("4 runs: 1 pass, 3 fail"), "\(ending.output)")
    }

    @Test("A client without TLS is skipped in the TLS scenarios")
    func oneThatDoesNotComeByTLSIsSkipped() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let client = try changed("adapter.py", #", "tls": True"#, "", in: scratch)
        let ending = try run(client)
        #expect(ending.output.contains("4 runs: 4 skipped"), "\(ending.output)\(ending.errors)")
        #expect(ending.output.contains(#"its init_ok lacks "tls": true"#), "\(ending.output)")
    }
}
