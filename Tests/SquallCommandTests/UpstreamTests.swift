import Foundation
import SquallCore
import TestSupport
import Testing

/// Tests a real client against a real server. The server is a small program that uses `websockets` and compresses its
/// messages, as most servers do.
@Suite(
    .ownThread,
    .timeLimit(.minutes(20)),
    .enabled(if: PythonClient.shared != nil, "this needs python3 with venv, and PyPI")
)
struct UpstreamTests {
    private static func scenario(_ port: Int) -> String {
        """
        squall: 1
        name: A drop between send and confirm, before a server of one's own
        server: { upstream: "ws://127.0.0.1:\(port)" }
        invariants: { waive: { backoff_envelope: "this client reconnects at once, which is known" } }
        script:
          - user: { open: stukov }
          - wait: { connection.state: connected }
          - user: { send: "hello" }
            as: hello
          - wait: { next: "server.received.send[hello]" }
          - network: drop
          - wait: { next: { connection.state: connected }, within: 20s }
        expect:
          - eventually: { "message.status[hello]": delivered, within: 20s }
          - count: { of: "server.stored[hello]", exactly: 1 }
          - delivered: { conversation: stukov, lost: 0, duplicated: 0, reordered: 0 }
          - never: server.rejected.send
        """
    }

    private static func play(_ backend: String..., client: [String]) throws -> JSON {
        let python = try #require(PythonClient.shared).python
        let scratch = try Scratch()
        defer { scratch.remove() }
        let server = Process()
        let (input, output) = (Pipe(), Pipe())
        server.executableURL = URL(fileURLWithPath: python)
        server.arguments = ["\(Command.package.path)/Tests/SquallCommandTests/Backend/backend.py"] + backend
        server.standardInput = input
        server.standardOutput = output
        try server.run()
        defer {
            // The server process exits when its standard input is closed.
            try? input.fileHandleForWriting.close()
            server.waitUntilExit()
        }
        var line = ""
        while !line.hasSuffix("\n"), server.isRunning {
            line += String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        }
        let port = try #require(Int(line.dropLast()))
        let file = try scratch.write(scenario(port), to: "upstream.yaml")
        let ending = try Command(["run", file, "--format", "json"] + client).ending()
        #expect(server.isRunning, "the backend has left")
        let runs = try #require(try JSON.decode(ending.output)["scenarios"]?.arrayValue, "\(ending.errors)")
        #expect(runs.map { $0["world"]?.stringValue } == ["live"], "virtual time is not the server's")
        return runs[0]
    }

    private static func verdicts(_ run: JSON) -> [String] {
        (run["expectations"]?.arrayValue ?? []).compactMap { part in
            guard let word = part["word"]?.stringValue, let verdict = part["verdict"]?.stringValue,
                !(word.hasPrefix("invariant") && verdict == "skipped")
            else { return nil }
            return "\(word) \(verdict)"
        }
    }

    @Test("An upstream server that recognises repeated messages passes", arguments: [false, true])
    func aServerThatKnowsRepeatsPasses(_ isPython: Bool) throws {
        let client = try #require(PythonClient.shared)
        let run = try Self.play(client: isPython ? ["--client", client.command] : [])
        #expect(
            Self.verdicts(run) == ["eventually pass", "count pass", "delivered pass", "never skipped"],
            "\(run["cause"]?.description ?? "")"
        )
        let why = run["expectations"]?.arrayValue?.last?["why"]
        #expect(why == "server.rejected.send is reported by Squall's own server only")
    }

    @Test("An upstream server that stores a repeated message twice fails the run by the evidence on the wire")
    func aServerThatStoresARepeatTwiceIsSeenOnTheWire() throws {
        let client = try #require(PythonClient.shared)
        let run = try Self.play("forgetful", client: ["--client", client.command])
        #expect(Self.verdicts(run).contains("count fail"), "\(run["cause"]?.description ?? "")")
        #expect(Self.verdicts(run).contains("invariant no_duplicate_effect fail"))
        #expect(run["cause"]?.stringValue?.contains("message hello was stored a second time") == true)
    }
}

/// Tests a nonexistent upstream server, for which Python is not required.
@Suite(.ownThread, .timeLimit(.minutes(20)))
struct MissingUpstreamTests {
    @Test("A missing upstream server does not block the end of the run")
    func aServerThatIsNotThereIsNotAHang() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        // Nothing listens on port 1 of loopback.
        let file = try scratch.write(
            """
            squall: 1
            name: No server there
            server: { upstream: "http://127.0.0.1:1" }
            script:
              - wait: { next: network.upstream.failed, within: 10s }
            expect:
              - never: client.connected
            """,
            to: "missing.yaml"
        )
        let ending = try Command.run("run", file)
        #expect(ending.status == 0, "\(ending.output)")
    }

    @Test("A missing upstream server makes the run inconclusive, not failed")
    func aClientIsNotBlamedForAServerThatIsNotThere() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let file = try scratch.write(
            """
            squall: 1
            name: No server there
            server: { upstream: "ws://127.0.0.1:1" }
            script:
              - user: { open: stukov }
              - wait: { connection.state: connected, within: 3s }
            expect:
              - eventually: { connection.state: connected, within: 3s }
            """,
            to: "missing.yaml"
        )
        let ending = try Command.run("run", file)
        #expect(ending.status == 2, "\(ending.output)")
        #expect(ending.output.hasPrefix("INCONCLUSIVE"))
        #expect(ending.output.contains("upstream: ws://127.0.0.1:1 was never reached: "), "\(ending.output)")
    }
}
