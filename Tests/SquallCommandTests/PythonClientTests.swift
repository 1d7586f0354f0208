import Foundation
import SquallCore
import TestSupport
import Testing

/// Tests the example client, which uses `websockets` from PyPI, with the scenarios that take little real time.
@Suite(
    .ownThread,
    .timeLimit(.minutes(20)),
    .enabled(if: PythonClient.shared != nil, "this needs python3 with venv, and PyPI")
)
struct PythonClientTests {
    private static let folder = "Examples/python-websockets"

    @Test("The Python client fails only its listed known failures")
    func itFailsOnlyItsKnownFailures() throws {
        let client = try #require(PythonClient.shared)
        let ending = try Command.run(
            "run",
            "Scenarios",
            "--tag",
            "wall",
            "--client",
            client.command,
            "--known-failures",
            "\(Self.folder)/known-failures.yaml",
            "--format",
            "json"
        )
        let json = try JSON.decode(ending.output)
        let runs = try #require(json["scenarios"]?.arrayValue)
        for run in runs where run["verdict"] == "fail" || run["verdict"] == "inconclusive" {
            Issue.record(
                "\(run["name"]?.description ?? "") \(run["case"]?.description ?? ""): \(run["cause"]?.description ?? "")"
            )
        }
        #expect(ending.status == 0, "\(ending.errors)")
        #expect(runs.allSatisfy { $0["client"] == "python-websockets" && $0["world"] == "live" })
        for name in ["pass", "known_failure", "skipped"] {
            #expect((json["totals"]?[name]?.intValue ?? 0) > 0, "none is \(name)")
        }
        let skipped = runs.flatMap { $0["expectations"]?.arrayValue ?? [] }.filter { $0["verdict"] == "skipped" }
        #expect(skipped.allSatisfy { $0["why"]?.stringValue?.isEmpty == false }, "each says why")
    }

    /// The trace records what the client reports, so evaluating the trace again gives the same verdicts.
    @Test("A saved trace of the Python client gets the same verdicts as its run")
    func aTraceIsJudgedAsThisClients() throws {
        let client = try #require(PythonClient.shared)
        let scratch = try Scratch()
        defer { scratch.remove() }
        let report = scratch.folder.appendingPathComponent("report").path
        let scenario = "Scenarios/connection/dropped-socket-shows.yaml"
        let ending = try Command.run(
            "run",
            scenario,
            "--case",
            "closed in order",
            "--profile",
            "default",
            "--client",
            client.command,
            "--report",
            report,
            "--format",
            "json"
        )
        let run = try #require(try JSON.decode(ending.output)["scenarios"]?.arrayValue?.first, "\(ending.errors)")
        #expect(run["verdict"] == "fail")
        let parts = try #require(run["expectations"]?.arrayValue)
        #expect(parts.contains { $0["verdict"] == "skipped" })
        let traces = try FileManager.default.subpathsOfDirectory(atPath: report).filter { $0.hasSuffix("trace.jsonl") }
        #expect(traces.count == 1)
        let judged = try Command.run("trace", "judge", "\(report)/\(try #require(traces.first))")
        #expect(judged.status == 1, "\(judged.errors)")
        for part in parts where part["word"]?.stringValue?.hasPrefix("invariant") == false {
            let verdict = try #require(part["verdict"]?.stringValue)
            let place = "\(scenario):\(part["line"]?.intValue ?? 0):"
            let line = judged.output.split(separator: "\n").first { $0.contains(place) }
            #expect(verdict == "skipped" ? line == nil : line?.hasPrefix(verdict) == true, "\(part): \(line ?? "none")")
        }
    }

    @Test("A failure that is not listed as known fails the suite, and so does a listed run that passes")
    func anUnlistedFailureFailsAndAListedPassFailsToo() throws {
        let client = try #require(PythonClient.shared)
        let scenario = "Scenarios/sending/dropped-between-send-and-confirm.yaml"
        // This client's backoff delays differ from those in the profile `default`, so an invariant fails.
        let claiming = ["--profile", "default", "--client", client.command]
        let unlisted = try Command(["run", scenario] + claiming).ending()
        #expect(unlisted.status == 1)
        #expect(unlisted.output.contains("invariant backoff_envelope: attempt 1 began at"))
        #expect(unlisted.output.contains("--world live --seed 1 --profile default --client '\(client.command)'"))

        let scratch = try Scratch()
        defer { scratch.remove() }
        let passing = "Scenarios/order/every-message-has-an-id.yaml"
        let list = try scratch.write("known: [{ scenario: \(passing), reason: it once failed }]\n", to: "known.yaml")
        let listed = try Command(["run", passing] + claiming + ["--known-failures", list]).ending()
        #expect(listed.status == 1)
        #expect(listed.output.contains("this passes, and is listed as a known failure (it once failed)"))

        let fixed = try Command(["run", passing, scenario] + claiming + ["--known-failures", list, "--fix"]).ending()
        #expect(fixed.status == 0, "\(fixed.output)")
        let text = try String(contentsOfFile: list, encoding: .utf8)
        #expect(text.contains("dropped-between") && text.contains("reason: \"?\"") && !text.contains("every-message"))
        let unexplained = try Command(["run", scenario] + claiming + ["--known-failures", list]).ending()
        #expect(unexplained.status == 65)
        #expect(unexplained.errors.contains("a known failure needs a reason"))
    }

    @Test("A suspended client process does nothing, and a killed client process is restarted")
    func aStoppedProcessStandsStillAndAKilledOneComesBack() throws {
        let client = try #require(PythonClient.shared)
        let scratch = try Scratch()
        defer { scratch.remove() }
        let file = try scratch.write(
            """
            squall: 1
            name: A process that is stopped, and one that is killed
            script:
              - wait: { connection.state: connected }
              - device: { suspend: 1500ms }
              - server: { post: stukov, as: news }
              - wait: { next: "client.sent.message_ack[news]", within: 10s }
              - device: { kill: { down: 300ms } }
              - wait: { next: { connection.state: connected }, within: 10s }
            expect:
              - in_order: { of: [client.suspended, "server.sent.message[news]", client.woke, "client.sent.message_ack[news]"], within: 20s }
              - count: { of: client.started, exactly: 2 }
              - count: { of: client.connected, exactly: 2 }
              - never: client.crashed
            """,
            to: "life.yaml"
        )
        let ending = try Command.run("run", file, "--client", client.command, "--format", "json")
        #expect(ending.status == 0, "\(ending.output)")
        let parts = try JSON.decode(ending.output)["scenarios"]?[0]?["expectations"]?.arrayValue ?? []
        #expect(parts.count { $0["verdict"] == "pass" } == 4)
    }

    @Test("A client without an adapter is judged by the backoff in its claimed profile")
    func judgedFromTheWireAloneItStillShowsItsBackoff() throws {
        let client = try #require(PythonClient.shared)
        // The client receives no commands. It connects on its own to the address in its environment.
        let program = """
            import asyncio, os, sys
            sys.path.insert(0, os.environ["CHAT"])
            from chat import Chat
            asyncio.run(Chat(os.environ["SQUALL_WS_URL"], os.environ["SQUALL_KEY"], lambda *_, **__: None).run())
            """
        let scratch = try Scratch()
        defer { scratch.remove() }
        let file = try scratch.write(program, to: "alone.py")
        let command = "CHAT=\(Command.package.path)/\(Self.folder) \(client.python) \(file)"
        let ending = try Command.run(
            "run",
            "Scenarios/connection/dropped-socket-shows.yaml",
            "--profile",
            "default",
            "--client",
            command,
            "--wire-only",
            "--format",
            "json"
        )
        #expect(ending.status == 1, "\(ending.output)\(ending.errors)")
        let runs = try #require(try JSON.decode(ending.output)["scenarios"]?.arrayValue)
        let parts = runs.flatMap { $0["expectations"]?.arrayValue ?? [] }
        #expect(parts.contains { $0["word"] == "invariant backoff_envelope" && $0["verdict"] == "fail" })
        #expect(parts.contains { $0["word"] == "invariant honest_ui" && $0["verdict"] == "skipped" })
        #expect(!parts.contains { $0["word"] == "leads_to" && $0["verdict"] == "pass" })
    }
}

/// A Python environment with `websockets`, installed once for all tests; nil if it cannot be installed.
struct PythonClient {
    let python: String

    var command: String { "\(python) \(Command.package.path)/Examples/python-websockets/adapter.py" }

    static let shared: PythonClient? = {
        let file = Command.package.appendingPathComponent("Examples/python-websockets/requirements.txt")
        guard let text = try? String(contentsOf: file, encoding: .utf8) else { return nil }
        let packages = text.split(separator: "\n").map(String.init).filter { !$0.hasPrefix("#") }
        return Tool.python("python-websockets", with: packages).map { PythonClient(python: $0) }
    }()
}
