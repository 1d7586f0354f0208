import Foundation
import SquallCore
import TestSupport
import Testing

/// Tests clients that run in separate processes with clocks that Squall controls.
@Suite(.ownThread, .timeLimit(.minutes(20)))
struct VirtualClockTests {
    private static let client = "'\(Command.binary.path)' client"

    private static func run(_ arguments: String...) throws -> (ending: Command.Ending, runs: [JSON]) {
        let ending = try Command(["run"] + arguments + ["--format", "json"]).ending()
        return (ending, try JSON.decode(ending.output)["scenarios"]?.arrayValue ?? [])
    }

    @Test("A client process whose clock Squall drives gets the same verdicts as at wall time")
    func sameVerdicts() throws {
        let scenario = "Scenarios/sending/dropped-between-send-and-confirm.yaml"
        let (driven, drivenRuns) = try Self.run(scenario, "--client", Self.client)
        let (wall, wallRuns) = try Self.run(scenario, "--client", Self.client, "--wall-clock")
        #expect(driven.status == 0, "\(driven.output)")
        #expect(wall.status == 0, "\(wall.output)")
        #expect(drivenRuns.map { $0["clock"] } == ["leaping"])
        #expect(wallRuns.map { $0["clock"] } == ["wall"])
        func verdicts(_ runs: [JSON]) -> [JSON?] {
            runs.flatMap { $0["expectations"]?.arrayValue ?? [] }.map { $0["verdict"] }
        }
        #expect(verdicts(drivenRuns) == verdicts(wallRuns))
    }

    @Test("An hour of idle time with a heartbeat is played to its end, and each ping comes after its interval")
    func anHourOfPings() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let file = try scratch.write(
            """
            squall: 1
            name: An hour
            script:
              - wait: { connection.state: connected }
              - wait: 1h
            expect:
              - count: { of: client.sent.ping, at_least: 118 }
              - count: { of: client.sent.ping, at_most: 1, in_any: 29900ms }
              - never: client.disconnected
            """,
            to: "hour.yaml"
        )
        let (ending, runs) = try Self.run(file, "--client", Self.client)
        #expect(ending.status == 0, "\(ending.output)\(ending.errors)")
        #expect((runs.first?["virtual_ns"]?.intValue ?? 0) >= 3_600_000_000_000)
    }

    @Test("A run with a client that connects again without a delay ends")
    func reconnectingWithoutADelay() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let program = try scratch.write(Self.storm, to: "storm.py")
        let file = try scratch.write(
            """
            squall: 1
            name: A storm
            script:
              - wait: client.attempt.began
              - wait: 3s
            expect:
              - never: client.connected
            """,
            to: "storm.yaml"
        )
        let (ending, runs) = try Self.run(file, "--client", "python3 '\(program)'")
        #expect(ending.status == 1, "\(ending.output)\(ending.errors)")
        #expect((runs.first?["virtual_ns"]?.intValue ?? 0) >= 3_000_000_000)
        let failed = (runs.first?["expectations"]?.arrayValue ?? []).filter { $0["verdict"] == "fail" }
        #expect(failed.map { $0["word"] } == ["invariant backoff_envelope"])
    }

    @Test(
        "A client whose timers are always due at once fails soon, and the failure names 'next'",
        arguments: [
            (0, "which is not after 'now'"), (-1, "which is not after 'now'"),
            (1, "times in succession with a 'next' less than 100us after 'now'"),
        ]
    )
    func timersThatAreDueAtOnce(step: Int, message: String) throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let program = try scratch.write(Self.restless, to: "restless.py")
        let file = try scratch.write(
            """
            squall: 1
            name: Restless
            script:
              - wait: 30s
            expect:
              - never: client.gave_up
            """,
            to: "restless.yaml"
        )
        let (ending, _) = try Self.run(file, "--client", "python3 '\(program)' \(step)")
        #expect(ending.status == 1, "\(ending.output)\(ending.errors)")
        #expect(ending.output.contains(message), "\(ending.output)")
    }

    @Test("--converge finds a client that shows messages in another order than the server has stored them")
    func convergence() throws {
        let scratch = try Scratch()
        defer { scratch.remove() }
        let file = try scratch.write(
            """
            squall: 1
            name: Two messages that arrive in reverse order
            script:
              - user: { open: stukov }
              - wait: { connection.state: connected }
              - server: { hold: message }
              - server: { post: stukov, text: "first" }
              - wait: 1s
              - server: { post: stukov, text: "second" }
              - server: { release: message, order: [1, 0] }
              - wait: 2s
            """,
            to: "reversed.yaml"
        )
        let defective = "\(Self.client) --defect arrivalOrder"
        #expect(try Self.run(file, "--client", Self.client, "--converge").ending.status == 0)
        #expect(try Self.run(file, "--client", defective).ending.status == 0)
        let (ending, runs) = try Self.run(file, "--client", defective, "--converge")
        #expect(ending.status == 1, "\(ending.output)\(ending.errors)")
        #expect(runs.first?["cause"]?.stringValue?.contains("invariant convergence") == true)
        #expect(ending.output.contains("--converge"))
    }

    @Test("--wall-clock needs an adapter", arguments: [[], ["--client", "true", "--wire-only"]])
    func wallClockWithoutAnAdapter(_ client: [String]) throws {
        let ending = try Command(["run", "Scenarios", "--wall-clock"] + client).ending()
        #expect(ending.status == 64)
        #expect(ending.errors.contains("--wall-clock needs an adapter"))
    }

    /// A client that keeps opening and closing WebSocket connections. Once started, it is never idle, so it does not
    /// answer any `advance`.
    private static let storm = """
        import json, select, socket, sys
        from urllib.parse import urlsplit

        place, is_started = None, False
        while True:
            while not is_started or select.select([sys.stdin], [], [], 0)[0]:
                line = sys.stdin.readline()
                if not line:
                    sys.exit()
                command = json.loads(line)
                reply = {"in_reply_to": command["id"], "type": "ok"}
                if command["type"] == "init":
                    place = urlsplit(command["ws_url"])
                    reply |= {"type": "init_ok", "name": "storm", "clock": "virtual"}
                is_started = is_started or command["type"] == "start"
                if not is_started or command["type"] != "advance":
                    print(json.dumps(reply), flush=True)
            try:
                with socket.create_connection((place.hostname, place.port)) as link:
                    link.sendall((
                        f"GET {place.path} HTTP/1.1\\r\\nHost: {place.netloc}\\r\\nUpgrade: websocket\\r\\n"
                        "Connection: Upgrade\\r\\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\\r\\n"
                        "Sec-WebSocket-Version: 13\\r\\n\\r\\n").encode())
                    link.recv(1)
            except OSError:
                pass
        """

    /// A client that never connects. Its next timer is always due a fixed time after `now`; the argument specifies this
    /// time in nanoseconds.
    private static let restless = """
        import json, sys

        for line in sys.stdin:
            command = json.loads(line)
            reply = {"in_reply_to": command["id"], "type": "ok"}
            if command["type"] == "init":
                reply |= {"type": "init_ok", "name": "restless", "clock": "virtual"}
            if command["type"] == "advance":
                reply["next"] = command["now"] + int(sys.argv[1])
            print(json.dumps(reply), flush=True)
        """
}
