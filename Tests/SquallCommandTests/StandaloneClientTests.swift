import Foundation
import SquallCore
import TestSupport
import Testing

/// Tests the reference client in a separate process that is killed at random times, even while it is sending, flushing
/// or writing.
@Suite(.ownThread, .timeLimit(.minutes(20)))
struct StandaloneClientTests {
    /// The seeds of the runs, each of which kills the client ten times. `SQUALL_SOAK=1` selects more seeds.
    private static let seeds: ClosedRange<UInt64> =
        ProcessInfo.processInfo.environment["SQUALL_SOAK"] == "1" ? 1...20 : 1...2

    @Test("Squall's client, killed at random times, neither loses nor duplicates an accepted message")
    func killsLoseNothing() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let report = scratch.folder.appendingPathComponent("report").path
        let files = try Self.seeds.map { try scratch.write(Self.scenario(seed: $0, kills: 10), to: "\($0).yaml") }
        // The clients use the wall clock, because Squall kills a client with a virtual clock only while that client is
        // idle.
        let options = ["--client", Self.client, "--wall-clock", "--report", report, "--traces", "all"]
        let ending = try Command(["run"] + files + options).ending()
        #expect(ending.status == 0, "\(ending.output)\(ending.errors)")
        let events = try Self.events(below: report)
        #expect(events.count { $0 == "client.killed" } == files.count * 10)
        #expect(events.count { $0 == "client.accepted" } >= files.count * 5, "most sends are answered before the kill")
    }

    @Test(
        "A scenario with kills detects a client whose store loses messages or changes their ids",
        arguments: ["lose", "rename"]
    )
    func brokenStoresAreFound(_ damage: String) throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let program = try scratch.write(Self.damaging, to: "damage.py")
        let file = try scratch.write(Self.scenario(seed: 1, kills: 10), to: "1.yaml")
        let client = "python3 '\(program)' \(damage) && exec \(Self.client)"
        let ending = try Command.run("run", file, "--client", client, "--wall-clock", "--format", "json")
        #expect(ending.status == 1, "\(ending.output)\(ending.errors)")
        let run = try #require(try JSON.decode(ending.output)["scenarios"]?[0])
        let failed = (run["expectations"]?.arrayValue ?? []).filter { $0["verdict"] == "fail" }
        let words = failed.compactMap { $0["word"]?.stringValue }
        #expect(words.contains(damage == "lose" ? "delivered" : "count"), "\(words)")
    }

    @Test("client --defect with an unknown defect is a usage error")
    func unknownDefect() throws {
        let ending = try Command.run("client", "--defect", "nonesuch")
        #expect(ending.status == 64)
        #expect(ending.errors.contains("no defect 'nonesuch'"))
    }

    private static let client = "'\(Command.binary.path)' client"

    /// Returns a scenario with `kills` rounds. Each round sends one to three messages, sometimes right after a
    /// connection loss, and then kills the client after a random time.
    private static func scenario(seed: UInt64, kills: Int) -> String {
        var random = Seed(seed).stream("kills")
        var script = ["network: { latency: 40ms }", "wait: { connection.state: connected, within: 20s }"]
        var sent = 0
        for round in 0..<kills {
            let isConnected = round == 0 || Int.random(in: 0..<4, using: &random) > 0
            if round > 0 {
                let next = isConnected ? "{ connection.state: connected }" : "client.started"
                script.append("wait: { next: \(next), within: 20s }")
            }
            if isConnected, Int.random(in: 0..<5, using: &random) < 2 { script.append("network: drop") }
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                sent += 1
                script.append("user: { send: { text: \"text \(sent)\", to: stukov }, as: m\(sent) }")
                let pause = Int.random(in: -40...20, using: &random)
                if pause > 0 { script.append("wait: \(pause)ms") }
            }
            let longest = Bool.random(using: &random) ? 10 : 400
            script.append("wait: \(Int.random(in: 1...longest, using: &random))ms")
            script.append("device: { kill: { down: 20ms } }")
        }
        script += [
            "wait: { next: { connection.state: connected }, within: 20s }", "user: { open: stukov }",
            "wait: { outbox.count: 0, within: 20s }", "wait: 500ms",
        ]
        return """
            squall: 1
            name: A client that is killed at random, seed \(seed)
            script:
            \(script.map { "  - \($0)" }.joined(separator: "\n"))
            expect:
              - delivered: { conversation: stukov, lost: 0, duplicated: 0, reordered: 0, within: 2s }
              - count: { of: { server.stored: { origin: client } }, at_most: \(sent) }
            """
    }

    /// A program that deletes the stored outbox messages, or gives them new ids, before the client starts.
    private static let damaging = """
        import json, os, sqlite3, sys, uuid
        path = os.path.join(os.environ["SQUALL_STATE_DIR"], "client.sqlite")
        if os.environ["SQUALL_STATE_DIR"] and os.path.exists(path):
            store = sqlite3.connect(path, timeout=5)
            for key, value in store.execute("SELECT key, value FROM entry WHERE key LIKE 'outbox/%'").fetchall():
                if sys.argv[1] == "lose":
                    store.execute("DELETE FROM entry WHERE key = ?", (key,))
                else:
                    entry = json.loads(value) | {"client_message_id": str(uuid.uuid4())}
                    store.execute("UPDATE entry SET value = ? WHERE key = ?", (json.dumps(entry), key))
            store.commit()
        """

    /// Returns the names of all events that occur in any of a report's traces.
    private static func events(below report: String) throws -> [String] {
        let files = FileManager.default.enumerator(atPath: report)?.compactMap { $0 as? String } ?? []
        return try files.filter { $0.hasSuffix("trace.jsonl") }.flatMap { file in
            try String(contentsOfFile: "\(report)/\(file)", encoding: .utf8).split(separator: "\n")
                .compactMap { try JSON.decode(String($0))["name"]?.stringValue }
        }
    }
}
